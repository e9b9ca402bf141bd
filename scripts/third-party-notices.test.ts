import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const notices = readFileSync('THIRD-PARTY-NOTICES.md', 'utf8');
const locked: Record<string, { dev?: boolean; link?: boolean; license?: string }> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;
const atRunTime = Object.entries(locked).filter(([path, { dev, link }]) => path && !dev && !link);

/** Licences that ask for no more than to be kept beside the code. */
const KEPT_WITH_THE_CODE =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0)( OR .*)?\)?$/;

/** What is not JavaScript: models, data, WebAssembly, libraries, fonts. */
const NOT_CODE = /\.(onnx|traineddata(\.gz)?|wasm|so(\.\d+)*|dylib|dll|woff2?|ttf|otf)$/;

test('third-party notices: name every server package with a model, data, a compiled library or a font', () => {
  const bringing = atRunTime.map(([path]) => path).filter((path) => existsSync(path) && bringsMore(path));
  expect(bringing.length).toBeGreaterThan(4);
  for (const path of bringing) expect(isNamed(nameOf(path)), path).toBe(true);
});

test('third-party notices: name every font of the page', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const fonts = Object.keys(devDependencies).filter((name) => name.startsWith('@fontsource'));
  expect(fonts.length).toBeGreaterThan(0);
  for (const font of fonts) expect(isNamed(font), font).toBe(true);
});

test('third-party notices: name every server package whose license demands more than its own text', () => {
  const asking = atRunTime.filter(([, { license }]) => !KEPT_WITH_THE_CODE.test(license ?? 'none'));
  for (const [path, { license }] of asking) {
    if (license === undefined && !existsSync(path)) continue;
    expect(isNamed(nameOf(path)), `${path}: ${license}`).toBe(true);
  }
});

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** A family of packages, one a system or a language, is named by what its members share and an ellipsis. */
function isNamed(name: string): boolean {
  const named = [...notices.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
  return named.some((one) => (one.endsWith('…') ? name.startsWith(one.slice(0, -1)) : name === one));
}

function bringsMore(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return entry.name !== 'node_modules' && bringsMore(join(folder, entry.name));
    return NOT_CODE.test(entry.name);
  });
}
