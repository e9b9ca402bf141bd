import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { OCR_ERRORS, OcrError, PRIORITY } from '#ocr';
import { eventually } from '../../../../tests/support/eventually.ts';
import { type RedisServer, startRedis } from '../../../../tests/support/redis-server.ts';
import { MemoryEngine, recognitionOf } from '../../../../tests/support/server-engine.ts';
import { toExtraction } from '../../../answer/answer.ts';
import { createLogger } from '../../platform/logger.ts';
import { openRedis, type RedisLink } from '../../platform/redis.ts';
import { QueuedEngine } from '../engine/queued-engine.ts';
import { decodeEnvelope, encodeEnvelope } from './envelope.ts';
import { PROTOCOL, queueKeys } from './queue-protocol.ts';
import { startPictureWorker } from './queue-worker.ts';

/**
 * The stored form of messages between web processes and workers, byte by byte. Both may be of different builds, so any
 * change here needs a new `PROTOCOL`.
 */

const logger = createLogger('silent');
let server: RedisServer;
let redis: Redis;
let link: RedisLink;
let engine: QueuedEngine;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  link = await openRedis(server.url, logger);
  const limits = { queueLimit: 10, premiumReserve: 0, memoryBytes: 2 ** 20, waitMs: 30_000 };
  engine = new QueuedEngine({ link, logger, ...limits });
});
afterAll(async () => {
  await engine.close();
  await link.close();
  redis.disconnect();
  await server.stop();
});

const { queue, room, cancelled } = queueKeys({ prefix: 'glyphlift' });

/** The image that was sent, once BullMQ has it. */
async function sentPicture(): Promise<string> {
  await eventually(async () => (await redis.zcard(`${queue}:prioritized`)) === 1);
  const [id = ''] = await redis.zrange(`${queue}:prioritized`, 0, -1);
  return id;
}

async function cancelAfter(look: (id: string) => Promise<void>, options: object): Promise<void> {
  const given = new AbortController();
  const reading = engine.recognize(new Uint8Array(Buffer.from('bytes')), {
    ...options,
    signal: given.signal,
  });
  reading.catch(() => {});
  await look(await sentPicture());
  given.abort();
  await eventually(async () => (await redis.zcard(`${queue}:prioritized`)) === 0);
}

it('protocol: has version 5, which is part of the names in Redis', () => {
  expect(PROTOCOL).toBe(5);
  expect([queue, room, cancelled]).toEqual([
    'glyphlift:5:pictures',
    'glyphlift:5:room',
    'glyphlift:5:given-up',
  ]);
});

it('protocol: the job contains the options, and the task store the bytes', () =>
  cancelAfter(
    async (id) => {
      const job = await redis.hgetall(`${queue}:${id}`);
      expect([job.name, job.data]).toEqual([
        'recognize',
        '{"kind":"recognize","languages":["eng","deu"],"filter":false,"thorough":true,"priority":10}',
      ]);
      expect(await redis.get(`${room}:picture:${id}`)).toBe('bytes');
      expect(await redis.hget(`${room}:about`, id)).toMatch(/^0 1 5 1 [\w-]{22}$/);
      // BullMQ's own layout, which may change with a major version.
      expect(await redis.hget(`${queue}:meta`, 'version')).toMatch(/^bullmq:6\./);
    },
    { languages: ['eng', 'deu'], filter: false, thorough: true, priority: PRIORITY.premium, sender: 'anna' },
  ));

