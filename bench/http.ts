/**
 * `npm run bench:http`: responses per second of the built server, one kind of request after another, several in flight. `--
 * --against DIR` alternates with another built checkout, because figures of different runs cannot be compared.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { freePort } from '../tests/support/free-port.ts';
import { answering } from './answering.ts';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const ROUNDS = Number(options.rounds);
const MILLISECONDS = Number(options.seconds) * 1000;
const IN_FLIGHT = 8;

const BROWSERS_ENCODINGS = 'gzip, deflate, br, zstd';
const PICTURE = 'bench/cases/light.png';

interface Kind {
  name: string;
  path: string;
  /** Sends the cookie of a visitor who has extracted this many pictures; absent: no cookie. */
  read?: 0 | 1;
  compressed?: boolean;
}

const KINDS: Kind[] = [
  { name: 'health', path: '/healthz' },
  { name: 'usage, no cookie', path: '/api/usage' },
  { name: 'usage, cookie', path: '/api/usage', read: 0 },
  { name: 'home, no cookie', path: '/' },
  { name: 'home, no cookie, br', path: '/', compressed: true },
  { name: 'home, cookie', path: '/', read: 0 },
  { name: 'home, cookie, br', path: '/', read: 0, compressed: true },
  { name: 'home, one read, br', path: '/', read: 1, compressed: true },
  { name: 'article, cookie, br', path: '/blog/reading-receipts', read: 0, compressed: true },
  { name: 'unknown address, br', path: '/no/such/page', compressed: true },
];

interface Server {
  port: number;
  process: ChildProcess;
  dataDir: string;
  cookies: Record<0 | 1, string>;
}

await ensureBuilt();
const folders = [process.cwd(), ...options.against.map((folder) => resolve(folder))];
const servers: Server[] = [];
try {
  for (const folder of folders) servers.push(await start(folder));
  console.log(folders.map((folder, index) => `${index}: ${folder}`).join('\n'));
  const rates = KINDS.map(() => servers.map((): number[] => []));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, kind] of KINDS.entries()) {
      for (const [index, server] of servers.entries()) {
        rates[at]?.[index]?.push(await rateOf(server, kind));
      }
    }
  }
  for (const [at, { name }] of KINDS.entries()) {
    const figures = rates[at]?.map((of) => `${Math.round(median(of))}/s`.padStart(10)) ?? [];
    console.log(name.padEnd(24) + figures.join(''));
  }
} finally {
  for (const { process: child, dataDir } of servers) {
    child.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function start(folder: string): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'glyphlift-http-'));
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/node/server/main.js'], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '1000000',
      PAGE_LIMIT_PER_MINUTE: '1000000',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://localhost:${port}`;
  await answering(`${url}/readyz`);
  return {
    port,
    process: child,
    dataDir,
    cookies: { 0: await visitorOf(url), 1: await visitorWithExtraction(url) },
  };
}

async function visitorOf(url: string): Promise<string> {
  const { headers } = await fetch(url);
  return headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])[0] ?? '';
}

async function visitorWithExtraction(url: string): Promise<string> {
  const cookie = await visitorOf(url);
  const form = new FormData();
  form.append('useFiltering', 'true');
  form.append('file', new Blob([readFileSync(PICTURE)], { type: 'image/png' }), 'picture.png');
  const answer = await fetch(`${url}/api/extract-text`, { method: 'POST', headers: { cookie }, body: form });
  if (!answer.ok) throw new Error(`the picture could not be read: ${answer.status}`);
  return cookie;
}

/** Responses per second; each connection sends a request after the complete response of the previous one. */
async function rateOf({ port, cookies }: Server, { path, read, compressed }: Kind): Promise<number> {
  const headers = [
    `Host: localhost:${port}`,
    ...(read === undefined ? [] : [`Cookie: ${cookies[read]}`]),
    ...(compressed ? [`Accept-Encoding: ${BROWSERS_ENCODINGS}`] : []),
  ];
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: IN_FLIGHT }, () => requestRepeatedly(MILLISECONDS, port, request)),
  );
  const seconds = (performance.now() - started) / 1000;
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

/** Sends requests on one connection. Only counts bytes, because parsing would use as much CPU as the server. */
function requestRepeatedly(milliseconds: number, port: number, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const until = performance.now() + milliseconds;
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(request));
    let head: Buffer | undefined = Buffer.alloc(0);
    let missing = 0;
    let count = 0;
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      if (head) {
        head = Buffer.concat([head, bytes]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        missing = lengthIn(head.toString('latin1', 0, end)) - (head.length - end - 4);
        head = undefined;
      } else {
        missing -= bytes.length;
      }
      if (missing > 0) return;
      count++;
      head = Buffer.alloc(0);
      if (performance.now() < until) return void socket.write(request);
      socket.destroy();
      resolve(count);
    });
  });
}

function lengthIn(head: string): number {
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
  if (length === undefined || /^HTTP\/1\.1 (429|5)/.test(head)) throw new Error(`not an answer:\n${head}`);
  return Number(length);
}

function median(figures: readonly number[]): number {
  return [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
