import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from './logger.ts';

export type { Redis } from 'ioredis';

/** The Redis connections of this process. It starts without Redis, and reconnects automatically. */
export interface RedisLink {
  /** The prefix of all keys in Redis. */
  readonly prefix: string;
  /** For requests: a command fails at once while Redis is unavailable, and within seconds if it does not answer. */
  readonly commands: Redis;
  /** Opens another connection, whose commands wait for Redis. It is closed with the link. */
  connectWithRetries(): Redis;
  /** Another connection like `commands`, for large values. It is closed with the link. */
  connectWithTimeout(timeoutMs: number): Redis;
  /** Milliseconds since Redis stopped answering; 0 while it answers, and `Infinity` once the link is closed. */
  unavailableFor(): number;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'glyphlift';
const PING_EVERY_MS = 500;
const COMMAND_MS = 2_000;
const UNAVAILABLE_AFTER_MS = 2_500;
/** Timeout of a connection with a pending command. */
const SOCKET_TIMEOUT_MS = 30_000;
const CONNECT_WAIT_MS = 2_000;

/** Resolves once Redis has answered, or after a timeout. */
export async function openRedis(url: string, logger: Logger): Promise<RedisLink> {
  const connections: Redis[] = [];
  const open = (options: RedisOptions): Redis => {
    const connection = new Redis(url, {
      retryStrategy: (times) => Math.min(times * 100, 1_000),
      connectTimeout: 5_000,
      socketTimeout: SOCKET_TIMEOUT_MS,
      ...options,
    });
    // Without a listener each failure would be printed; the periodic ping below logs outages once.
    connection.on('error', (error) => logger.debug({ err: error }, 'a connection to Redis failed'));
    connections.push(connection);
    return connection;
  };
  const connectWithRetries = () => open({ maxRetriesPerRequest: null });
  const connectWithTimeout = (commandTimeout: number) =>
    open({ maxRetriesPerRequest: 0, commandTimeout, autoResendUnfulfilledCommands: false });

  const commands = connectWithTimeout(COMMAND_MS);
  let lastAnswer = performance.now();
  let isUnavailable = true;
  let closed = false;

  const warnUnavailable = () => logger.warn('Redis does not answer: no picture can be read until it does');
  function updateAvailability(): void {
    const isNowUnavailable =
      commands.status !== 'ready' || performance.now() - lastAnswer > UNAVAILABLE_AFTER_MS;
    if (isNowUnavailable === isUnavailable) return;
    isUnavailable = isNowUnavailable;
    if (isUnavailable) warnUnavailable();
    else logger.info('Redis answers');
  }
  async function ping(): Promise<void> {
    await commands.ping();
    lastAnswer = performance.now();
    updateAvailability();
  }
  const pingTimer = setInterval(() => {
    ping().catch(updateAvailability);
  }, PING_EVERY_MS);
  commands.on('close', updateAvailability);

  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, CONNECT_WAIT_MS);
    commands.once('ready', () => {
      clearTimeout(timer);
      ping().then(resolve, () => resolve());
    });
  });
  if (isUnavailable) warnUnavailable();

  return {
    prefix: PREFIX,
    commands,
    connectWithRetries,
    connectWithTimeout,
    ping,
    unavailableFor() {
      if (closed) return Number.POSITIVE_INFINITY;
      return isUnavailable ? Math.max(1, performance.now() - lastAnswer) : 0;
    },
    async close() {
      clearInterval(pingTimer);
      commands.off('close', updateAvailability);
      closed = true;
      for (const connection of connections) connection.disconnect();
    },
  };
}

/**
 * Warns if Redis is configured to write to a disk, because images must only be in memory. No warning without the
 * permission to read the configuration.
 */
export async function warnOfPersistence(redis: Redis, logger: Logger): Promise<void> {
  try {
    const settings = await Promise.all(
      ['save', 'appendonly'].map(async (name) => ((await redis.config('GET', name)) as string[])[1]),
    );
    const [save, appendOnly] = settings;
    if (save || appendOnly === 'yes')
      logger.warn(
        'Redis is configured to write to disk (save, appendonly): pictures and texts may remain there',
      );
  } catch (error) {
    logger.debug({ err: error }, 'Redis does not report whether it writes to disk');
  }
}