it('protocol: an answer is a length, JSON, and the bytes of a preview', () => {
  const bytes = (json: string, rest = '') =>
    Buffer.concat([Buffer.from([0, 0, 0, json.length]), Buffer.from(json + rest)]);
  const failure = { code: OCR_ERRORS.damaged, message: 'cut off' };
  const failed = bytes('{"workedMs":7,"outcome":{"failure":{"code":"damaged","message":"cut off"}}}');
  expect(encodeEnvelope({ workedMs: 7, outcome: { failure } })).toEqual(failed);
  expect(decodeEnvelope(failed)).toEqual({ workedMs: 7, outcome: { failure } });

  const drawing = new Uint8Array(Buffer.from('PNG'));
  expect(encodeEnvelope({ workedMs: 7, outcome: { drawing } })).toEqual(bytes('{"workedMs":7}', 'PNG'));
  expect(decodeEnvelope(bytes('{"workedMs":7}', 'PNG'))).toEqual({ workedMs: 7, outcome: { drawing } });

  const pages = { unit: 'point' as const, pages: [{ width: 595, height: 842, hasText: true }] };
  const counted = bytes(
    '{"workedMs":7,"outcome":{"pages":{"unit":"point","pages":[{"width":595,"height":842,"hasText":true}]}}}',
  );
  expect(encodeEnvelope({ workedMs: 7, outcome: { pages } })).toEqual(counted);
  expect(decodeEnvelope(counted)).toEqual({ workedMs: 7, outcome: { pages } });

  const text = recognitionOf('Hi', { lines: [] });
  const read = encodeEnvelope({ workedMs: 7, outcome: { text } });
  expect(read.toString('utf8', 4)).toBe(
    '{"workedMs":7,"outcome":{"text":{"text":"Hi","confidence":0.954,"lines":[],"hidden":[],"unread":[],' +
      '"layout":{"tables":[],"headings":[],"listItems":[],"fields":[],"indents":[]},' +
      '"image":{"width":100,"height":20,"rotation":0},"language":"eng","notices":[],"durationMs":12.3}}}',
  );
  expect(decodeEnvelope(read)).toEqual({ workedMs: 7, outcome: { text } });
});

it('protocol: an answer with unknown or missing fields is accepted', () => {
  const box = { x: 0, y: 0, width: 1, height: 1 };
  const words = [
    { text: 'rye', confidence: 0.4, box, readings: ['eye'] },
    { text: 'bread', confidence: 0.4, box, ofALaterBuild: true },
  ];
  const line = { text: 'rye bread', confidence: 0.4, box, paragraph: 0, words };
  const text = recognitionOf('rye bread', { lines: [line] });
  expect(decodeEnvelope(encodeEnvelope({ workedMs: 7, outcome: { text } }))).toEqual({
    workedMs: 7,
    outcome: { text },
  });
  const answered = extractionSchema.parse(toExtraction(text)).lines[0]?.words;
  expect(answered?.map((word) => Object.keys(word))).toEqual([
    ['text', 'confidence', 'box', 'readings'],
    ['text', 'confidence', 'box'],
  ]);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['no JSON', Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])],
  ['a length beyond its end', Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ['another outcome', form('{"workedMs":7,"outcome":{"table":[]}}')],
  ['a text without lines', form('{"workedMs":7,"outcome":{"text":{"text":"Hi"}}}')],
  ['an unknown failure', form('{"workedMs":7,"outcome":{"failure":{"code":"tired","message":""}}}')],
])('protocol: rejects an answer that is %s', (_what, answer) => {
  expect(decodeEnvelope(answer)).toBeUndefined();
});

it('protocol: an answer in an unknown form fails the request with a Retry-After', async () => {
  const failed = engine.recognize(new Uint8Array(3)).catch((error) => error);
  const id = await sentPicture();
  await redis.set(`${room}:answer:${id}`, form('{"workedMs":7,"outcome":{"table":[]}}'), 'PX', 10_000);
  const error = await failed;
  expect(error).toBeInstanceOf(OcrError);
  expect(error.code).toBe(OCR_ERRORS.unavailable);
  await eventually(async () => (await redis.zcard(`${queue}:prioritized`)) === 0);
});

function form(json: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, json.length]), Buffer.from(json)]);
}

it('protocol: a worker announces its languages and sandbox, and reports each stage', async () => {
  const news: unknown[] = [];
  const reader = new Redis(server.url);
  const reading = new MemoryEngine(async () => recognitionOf('Hi'));
  reading.confinement = { on: ['network'], off: {} };
  const workerLink = await openRedis(server.url, logger);
  const worker = startPictureWorker({ link: workerLink, engine: reading, concurrency: 1, logger });
  await eventually(async () => (await redis.hlen(`${room}:workers-about`)) === 1);
  const [info] = await redis.hvals(`${room}:workers-about`);
  expect(info).toBe(
    '{"languages":[{"code":"eng","name":"English","nativeName":"English","tag":"en","script":"Latn",' +
      '"direction":"ltr","vertical":false}],"confinement":{"on":["network"],"off":{}}}',
  );
  expect(await redis.hvals(`${room}:capacities`)).toEqual(['1']);
  await engine.recognize(new Uint8Array(3));
  for (const [, fields] of await reader.xrange(`${queue}:events`, '-', '+')) {
    if (fields.includes('progress')) news.push(fields[fields.indexOf('data') + 1]);
  }
  expect(news).toEqual(['{"stage":{"name":"decoding"}}']);
  reader.disconnect();
  await worker.close();
  await workerLink.close();
});
