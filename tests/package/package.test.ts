import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureNode, OTHER_VERSIONS } from '../../scripts/lts.mjs';
import { SYSTEMS } from '../../scripts/package.mjs';
import { scanPage } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { pdfOf } from '../support/pdf.ts';
import { FIXTURE_TEXT, fixture, textPicture } from '../support/pictures.ts';
import { InstalledPackage } from './installed.ts';

/** The package in the project of a user. */

let installed: InstalledPackage;
let folder: string;
const at = (...path: string[]) => join(folder, ...path);

beforeAll(async () => {
  installed = await InstalledPackage.create();
  await installed.install();
  folder = installed.project;
  await writeFile(at('harbour-lights.png'), fixture('harbour-lights.png'));
  await mkdir(at('scans', 'deep'), { recursive: true });
  await writeFile(at('scans', 'one.jpg'), await textPicture().jpeg().toBuffer());
  await writeFile(
    at('scans', 'broken.jpg'),
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(90)]),
  );
  await writeFile(at('scans', 'notes.txt'), 'no picture');
  const written = { width: 612, height: 792, words: 'Signed in blue ink' };
  await writeFile(at('scans', 'deep', 'letter.pdf'), pdfOf([await scanPage(), written]));
});
afterAll(() => installed?.remove());

it('package: contains compiled code, types and licenses, and neither sources, tests, maps nor the server', () => {
  expect(installed.files).toEqual(
    expect.arrayContaining([
      'dist/node/library/engine.d.ts',
      'dist/node/ocr/types.d.ts',
      'dist/node/program/main.js',
      'LICENSES-OF-BUNDLED-CODE.md',
      'THIRD-PARTY-NOTICES.md',
      'LICENSE',
    ]),
  );
  const own = installed.files.filter((file) => !file.startsWith('node_modules/'));
  const odd = own.filter((file) => /\.(map|tsx?)$|test|server|web/.test(file) && !file.endsWith('.d.ts'));
  expect(odd).toEqual([]);
});

it('package: contains the license of each package whose code it includes', async () => {
  const text = await readFile(at('node_modules', 'glyphlift', 'LICENSES-OF-BUNDLED-CODE.md'), 'utf8');
  for (const name of ['@modelcontextprotocol/sdk', 'commander', 'docx', 'zod'])
    expect(text).toMatch(new RegExp(`^## ${name} [\\d.]+\n\n\`\`\`text\n[^\`]{500}`, 'm'));
});

it('package: installs as documented, without warnings, install scripts or untested versions', async () => {
  const root = join(import.meta.dirname, '..', '..');
  const json = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));
  const { version } = await json(root, 'package.json');
  for (const page of ['README.md', 'docs/command-line.md'])
    expect(await readFile(join(root, page), 'utf8')).toContain(`npm install ./glyphlift-${version}.tgz`);
  // npm warns about packages that require a newer Node.
  expect(installed.warnings).toEqual([]);
  const packages = Object.entries(await installed.packages());
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  const locked = Object.entries(
    (await json(root, 'package-lock.json')).packages as Record<string, { version: string }>,
  );
  const isTested = ([path, { version }]: (typeof packages)[number]) =>
    locked.some(([at, one]) => one.version === version && nameOf(at) === nameOf(path));
  const ours = /^(glyphlift|@glyphlift\/.*)$/;
  expect(packages.filter((one) => !ours.test(nameOf(one[0])) && !isTested(one))).toEqual([]);
});

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

it('package: occupies 160 MB in 80 packages at most', async () => {
  expect(Object.keys(await installed.packages()).length).toBeLessThanOrEqual(80);
  expect(await installed.bytes()).toBeLessThanOrEqual(160e6);
});

