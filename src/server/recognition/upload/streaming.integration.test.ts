import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { urlOf } from '#contract/call';
import { watchExtraction } from '#contract/calls/recognition';
import { apiErrorSchema } from '#contract/errors';
import { type Progress, progressSchema, usageSchema } from '#contract/extraction';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { OCR_ERRORS, OcrError, type Recognition } from '#ocr';
import {
  encodeForm,
  METRICS_TOKEN,
  pictureForm,
  startTestServer,
  type TestServer,
} from '../../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf, untilAborted } from '../../../../tests/support/server-engine.ts';
import { loadConfig } from '../../config.ts';
import { minimumRateOf } from '../recognition.settings.ts';

/** Tests that need a real connection: limits in mid-stream, clients that leave, event streams. */

const servers: TestServer[] = [];
async function listen(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  servers.push(server);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  return connect(server);
}

/** A new visitor on a real connection. */
async function connect(server: TestServer) {
  const { port } = server.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const first = await fetch(`${origin}/api/usage`);
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    server,
    port,
    cookie,
    get: (path: string, init: RequestInit = {}) => fetch(origin + path, { ...init, headers: { cookie } }),
    upload: (form: FormData) =>
      fetch(`${origin}/api/extract-text`, { method: 'POST', body: form, headers: { cookie } }),
    usage: async () => {
      const response = await fetch(`${origin}/api/usage`, { headers: { cookie } });
      return usageSchema.parse(await response.json()).imageCount;
    },
  };
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** What the server holds of uploads. A further upload would show it too, but may take the place of one of them. */
async function held({ app }: TestServer, what: 'uploads_in_flight' | 'upload_bytes'): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { body } = await app.inject({ url: '/metrics', headers });
  const line = body.split('\n').find((one) => one.startsWith(`glyphlift_${what} `));
  return Number(line?.split(' ').at(-1));
}

describe('the size of an upload', () => {
  it('may be exactly 10 MB', async () => {
    const sizes: number[] = [];
    const engine = new MemoryEngine(async (picture) => {
      sizes.push(picture.length);
      return recognitionOf('x');
    });
    const { upload } = await listen({ engine });
    expect((await upload(pictureForm({}, new Uint8Array(MAX_IMAGE_BYTES)))).status).toBe(200);
    expect(sizes).toEqual([MAX_IMAGE_BYTES]);
  });

  it.each([
    ['one byte more', MAX_IMAGE_BYTES + 1],
    ['three times as much', 3 * MAX_IMAGE_BYTES],
  ])(
    'with %s is rejected with a response that the client receives, and costs nothing',
    async (_case, size) => {
      const engine = new MemoryEngine();
      const { upload, usage } = await listen({ engine });
      const response = await upload(pictureForm({}, new Uint8Array(size)));
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({
        error: 'Please select an image smaller than 10MB',
        code: 'recognition.image_too_large',
      });
      expect(engine.started).toBe(0);
      expect(await usage()).toBe(0);
    },
  );

  it.each([
    ['the picture', 'file'],
    ['a file that is not read', 'other'],
  ])('is limited while it streams, for any announced length: %s', async (_what, field) => {
    const { port, cookie } = await listen();
    const upload = openUpload(port, { cookie }, field);
    const chunk = Buffer.alloc(1024 * 1024);
    for (let sent = 0; sent < 11; sent++) upload.write(chunk);
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    upload.destroy();
  });

  it('counts against the memory share of its sender as it arrives, until it leaves', async () => {
    const { server, port, cookie, upload } = await listen({
      env: { UPLOAD_MEMORY_MB: '96', UPLOAD_STALL_SECONDS: '60' },
    });
    const bytes = 7 * 1024 * 1024;
    const send = async () => {
      const answer = await upload(pictureForm({}, new Uint8Array(bytes)));
      return `${answer.status} ${await answer.text()}`;
    };
    const first = openUpload(port, { cookie });
    first.write(Buffer.alloc(bytes));
    await expect.poll(() => held(server, 'upload_bytes')).toBeGreaterThan(6 * 1024 * 1024);
    expect(await send()).toMatch(/^429 .*You are sending many pictures at once/);
    first.destroy();
    await expect.poll(() => held(server, 'upload_bytes')).toBe(0);
    expect(await send()).toMatch(/^200 /);
  });
});

