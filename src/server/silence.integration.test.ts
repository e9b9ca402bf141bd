import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { stracePath } from '../../scripts/test-programs.mjs';
import { compiledFileOf } from '../../tests/support/compiled-file.ts';
import { dataFolder } from '../../tests/support/data-folder.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { FIXTURE_TEXT, fixture } from '../../tests/support/pictures.ts';

/** Network and file system calls of a whole extraction, traced over all threads and processes. */

const NETWORK_CALLS = ['connect', 'sendto', 'sendmsg', 'sendmmsg'];
const OPEN_CALLS = ['open', 'openat', 'openat2', 'creat'];
const WRITE_CALLS = [
  'mkdir',
  'mkdirat',
  'mknod',
  'mknodat',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
];
const OPTIONAL_WRITE_CALLS = [
  'symlink',
  'symlinkat',
  'unlink',
  'unlinkat',
  'rmdir',
  'truncate',
  'chmod',
  'fchmodat',
];

interface Call {
  name: string;
  /** Lines of strace, with file descriptors resolved to paths. */
  args: string;
}

async function callsDuring(work: (origin: string) => Promise<void>, dataDir: string): Promise<Call[]> {
  const port = await freePort();
  const testDatabase = await mkdtemp(join(dataFolder(), 'glyphlift-traced-'));
  const trace = join(testDatabase, 'trace');
  await mkdir(join(testDatabase, 'home'));
  const traced = [...NETWORK_CALLS, ...OPEN_CALLS, ...WRITE_CALLS, ...OPTIONAL_WRITE_CALLS]
    .map((name) => `?${name}`)
    .join();
  const server = spawn(
    stracePath(),
    // seccomp-bpf, so that only the traced calls stop the program.
    [
      '-f',
      '--seccomp-bpf',
      '-y',
      '-s',
      '512',
      '-e',
      `trace=${traced}`,
      '-e',
      'signal=none',
      '-o',
      trace,
    ].concat(process.execPath, compiledFileOf('tests/support/killable-server.ts')),
    {
      env: {
        PATH: process.env.PATH,
        HOME: join(testDatabase, 'home'),
        NODE_ENV: 'test',
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        REAL_ENGINE: 'yes',
        // Without the sandbox, which would hide the calls.
        OCR_CONFINEMENT: 'off',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(server, 'exit');
  try {
    await Promise.race([
      once(server.stdout, 'data'),
      ended.then(([code]) => {
        throw new Error(`the traced server ended during its start: ${code}`);
      }),
    ]);
    await work(`http://127.0.0.1:${port}`);
  } finally {
    // Strace ignores signals and ends with the traced process.
    process.kill(onlyChildOf(server.pid!), 'SIGKILL');
    await ended;
  }
  const lines = (await readFile(trace, 'utf8')).split('\n');
  await rm(testDatabase, { recursive: true });
  return lines.flatMap((line) => {
    const call = /^\d+ +(\w+)\((.*)$/.exec(line);
    return call ? [{ name: call[1]!, args: call[2]! }] : [];
  });
}

function onlyChildOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
}

/** Allowed: netlink for the machine's own addresses, and the parent that the TypeScript loader looks for. */
const LOCAL_DESTINATIONS = /sa_family=AF_NETLINK|sun_path="\/tmp\/tsx-\d+\/\d+\.pipe"/;

/** Destinations of connect and sendto; writes on open connections have none. */
function destinationsOf(calls: readonly Call[]): string[] {
  return calls
    .filter(
      ({ name, args }) =>
        NETWORK_CALLS.includes(name) && args.includes('sa_family=') && !LOCAL_DESTINATIONS.test(args),
    )
    .map(({ name, args }) => `${name}(${args}`);
}

function changedFiles(calls: readonly Call[]): string[] {
  return calls.flatMap(({ name, args }) => {
    const opens = OPEN_CALLS.includes(name);
    if (NETWORK_CALLS.includes(name)) return [];
    if (opens && name !== 'creat' && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(args)) return [];
    // Each path, below the folder that it is relative to.
    return [...args.matchAll(/(?:AT_FDCWD|\d+)<([^>]*)>, "([^"]*)"|^"([^"]*)"|, "([^"]*)"/g)].map((match) =>
      resolve(match[1] ?? process.cwd(), match[2] ?? match[3] ?? match[4] ?? ''),
    );
  });
}

async function upload(origin: string, path: string, picture: Buffer, cookie: string): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture)]), 'picture');
  return fetch(origin + path, { method: 'POST', body: form, headers: { cookie } });
}

it('a whole extraction makes no DNS lookup and no connection, and writes only into DATA_DIR', async () => {
  const dataDir = await mkdtemp(join(dataFolder(), 'glyphlift-silent-'));
  const calls = await callsDuring(async (origin) => {
    const first = await fetch(`${origin}/api/usage`);
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const read = await upload(origin, '/api/extract-text', fixture('harbour-lights.png'), cookie);
    expect(extractionSchema.parse(await read.json()).extractedText).toBe(FIXTURE_TEXT);
    const preview = await upload(origin, '/api/preview', fixture('upright.heic'), cookie);
    expect(preview.status).toBe(200);
    await preview.arrayBuffer();
  }, dataDir);

  const opened = calls.filter(({ name }) => OPEN_CALLS.includes(name)).map(({ args }) => args);
  // Ensures that the trace has the runtime with telemetry and the database.
  expect(opened.some((args) => args.includes('libonnxruntime.so'))).toBe(true);
  expect(changedFiles(calls)).toContain(join(dataDir, 'glyphlift.db'));

  expect(destinationsOf(calls)).toEqual([]);
  // Node reads resolv.conf at its start, and a lookup reads this.
  expect(opened.filter((args) => args.includes('"/etc/hosts"'))).toEqual([]);
  const elsewhere = new Set(changedFiles(calls).filter((file) => !`${file}/`.startsWith(`${dataDir}/`)));
  elsewhere.delete('/dev/null');
  expect([...elsewhere]).toEqual([]);
  await rm(dataDir, { recursive: true });
}, 180_000);