it('package: as published, installs only the library of this system from the registry', async () => {
  const scripts = JSON.stringify(
    pathToFileURL(join(import.meta.dirname, '..', '..', 'scripts', 'package.mjs')),
  );
  const building = (call: string) => [
    'sh',
    '-c',
    `exec npm pack "$("$0" --input-type=module -e 'console.log(await (await import(${scripts})).${call})')" "$@"`,
    process.execPath,
  ];
  const runtime = await InstalledPackage.create(building(`buildRuntime(${JSON.stringify(thisSystem)})`));
  const published = await InstalledPackage.create(building('buildPackage()'));
  const registry = await serveOne(runtime.tarball);
  try {
    await published.install(`@glyphlift:registry=${registry.url}`);
    expect(published.warnings).toEqual([]);
    await writeFile(join(published.project, 'harbour-lights.png'), fixture('harbour-lights.png'));
    const read = await published.glyphlift(['read', 'harbour-lights.png']);
    expect([read.stderr, read.stdout]).toEqual(['', `${FIXTURE_TEXT}\n`]);
  } finally {
    await registry.close();
    await Promise.all([runtime.remove(), published.remove()]);
  }
});

const thisSystem = SYSTEMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);

/** A registry with a single package. */
async function serveOne(tarball: string) {
  const archive = await readFile(tarball);
  const manifest = JSON.parse(
    await readFile(
      join(
        import.meta.dirname,
        '..',
        '..',
        'dist',
        'package',
        `@glyphlift/onnxruntime-${process.platform}-${process.arch}`,
        'package.json',
      ),
      'utf8',
    ),
  ) as { name: string; version: string };
  const server = createServer(({ url = '' }, answer) => {
    if (url.endsWith('.tgz')) return answer.end(archive);
    const isKnown = decodeURIComponent(url.slice(1)) === manifest.name;
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const dist = { tarball: `${address}/one.tgz`, integrity };
    answer.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    return answer.end(
      JSON.stringify(
        isKnown ? { name: manifest.name, versions: { [manifest.version]: { ...manifest, dist } } } : {},
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${address}/`, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('the command line', () => {
  it('reads a picture with the first command of the README, by its name', async () => {
    // Standard error also contains npm's own messages, which the test ignores.
    const { stdout, status } = await installed.run('npx', [
      '--no-install',
      'glyphlift',
      'read',
      'harbour-lights.png',
    ]);
    expect([status, stdout]).toEqual([0, `${FIXTURE_TEXT}\n`]);
    const readme = await readFile(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
    expect(readme).toContain(`$ npx glyphlift read harbour-lights.png\n${stdout}`);
  });

  it('reads standard input, and every page of a PDF', async () => {
    const piped = await installed.glyphlift(['read', '-'], { input: fixture('harbour-lights.png') });
    expect([piped.status, piped.stdout]).toEqual([0, `${FIXTURE_TEXT}\n`]);
    const pdf = await installed.glyphlift(['read', at('scans', 'deep', 'letter.pdf')]);
    expect(pdf.stdout).toBe(`${FIXTURE_TEXT}\n\fSigned in blue ink\n`);
    const second = await installed.glyphlift(['read', '--pages', '2-', at('scans', 'deep', 'letter.pdf')]);
    expect(second.stdout).toBe('Signed in blue ink\n');
  });

  it('reads a folder into every format, reports unreadable files and continues', async () => {
    const formats = 'text,md,json,hocr,alto,pdf,docx';
    const { status, stderr } = await installed.glyphlift([
      'read',
      '-f',
      formats,
      '-o',
      'out',
      '-j',
      '2',
      'scans',
    ]);
    expect([status, stderr]).toEqual([
      1,
      'glyphlift: scans/broken.jpg: damaged or incomplete\n' +
        'Pages with text that stayed as they were (--pages-with-text): 1\n',
    ]);
    const names = (await readdir(at('out'), { recursive: true })).sort();
    const endings = ['alto.xml', 'docx', 'hocr', 'json', 'md', 'pdf', 'txt'];
    expect(names).toEqual([
      'deep',
      ...endings.map((ending) => join('deep', `letter.${ending}`)),
      ...endings.map((ending) => `one.${ending}`),
    ]);
    expect(await readFile(at('out', 'deep', 'letter.txt'), 'utf8')).toContain('\fSigned in blue ink');
    // The PDF contains the picture of each page with its text.
    const again = await installed.glyphlift(['read', '-f', 'json', at('out', 'deep', 'letter.pdf')]);
    const pages = again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(pages.map(({ page, pages: of, text }) => ({ page, of, text }))).toEqual([
      { page: 1, of: 2, text: FIXTURE_TEXT },
      { page: 2, of: 2, text: 'Signed in blue ink' },
    ]);
  });

  it('overwrites nothing without --force, and skips ambiguous files', async () => {
    const once = ['read', '-f', 'text', '-o', 'kept.txt', 'harbour-lights.png'];
    expect((await installed.glyphlift(once)).status).toBe(0);
    await writeFile(at('kept.txt'), 'mine');
    const refused = await installed.glyphlift(once);
    expect([refused.status, await readFile(at('kept.txt'), 'utf8')]).toEqual([1, 'mine']);
    expect(refused.stderr).toContain('kept.txt already exists; use --force to overwrite');
    const forced = await installed.glyphlift([...once, '--force', '--min-confidence', '100']);
    expect([forced.status, await readFile(at('kept.txt'), 'utf8')]).toEqual([0, '\n']);
    expect(forced.stderr).toBe('4 words below 100 percent were left out.\n');
  });

  it('writes both results of two files with one name, also with --force', async () => {
    await mkdir(at('twins', 'one'), { recursive: true });
    await mkdir(at('twins', 'two'), { recursive: true });
    await writeFile(at('twins', 'one', 'x.png'), fixture('harbour-lights.png'));
    await copyFile(at('scans', 'deep', 'letter.pdf'), at('twins', 'two', 'x.png'));
    for (const force of [[], ['--force']]) {
      const twins = ['twins/one/x.png', 'twins/two/x.png'];
      const { status, stderr } = await installed.glyphlift(['read', '-o', 'both', ...force, ...twins]);
      expect([status, stderr]).toEqual([0, '']);
      expect((await readdir(at('both'))).sort()).toEqual(['x-2.txt', 'x.txt']);
      expect(await readFile(at('both', 'x-2.txt'), 'utf8')).toContain('Signed in blue ink');
    }
  });

  it.runIf(existsSync('/proc/self'))('reports the path that cannot be written, not the picture', async () => {
    const failed = await installed.glyphlift(['read', '-o', '/proc/nope', 'harbour-lights.png']);
    expect([failed.status, failed.stderr]).toEqual([
      1,
      'glyphlift: /proc/nope/harbour-lights.txt cannot be written: no such folder\n',
    ]);
    const full = await installed.run('sh', [
      '-c',
      `"${process.execPath}" "${installed.main}" read harbour-lights.png > /dev/full`,
    ]);
    expect([full.status, full.stderr]).toEqual([
      1,
      'glyphlift: standard output cannot be written: no space left on the disk\n',
    ]);
  });

  it('prints a JSON line for each page, failed ones included', async () => {
    const { stdout, status } = await installed.glyphlift([
      'read',
      '-f',
      'json',
      'harbour-lights.png',
      'missing.png',
    ]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(status).toBe(1);
    expect(lines).toMatchObject([
      {
        file: 'harbour-lights.png',
        page: 1,
        pages: 1,
        text: FIXTURE_TEXT,
        width: 480,
        height: 160,
        language: 'eng',
      },
      { file: 'missing.png', page: null, error: { code: 'enoent', message: 'no such file' } },
    ]);
    expect(lines[0].words[0]).toMatchObject({ text: 'Harbour', line: 0, paragraph: 0 });
  });

  it.each([
    [['reed', 'a.png'], 'Did you mean glyphlift read?'],
    [['read', '--frmat', 'md', 'a.png'], 'Did you mean --format?'],
    [['read', '--format', 'pfd', 'a.png'], 'There is no format pfd. There are text, md,'],
    [['read', '--jobs', 'many', 'a.png'], '--jobs takes a whole number from 1 to 256, and not “many”.'],
    [['read', '--languages', 'xyz', 'a.png'], 'xyz is not installed: glyphlift languages add xyz'],
    [['read'], 'Nothing was named that could be read.'],
    [['watch', 'scans'], 'It takes two folders'],
    [['watch', 'scans', 'scans/out'], 'they would be read again'],
  ])('explains what is wrong with %j, and reads nothing', async (args, message) => {
    const { status, stdout, stderr } = await installed.glyphlift(args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('ends on a signal without a partial file, and silently when its output is closed', async () => {
    const running = installed.start(['read', '-f', 'pdf', '-o', 'given-up', 'scans']);
    running.child.stdin?.end();
    await eventually(async () => existsSync(at('given-up')) || running.child.exitCode !== null);
    running.child.kill('SIGINT');
    expect((await running.ended).status).toBe(130);
    expect(
      (await readdir(at('given-up'), { recursive: true })).filter((name) => name.includes('.part')),
    ).toEqual([]);
    const headed = await installed.run('sh', [
      '-c',
      `"${process.execPath}" "${installed.main}" --help | true`,
    ]);
    expect(headed.stderr).toBe('');
  });

  it('prints its help for every command, and its version', async () => {
    const { version } = JSON.parse(await readFile(at('node_modules', 'glyphlift', 'package.json'), 'utf8'));
    expect((await installed.glyphlift(['--version'])).stdout).toBe(`${version}\n`);
    for (const command of ['read', 'watch', 'languages']) {
      expect((await installed.glyphlift([command, '--help'])).stdout).toContain(
        `Usage: glyphlift ${command} `,
      );
    }
    expect((await installed.glyphlift(['languages', 'list'])).stdout).toContain('built in');
  });
});

describe('the watched folder', () => {
  beforeEach(async () => {
    await rm(at('in'), { recursive: true, force: true });
    await rm(at('results'), { recursive: true, force: true });
    await mkdir(at('in', 'below'), { recursive: true });
  });

  const once = () => installed.glyphlift(['watch', '--once', '--settle', '1', '-j', '2', 'in', 'results']);
  const results = async () =>
    (await readdir(at('results'), { recursive: true })).filter((name) => /\.(pdf|txt)$/.test(name)).sort();
  const journal = async () =>
    (await readFile(at('results', '.glyphlift', 'journal.jsonl'), 'utf8').catch(() => ''))
      .split('\n')
      .flatMap((line) =>
        line ? [JSON.parse(line) as { name: string; digest: string; outputs: string[] }] : [],
      );

  it('loses nothing and reads nothing twice despite repeated kills', async () => {
    const names = ['a.png', 'b.png', 'below/c.png', 'd.png', 'e.png'];
    for (const [index, name] of names.entries()) {
      await writeFile(
        at('in', name),
        await textPicture()
          .resize(480 + 20 * index)
          .png()
          .toBuffer(),
      );
    }
    // Kills during the start, before the first result, and after each further result.
    for (let round = 0; round < 4; round++) {
      const before = (await journal()).length;
      const running = installed.start(['watch', '--settle', '1', '-j', '2', 'in', 'results']);
      running.child.stdin?.end();
      if (round === 0) await eventually(async () => running.said().includes('watching'));
      else await eventually(async () => (await journal()).length > before || before === names.length);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    expect((await once()).status).toBe(0);
    const all = names.flatMap((name) => ['.pdf', '.txt'].map((ending) => name.replace('.png', ending)));
    expect(await results()).toEqual(all.sort());
    const entries = await journal();
    expect(entries.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(new Set(entries.map(({ digest }) => digest)).size).toBe(names.length);
    expect(await readFile(at('results', 'd.txt'), 'utf8')).toContain('Harbour');
    const length = entries.length;
    expect((await once()).status).toBe(0);
    expect(await journal()).toHaveLength(length);
  });

  it('lists unreadable files, and retries them only after a change', async () => {
    await copyFile(at('scans', 'broken.jpg'), at('in', 'letter.jpg'));
    expect((await once()).status).toBe(1);
    expect(await readFile(at('results', 'failed.txt'), 'utf8')).toBe('letter.jpg\tdamaged or incomplete\n');
    expect((await once()).stderr).toBe('');
    await copyFile(at('scans', 'one.jpg'), at('in', 'letter.jpg'));
    expect((await once()).status).toBe(0);
    expect(await results()).toEqual(['letter.pdf', 'letter.txt']);
    expect(existsSync(at('results', 'failed.txt'))).toBe(false);
  });

  it('writes results for a second name of the same content without reading it, and overwrites nothing', async () => {
    await copyFile(at('scans', 'one.jpg'), at('in', 'first.jpg'));
    await once();
    await copyFile(at('scans', 'one.jpg'), at('in', 'second.jpg'));
    await mkdir(at('results'), { recursive: true });
    await writeFile(at('results', 'second.txt'), 'mine');
    await once();
    expect(await results()).toEqual(['first.pdf', 'first.txt', 'second-2.pdf', 'second-2.txt', 'second.txt']);
    expect(await readFile(at('results', 'second.txt'), 'utf8')).toBe('mine');
    expect(
      Buffer.compare(
        await readFile(at('results', 'first.pdf')),
        await readFile(at('results', 'second-2.pdf')),
      ),
    ).toBe(0);
  });
});

it('glyphlift mcp: reads an image for a client of the protocol', async () => {
  const client = new Client({ name: 'stranger', version: '1.0.0' });
  const transport = { command: process.execPath, args: [installed.main, 'mcp'], cwd: folder };
  await client.connect(new StdioClientTransport(transport));
  try {
    const { content } = await client.callTool({
      name: 'read_image',
      arguments: { path: at('harbour-lights.png') },
    });
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining(FIXTURE_TEXT) }]);
  } finally {
    await client.close();
  }
});

/** A program by docs/library.md. */
const USER_PROGRAM = `import { readFile } from 'node:fs/promises';
import { createEngine, OcrError, type Recognition } from 'glyphlift/engine';

await using engine = createEngine({ jobs: 1 });
const file = new Uint8Array(await readFile('scans/deep/letter.pdf'));
const { unit, pages } = await engine.pages(file);
const texts: string[] = [];
for (const [index, { width }] of pages.entries()) {
  const page: Recognition = await engine.read(file, { page: index + 1, languages: ['eng'] });
  texts.push(\`\${Math.round(width)} \${unit}: \${page.text.replace('\\n', ' / ')}\`);
}
const refused = await engine.read(new Uint8Array(9)).catch((error: unknown) =>
  error instanceof OcrError ? error.code : 'odd',
);
const given = new AbortController();
given.abort();
const aborted = await engine.read(file, { signal: given.signal }).catch((error: OcrError) => error.code);
console.log(JSON.stringify({ texts, refused, aborted }));
`;
const EXPECTED_OUTPUT = {
  texts: [`480 point: ${FIXTURE_TEXT.replace('\n', ' / ')}`, '612 point: Signed in blue ink'],
  refused: 'unsupported',
  aborted: 'aborted',
};

describe('the library', () => {
  beforeAll(async () => {
    await writeFile(at('stranger.ts'), USER_PROGRAM);
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,esnext.disposable',
      '--types',
      'node',
    ];
    const typeRoots = ['--typeRoots', join(import.meta.dirname, '..', '..', 'node_modules', '@types')];
    const tsc = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc');
    const compiled = await installed.run(tsc, ['--ignoreConfig', ...options, ...typeRoots, 'stranger.ts']);
    expect([compiled.stdout, compiled.status]).toEqual(['', 0]);
  });

  it('has types, counts and reads pages, and fails with error codes', async () => {
    const { stdout, stderr } = await installed.run(process.execPath, ['stranger.js']);
    expect([stderr, JSON.parse(stdout)]).toEqual(['', EXPECTED_OUTPUT]);
  });

  it.each(OTHER_VERSIONS)('and the command line work with Node %s', async (version) => {
    const node = await ensureNode(version);
    const { stdout, stderr } = await installed.run(node, ['stranger.js']);
    expect([stderr, JSON.parse(stdout)]).toEqual(['', EXPECTED_OUTPUT]);
    const read = await installed.glyphlift(['read', 'harbour-lights.png'], { node });
    expect([read.status, read.stdout]).toEqual([0, `${FIXTURE_TEXT}\n`]);
  });
});