describe('an upload when the queue is full', () => {
  function fullEngine() {
    const engine = new MemoryEngine();
    engine.waiting = 1_000;
    return engine;
  }

  it('is rejected before it arrives, and its form is not read', async () => {
    const { port, cookie } = await listen({ engine: fullEngine() });
    const upload = openUpload(port, { cookie });
    upload.write(Buffer.alloc(100_000));
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '10']);
    expect(JSON.parse(await textOf(response)).code).toBe('recognition.queue_full');
    upload.destroy();
  });

  it('delivers the rejection even if the client sends everything first and reuses the connection', async () => {
    const engine = fullEngine();
    const { upload, usage } = await listen({ engine });
    for (const size of [1, MAX_IMAGE_BYTES]) {
      const response = await upload(pictureForm({}, new Uint8Array(size)));
      const { code } = apiErrorSchema.parse(await response.json());
      expect([response.status, code]).toEqual([503, 'recognition.queue_full']);
    }
    expect(await usage()).toBe(0);
    expect(engine.started).toBe(0);
  });

  it('delivers the rejection if the connection closes afterwards', async () => {
    const { port, cookie } = await listen({ engine: fullEngine() });
    const { type, body } = await encodeForm(pictureForm({}, new Uint8Array(MAX_IMAGE_BYTES)));
    const upload = httpRequest({ port, method: 'POST', path: '/api/extract-text', agent: false });
    upload.setHeader('cookie', cookie).setHeader('content-type', type).setHeader('connection', 'close');
    upload.end(body);
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect([response.statusCode, JSON.parse(await textOf(response)).code]).toEqual([
      503,
      'recognition.queue_full',
    ]);
  });

  it('delivers the rejection of one upload too many of a visitor', async () => {
    const { server, port, cookie, upload } = await listen({ env: { UPLOAD_STALL_SECONDS: '60' } });
    const uploads = Array.from({ length: 60 }, () => openUpload(port, { cookie }));
    for (const open of uploads) open.write('x');
    await expect.poll(() => held(server, 'uploads_in_flight')).toBe(60);
    const response = await upload(pictureForm({}, new Uint8Array(MAX_IMAGE_BYTES)));
    const { code } = apiErrorSchema.parse(await response.json());
    expect([response.status, code]).toEqual([429, 'recognition.too_many_uploads_of_one']);
    for (const open of uploads) open.destroy();
  });
});

// These tests wait for seconds, so they run concurrently on one server.
describe.concurrent('upload on a server that allows a stall of one second', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env: { UPLOAD_STALL_SECONDS: '1', UPLOAD_MIN_RATE: '1000' } });
    await server.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  it('that stalls gets 408 and costs nothing', async () => {
    const { port, cookie, usage } = await connect(server);
    const upload = openUpload(port, { cookie });
    upload.write('slowly');
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(408);
    expect(response.headers.connection).toBe('close');
    expect(JSON.parse(await textOf(response)).error).toContain('check your connection');
    expect(await usage()).toBe(0);
    upload.destroy();
  });

  it('that is too slow gets 408', async () => {
    const { port, cookie } = await connect(server);
    const upload = openUpload(port, { cookie });
    const drops = setInterval(() => upload.write('x'), 50);
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    clearInterval(drops);
    expect(response.statusCode).toBe(408);
    upload.destroy();
  });

  it('that is slow but steady succeeds, although it takes three times the stall limit', async () => {
    const { port, cookie } = await connect(server);
    const upload = openUpload(port, { cookie });
    const answer = once(upload, 'response') as Promise<[IncomingMessage]>;
    for (let count = 0; count < 32; count++) {
      upload.write(Buffer.alloc(1_000));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    upload.end('\r\n--edge--\r\n');
    const [response] = await answer;
    expect(response.statusCode).toBe(200);
  });
});

describe('a slow upload', () => {
  it('of ten megabytes at a quarter of a megabit a second is within all limits', async () => {
    const { server } = await listen();
    const bytesPerSecond = 250_000 / 8;
    // Little more than half of the line's speed is enough, so that it may stall now and then.
    expect(minimumRateOf(loadConfig({})).bytesPerSecond).toBeLessThan(0.6 * bytesPerSecond);
    const wholeMs = (MAX_IMAGE_BYTES / bytesPerSecond) * 1000;
    expect(server.app.server.requestTimeout).toBeGreaterThan(wholeMs);
    expect(server.app.server.timeout).toBe(0);
  });

  it('a hundred of them block only their own address', async () => {
    const { server, port } = await listen({
      env: { TRUST_PROXY: 'loopback', UPLOAD_STALL_SECONDS: '60', ADDRESS_LIMIT_FACTOR: '1000' },
    });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    // A few more than the limit of an address, in case a connection fails.
    const uploads = Array.from({ length: 110 }, () => openUpload(port, from('203.0.113.1')));
    for (const upload of uploads) upload.write('x');
    const send = async (address: string) => {
      const { type, body } = await encodeForm(pictureForm());
      return server.app.inject({
        method: 'POST',
        url: '/api/extract-text',
        payload: body,
        remoteAddress: '127.0.0.1',
        headers: { 'content-type': type, ...from(address) },
      });
    };
    await expect.poll(() => held(server, 'uploads_in_flight')).toBe(100);
    expect((await send('203.0.113.1')).json().error).toContain('being sent from your network');
    expect((await send('203.0.113.2')).statusCode).toBe(200);
    for (const upload of uploads) upload.destroy();
    await expect.poll(() => held(server, 'uploads_in_flight')).toBe(0);
    expect((await send('203.0.113.1')).statusCode).toBe(200);
  });
});

