import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { compiledFileOf } from '../../tests/support/compiled-file.ts';
import { FIXTURE_TEXT, fixture, textPicture } from '../../tests/support/pictures.ts';
import { type RedisServer, startRedis } from '../../tests/support/redis-server.ts';
import { createVisitor, pictureForm, startTestServer } from '../../tests/support/server-app.ts';

/** The real process: how it starts, reads and ends. */

let redis: RedisServer;
let dataDir: string;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  redis = await startRedis();
  dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-worker-'));
});
afterAll(async () => {
  if (worker?.exitCode === null && worker.kill('SIGKILL')) await once(worker, 'exit');
  await redis.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function launch(env: Record<string, string>): ChildProcess {
  worker = spawn(process.execPath, [compiledFileOf('src/server/worker.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return worker;
}

async function waitForLog(child: ChildProcess, words: string): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.includes(words)) {
      child.stdout!.resume();
      return;
    }
  }
  throw new Error(`it ended without a word of "${words}"`);
}

it('worker: given no address of Redis, exits with one line', async () => {
  const child = launch({});
  let output = '';
  child.stderr!.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output).toBe(
    'A worker needs REDIS_URL: the same Redis as the servers that it reads pictures for.\n',
  );
});

it('worker: given only Redis, reads images of a server, stores nothing, and finishes its work on a signal', async () => {
  const child = launch({ REDIS_URL: redis.url, OCR_CONCURRENCY: '1' });
  await waitForLog(child, 'worker is ready');
  const server = await startTestServer({ env: { REDIS_URL: redis.url } });
  const visitor = createVisitor(server.app);
  const answer = await visitor.upload(pictureForm({}, new Uint8Array(fixture('harbour-lights.png'))));
  expect(answer.json().extractedText).toBe(FIXTURE_TEXT);
  expect((await redis.contents()).includes('Harbour')).toBe(false);
  expect(await readdir(dataDir)).toEqual(['languages']);

  const base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') };
  const id = randomUUID();
  const large = await textPicture().resize({ width: 4000 }).png().toBuffer();
  const form = pictureForm({ extractionId: id }, new Uint8Array(large));
  const events = await fetch(`${base}/api/extractions/${id}/events`, { headers });
  const inWork = fetch(`${base}/api/extract-text`, { method: 'POST', body: form, headers });
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    if (chunk.includes('decoding') || chunk.includes('done')) break;
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const read = await inWork;
  expect([read.status, extractionSchema.parse(await read.json()).extractedText]).toEqual([200, FIXTURE_TEXT]);
  expect(await ended).toEqual([0, null]);
  await server.close();
});
