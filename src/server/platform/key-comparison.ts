import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from './logger.ts';
import type { RedisLink } from './redis.ts';
import type { Secrets } from './secrets.ts';

const REPORT_EVERY_MS = 60_000;
/** Lease of a process. */
const LEASE_SECONDS = 150;

/** Published fingerprints of a process' keys, from which the keys cannot be derived. */
const fingerprintsSchema = z.object({ signs: z.string(), addresses: z.string(), at: z.number() });

const fingerprintOf = (key: string) =>
  createHmac('sha256', key).update('glyphlift same keys').digest('base64url').slice(0, 16);

/**
 * Publishes fingerprints of the signing and address keys of this web process in Redis, and warns at the start if another one
 * has different keys, because cookies would not be valid everywhere. A signing key of another process that this process
 * accepts, as during a rotation, counts as equal. Returns a function that stops publishing.
 */
export function compareKeys(link: RedisLink, secrets: Secrets, logger: Logger): () => void {
  const { commands, prefix } = link;
  const name = `${prefix}:keys`;
  const own = randomUUID();
  const accepted = [...secrets.cookieKeys, ...(secrets.cookieKey ? [secrets.cookieKey] : [])].map(
    fingerprintOf,
  );
  const fingerprints = { signs: accepted[0] ?? '', addresses: fingerprintOf(secrets.addressKey) };
  let compared = false;

  async function compare(now: number): Promise<void> {
    const entries = Object.values(await commands.hgetall(name)).map((text) =>
      fingerprintsSchema.parse(JSON.parse(text)),
    );
    const others = entries.filter(({ at }) => at > now - LEASE_SECONDS);
    compared = true;
    if (others.some(({ signs }) => !accepted.includes(signs)))
      logger.warn('another web process signs with an unknown key: give all the same COOKIE_KEYS');
    if (others.some(({ addresses }) => addresses !== fingerprints.addresses))
      logger.warn('another web process has another ADDRESS_KEY: give all the same');
  }

  async function publish(): Promise<void> {
    const [seconds] = await commands.time();
    const now = Number(seconds);
    if (!compared) await compare(now);
    await commands
      .multi()
      .hset(
        name,
        own,
        JSON.stringify({ ...fingerprints, at: now } satisfies z.infer<typeof fingerprintsSchema>),
      )
      .expire(name, LEASE_SECONDS)
      .exec();
  }

  const report = (error: unknown) => logger.debug({ err: error }, 'keys could not be compared');
  void publish().catch(report);
  const publishing = setInterval(() => void publish().catch(report), REPORT_EVERY_MS).unref();
  return () => {
    clearInterval(publishing);
    commands.hdel(name, own).catch(report);
  };
}