describe('a client that leaves', () => {
  it('aborts its extraction and gets its quota back', async () => {
    let noticed: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      noticed = resolve;
    });
    let started: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      started = resolve;
    });
    const engine = new MemoryEngine((_picture, { signal }) => {
      started();
      signal?.addEventListener('abort', () => noticed());
      return untilAborted(signal, () => new OcrError(OCR_ERRORS.aborted, 'given up'));
    });
    const { port, cookie, usage } = await listen({ engine });
    const { type, body } = await encodeForm(pictureForm());
    const upload = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/extract-text' });
    upload.on('error', () => {});
    upload.setHeader('cookie', cookie).setHeader('content-type', type);
    upload.end(body);
    await beginning;
    expect(await usage()).toBe(1);
    upload.destroy();
    await aborted;
    await expect.poll(usage).toBe(0);
  });
});

describe('a client that leaves its preview', () => {
  it('aborts the work, and its time is still counted', async () => {
    let noticed: () => void = () => {};
    const aborted = new Promise<void>((resolve) => {
      noticed = resolve;
    });
    let started: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      started = resolve;
    });
    const engine = new MemoryEngine();
    engine.draw = (_picture, { signal, onWorked }) => {
      started();
      signal?.addEventListener('abort', () => {
        onWorked?.(60_000);
        noticed();
      });
      return untilAborted(signal, () => new OcrError(OCR_ERRORS.aborted, 'given up'));
    };
    const { port, cookie, server } = await listen({ engine, env: { FAILED_WORK_SECONDS: '60' } });
    const { type, body } = await encodeForm(pictureForm());
    const upload = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/preview' });
    upload.on('error', () => {});
    upload.setHeader('cookie', cookie).setHeader('content-type', type);
    upload.end(body);
    await beginning;
    upload.destroy();
    await aborted;
    engine.draw = async (picture) => picture;
    const again = () =>
      server.app.inject({
        method: 'POST',
        url: '/api/preview',
        payload: body,
        headers: { cookie, 'content-type': type },
      });
    await expect.poll(async () => (await again()).statusCode).toBe(429);
  });
});

describe('the progress of an extraction', () => {
  const id = 'a5c0b6c2-7a0f-4c36-9d53-0d7f2c2a5f11';
  const progress = urlOf(watchExtraction, { id });

  function engineInSteps() {
    let finish: (recognition: Recognition) => void = () => {};
    const engine = new MemoryEngine((_picture, { onStage }) => {
      onStage?.({ name: 'finding-lines' });
      onStage?.({ name: 'reading', line: 1, of: 2 });
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    return { engine, finish: () => finish(recognitionOf('done')) };
  }

  it('is reported from the first stage to the end on a stream opened before the upload', async () => {
    const { engine, finish } = engineInSteps();
    const { get, upload } = await listen({ engine });
    const stream = await get(progress);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const answer = upload(pictureForm({ extractionId: id }));
    const events = readEvents(stream);
    const seen: Progress[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.stage === 'reading') finish();
    }
    expect(seen).toEqual([
      { stage: 'queued' },
      { stage: 'queued' },
      { stage: 'decoding' },
      { stage: 'finding-lines' },
      { stage: 'reading', line: 1, of: 2 },
      { stage: 'done' },
    ]);
    expect((await answer).status).toBe(200);
  });

  it('ends for a late watcher and for a rejected upload', async () => {
    const { get, upload } = await listen();
    await upload(pictureForm({ extractionId: id, useFiltering: 'maybe' }));
    const seen = await allOf(readEvents(await get(progress)));
    expect(seen).toEqual([{ stage: 'done' }]);
  });

  it('is visible to its owner only', async () => {
    const { engine, finish } = engineInSteps();
    const { port, upload, get } = await listen({ engine });
    const stream = await get(progress);
    const answer = upload(pictureForm({ extractionId: id }));
    for await (const event of readEvents(stream)) if (event.stage === 'reading') break;
    const otherVisitor = await fetch(`http://127.0.0.1:${port}${progress}`);
    expect(otherVisitor.status).toBe(404);
    finish();
    await answer;
  });

  it('does not keep the server from stopping without events', async () => {
    const { get, server } = await listen();
    const stream = await get(progress);
    const reading = allOf(readEvents(stream));
    await server.app.close();
    expect(await reading).toEqual([{ stage: 'done' }]);
  });
});

/** An upload of unknown length whose file part is open. */
function openUpload(port: number, headers: Record<string, string>, field = 'file'): ClientRequest {
  const upload = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/extract-text', headers });
  upload.on('error', () => {});
  upload.setHeader('content-type', 'multipart/form-data; boundary=edge');
  upload.write(`--edge\r\nContent-Disposition: form-data; name="${field}"; filename="a.png"\r\n\r\n`);
  return upload;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

async function* readEvents(response: Response): AsyncGenerator<Progress> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith('data: ')) yield progressSchema.parse(JSON.parse(block.slice(6)));
    }
  }
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
