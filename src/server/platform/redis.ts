import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from './logger.ts';

export type { Redis } from 'ioredis';

/** The process' connections to Redis. It starts without Redis, and reconnects by itself. */
export interface RedisLink {
  /** The prefix of all keys in Redis. */
  readonly prefix: string;
  /** For requests that wait: a command fails at once while Redis is away, and soon where it does not answer. */
  readonly commands: Redis;
  /** Another connection whose commands wait until Redis is there. It ends with the link. */
  patient(): Redis;
  /** Another connection like `commands`, for what is large. It ends with the link. */
  impatient(timeoutMs: number): Redis;
  /** How long Redis has not answered, in milliseconds; 0 while it does, and for ever once the link is closed. */
  awayFor(): number;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'glyphlift';
const PULSE_MS = 500;
const COMMAND_MS = 2_000;
const OVERDUE_MS = 2_500;
/** A connection over which nothing has come for so long, although something is asked, is dead. */
const DEAD_MS = 30_000;
const FIRST_CONTACT_MS = 2_000;

/** Resolves once Redis has answered, and after a while without. */
export async function openRedis(url: string, logger: Logger): Promise<RedisLink> {
  const connections: Redis[] = [];
  const open = (options: RedisOptions): Redis => {
    const connection = new Redis(url, {
      retryStrategy: (times) => Math.min(times * 100, 1_000),
      connectTimeout: 5_000,
      socketTimeout: DEAD_MS,
      ...options,
    });
    // Without a listener each failure would go to standard error; the pulse below says once what matters.
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
    const patience = setTimeout(resolve, FIRST_CONTACT_MS);
    commands.once('ready', () => {
      clearTimeout(patience);
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
 * Warns where Redis would write its data to a disk: pictures must only be in memory. Without the permission to ask
 * there is no warning.
 */
export async function warnOfPersistence(redis: Redis, logger: Logger): Promise<void> {
  try {
    const settings = await Promise.all(
      ['save', 'appendonly'].map(async (name) => ((await redis.config('GET', name)) as string[])[1]),
    );
    const [save, appendOnly] = settings;
    if (save || appendOnly === 'yes')
      logger.warn('Redis is set to write to disk (save, appendonly): pictures and texts may be left there');
  } catch (error) {
    logger.debug({ err: error }, 'Redis does not tell whether it writes to disk');
  }
}
