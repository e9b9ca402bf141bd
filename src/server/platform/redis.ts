import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from './logger.ts';

export type { Redis } from 'ioredis';

/** The process' connections to Redis. It starts without Redis, and reconnects by itself. */
export interface RedisLink {
  /** The prefix of all keys in Redis. */
  readonly prefix: string;
  /** For requests: a command fails at once while Redis is away, and soon if it does not answer. */
  readonly commands: Redis;
  /** Opens another connection, whose commands wait for Redis. It is closed with the link. */
  patient(): Redis;
  /** Another connection like `commands`, for large values. It is closed with the link. */
  impatient(timeoutMs: number): Redis;
  /** Milliseconds since Redis stopped answering; 0 while it answers, and `Infinity` once the link is closed. */
  awayFor(): number;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'glyphlift';
const PULSE_MS = 500;
const COMMAND_MS = 2_000;
const OVERDUE_MS = 2_500;
/** Timeout of a connection with a pending command. */
const DEAD_MS = 30_000;
const FIRST_CONTACT_MS = 2_000;

/** Resolves once Redis has answered, or after a timeout. */
export async function openRedis(url: string, logger: Logger): Promise<RedisLink> {
  const connections: Redis[] = [];
  const open = (options: RedisOptions): Redis => {
    const connection = new Redis(url, {
      retryStrategy: (times) => Math.min(times * 100, 1_000),
      connectTimeout: 5_000,
      socketTimeout: DEAD_MS,
      ...options,
    });
    // Without a listener each failure would be printed; the periodic ping below logs outages once.
    connection.on('error', (error) => logger.debug({ err: error }, 'a connection to Redis failed'));
    connections.push(connection);
    return connection;
  };
  const patient = () => open({ maxRetriesPerRequest: null });
  const impatient = (commandTimeout: number) =>
    open({ maxRetriesPerRequest: 0, commandTimeout, autoResendUnfulfilledCommands: false });

  const commands = impatient(COMMAND_MS);
  let lastAnswer = performance.now();
  let away = true;
  let closed = false;

  const warnOfAbsence = () => logger.warn('Redis does not answer: no picture can be read until it does');
  function judge(): void {
    const isAway = commands.status !== 'ready' || performance.now() - lastAnswer > OVERDUE_MS;
    if (isAway === away) return;
    away = isAway;
    if (away) warnOfAbsence();
    else logger.info('Redis answers');
  }
  async function ping(): Promise<void> {
    await commands.ping();
    lastAnswer = performance.now();
    judge();
  }
  const pulse = setInterval(() => {
    ping().catch(judge);
  }, PULSE_MS);
  commands.on('close', judge);

  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_CONTACT_MS);
    commands.once('ready', () => {
      clearTimeout(timer);
      ping().then(resolve, () => resolve());
    });
  });
  if (away) warnOfAbsence();

  return {
    prefix: PREFIX,
    commands,
    patient,
    impatient,
    ping,
    awayFor() {
      if (closed) return Number.POSITIVE_INFINITY;
      return away ? Math.max(1, performance.now() - lastAnswer) : 0;
    },
    async close() {
      clearInterval(pulse);
      commands.off('close', judge);
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
