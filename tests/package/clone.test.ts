import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { FIXTURE_TEXT, fixture } from '../support/pictures.ts';

const run = promisify(execFile);

/** A clone of the repository, without installed packages. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-clone-'));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const file of stdout.split('\0').filter(Boolean)) await cp(resolve(file), join(folder, file));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('clone: npm start installs, builds, serves and reads a picture, in packages of 400 MB at most', async () => {
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) };
  // npm does not forward signals, so the whole process group gets the signal.
  const server = spawn('npm', ['start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(server, 'exit');
  try {
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(async () => server.exitCode !== null || (await isReady()));
    expect(server.exitCode).toBeNull();
    const form = new FormData();
    form.set('file', new File([new Uint8Array(fixture('harbour-lights.png'))], 'harbour-lights.png'));
    const headers = { accept: 'text/plain' };
    const answer = await fetch(`${url}/api/extract-text`, { method: 'POST', headers, body: form });
    expect([answer.status, (await answer.text()).trim()]).toEqual([200, FIXTURE_TEXT]);
    expect(await bytesIn(join(folder, 'node_modules'))).toBeLessThanOrEqual(400e6);
  } finally {
    if (server.exitCode === null) process.kill(-server.pid!, 'SIGTERM');
    await ended;
  }
}, 600_000);

it('clone: the packages for a registry are built with the libraries of all systems', async () => {
  await run(process.execPath, [join(folder, 'scripts', 'pack.mjs'), '--registry'], { cwd: folder });
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const systems = ['darwin-arm64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];
  expect(tarballs.map((name) => name.replace(/-\d.*$/, '')).sort()).toEqual([
    'glyphlift',
    ...systems.map((system) => `glyphlift-onnxruntime-${system}`),
  ]);
  expect(tarballs).toContain(`glyphlift-${version}.tgz`);
}, 300_000);

async function bytesIn(place: string): Promise<number> {
  const entries = await readdir(place, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
