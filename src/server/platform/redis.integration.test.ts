import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { type RedisServer, startRedis } from '../../../tests/support/redis-server.ts';
import { createLogger } from './logger.ts';
import { openRedis, warnOfPersistence } from './redis.ts';

let server: RedisServer;
let log: string[];
const logger = createLogger('info', { write: (line) => void log.push(line) });

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

it('Redis connection: given no Redis at the start, rejects calls and connects once it is available', async () => {
  log = [];
  await server.kill();
  const link = await openRedis(server.url, logger);
  expect(link.unavailableFor()).toBeGreaterThan(0);
  await expect(link.ping()).rejects.toThrow();
  const pending = link.connectWithRetries().get('anything');
  await server.restart();
  expect(await pending).toBeNull();
  await eventually(() => link.unavailableFor() === 0);
  expect(log.filter((line) => line.includes('Redis does not answer'))).toHaveLength(1);
  expect(log.filter((line) => line.includes('Redis answers'))).toHaveLength(1);
  await link.close();
  expect(link.unavailableFor()).toBe(Number.POSITIVE_INFINITY);
});

it('Redis connection: given a Redis that persists to a disk, warns', async () => {
  log = [];
  const link = await openRedis(server.url, logger);
  await warnOfPersistence(link.commands, logger);
  expect(log.join('')).not.toContain('write to disk');
  await link.commands.config('SET', 'appendonly', 'yes');
  await warnOfPersistence(link.commands, logger);
  expect(log.join('')).toContain('write to disk');
  await link.close();
});
