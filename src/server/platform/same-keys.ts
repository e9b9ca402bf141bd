import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from './logger.ts';
import type { RedisLink } from './redis.ts';
import type { Secrets } from './secrets.ts';

const REPORT_EVERY_MS = 60_000;
/** Lease of a process. */
const BELIEVED_SECONDS = 150;

/** Published fingerprints of a process' keys, from which the keys cannot be derived. */
const noteSchema = z.object({ signs: z.string(), addresses: z.string(), at: z.number() });

const markOf = (key: string) =>
  createHmac('sha256', key).update('glyphlift same keys').digest('base64url').slice(0, 16);

/**
 * Publishes fingerprints of this web process' signing and address keys over Redis, and warns at the start if another process
 * has different ones, because cookies would not be valid everywhere. A key that signs elsewhere and is only accepted here,
 * as during a rotation, counts as the same. Returns a function that stops it.
 */
export function compareKeys(link: RedisLink, secrets: Secrets, logger: Logger): () => void {
  const { commands, prefix } = link;
  const name = `${prefix}:keys`;
  const own = randomUUID();
  const accepted = [...secrets.cookieKeys, ...(secrets.cookieKey ? [secrets.cookieKey] : [])].map(markOf);
  const note = { signs: accepted[0] ?? '', addresses: markOf(secrets.addressKey) };
  let compared = false;

  async function compare(now: number): Promise<void> {
    const kept = Object.values(await commands.hgetall(name)).map((text) =>
      noteSchema.parse(JSON.parse(text)),
    );
    const others = kept.filter(({ at }) => at > now - BELIEVED_SECONDS);
    compared = true;
    if (others.some(({ signs }) => !accepted.includes(signs)))
      logger.warn('another web process signs with an unknown key: give all the same COOKIE_KEYS');
    if (others.some(({ addresses }) => addresses !== note.addresses))
      logger.warn('another web process has another ADDRESS_KEY: give all the same');
  }

  async function publish(): Promise<void> {
    const [seconds] = await commands.time();
    const now = Number(seconds);
    if (!compared) await compare(now);
    await commands
      .multi()
      .hset(name, own, JSON.stringify({ ...note, at: now } satisfies z.infer<typeof noteSchema>))
      .expire(name, BELIEVED_SECONDS)
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
