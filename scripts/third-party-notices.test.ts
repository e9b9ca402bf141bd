import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const notices = readFileSync('THIRD-PARTY-NOTICES.md', 'utf8');
const locked: Record<string, { dev?: boolean; link?: boolean; license?: string }> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;
const atRunTime = Object.entries(locked).filter(([path, { dev, link }]) => path && !dev && !link);

/** Licenses that only require their text to be distributed with the code. */
const NOTICE_ONLY_LICENSES =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0)( OR .*)?\)?$/;

/** Files that are not JavaScript: models, data, WebAssembly, libraries, fonts. */
const NOT_CODE = /\.(onnx|traineddata(\.gz)?|wasm|so(\.\d+)*|dylib|dll|woff2?|ttf|otf)$/;

test('third-party notices: list every server package with a model, data, a compiled library or a font', () => {
  const packagesWithFiles = atRunTime
    .map(([path]) => path)
    .filter((path) => existsSync(path) && hasNonCodeFiles(path));
  expect(packagesWithFiles.length).toBeGreaterThan(4);
  for (const path of packagesWithFiles) expect(isNamed(nameOf(path)), path).toBe(true);
});

test('third-party notices: list every font of the page', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const fonts = Object.keys(devDependencies).filter((name) => name.startsWith('@fontsource'));
  expect(fonts.length).toBeGreaterThan(0);
  for (const font of fonts) expect(isNamed(font), font).toBe(true);
});

test('third-party notices: list every server package whose license requires more than its text', () => {
  const asking = atRunTime.filter(([, { license }]) => !NOTICE_ONLY_LICENSES.test(license ?? 'none'));
  for (const [path, { license }] of asking) {
    if (license === undefined && !existsSync(path)) continue;
    expect(isNamed(nameOf(path)), `${path}: ${license}`).toBe(true);
  }
});

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Whether the notices list a package; a family of packages is listed by its common prefix and an ellipsis. */
function isNamed(name: string): boolean {
  const named = [...notices.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
  return named.some((one) => (one.endsWith('…') ? name.startsWith(one.slice(0, -1)) : name === one));
}

function hasNonCodeFiles(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory())
      return entry.name !== 'node_modules' && hasNonCodeFiles(join(folder, entry.name));
    return NOT_CODE.test(entry.name);
  });
}
