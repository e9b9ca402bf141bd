import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { urlOf } from '#contract/call';
import { watchExtraction } from '#contract/calls/recognition';
import { extractionSchema } from '#contract/extraction';
import { compiledFileOf } from '../../tests/support/compiled-file.ts';
import { dataFolder } from '../../tests/support/data-folder.ts';
import { textPicture } from '../../tests/support/pictures.ts';

/** The real process: how it starts, how it ends. */

const ID = 'b1f6a0de-3e34-4d1c-9b42-111111111111';
let dataDir: string;
let server: ChildProcess | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(dataFolder(), 'glyphlift-main-'));
});
afterEach(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

function launch(env: Record<string, string> = {}): ChildProcess {
  server = spawn(process.execPath, [compiledFileOf('src/server/main.ts')], {
    env: { PATH: process.env.PATH, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return server;
}

/** Resolves with the server's origin once it listens. */
async function origin(child: ChildProcess): Promise<string> {
  const output: string[] = [];
  child.stderr!.on('data', (chunk) => output.push(String(chunk)));
  for await (const line of createInterface({ input: child.stdout! })) {
    output.push(line);
    const entry = line.startsWith('{') ? JSON.parse(line) : {};
    if (String(entry.msg).startsWith('Glyphlift is ready')) {
      child.stdout!.resume();
      return `http://127.0.0.1:${entry.port}`;
    }
  }
  throw new Error(`the server ended before it was ready:\n${output.join('\n')}`);
}

/** An upload whose recognition has started. */
async function runningUpload(base: string): Promise<{ answer: Promise<Response> }> {
  const first = await fetch(`${base}/api/usage`);
  const headers = { cookie: first.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const form = new FormData();
  form.append('extractionId', ID);
  const large = await textPicture().resize({ width: 4000 }).png().toBuffer();
  form.append('file', new Blob([new Uint8Array(large)]), 'large.png');
  const events = await fetch(base + urlOf(watchExtraction, { id: ID }), { headers });
  const answer = fetch(`${base}/api/extract-text`, { method: 'POST', body: form, headers });
  answer.catch(() => {});
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    if (chunk.includes('decoding') || chunk.includes('done')) break;
  }
  return { answer };
}

it('server: given an invalid setting, does not start and prints one line', async () => {
  const child = launch({ PORT: 'eighty' });
  let output = '';
  child.stderr!.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output).toBe('Invalid settings: PORT must be a whole number.\n');
});

it('server: given a first signal, finishes running work, accepts nothing new and exits with 0', async () => {
  const child = launch();
  const base = await origin(child);
  const { answer } = await runningUpload(base);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const response = await answer;
  expect(response.status).toBe(200);
  expect(extractionSchema.parse(await response.json()).extractedText).toContain('Harbour');
  const [code] = await ended;
  expect(code).toBe(0);
  await expect(fetch(`${base}/healthz`)).rejects.toThrow();
});

it('server: given a second signal, exits at once', async () => {
  const child = launch();
  const base = await origin(child);
  const { answer } = await runningUpload(base);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGINT');
  const [code] = await ended;
  expect(code).toBe(1);
  await expect(answer).rejects.toThrow();
});
