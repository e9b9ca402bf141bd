import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Progress, progressSchema } from '#contract/extraction';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import type { ProgressHub } from '../progress.ts';

/** Retention of the latest event: longer than an extraction takes, so that late watchers get `done`. Milliseconds. */
const KEPT_MS = { running: 600_000, done: 30_000 } as const;

const messageSchema = z.object({
  /** The sending process, which ignores its own events. */
  from: z.string(),
  progress: progressSchema,
});
type ProgressMessage = z.infer<typeof messageSchema>;

/** Drops events of another version in an unknown format. */
function parseMessage(message: string): ProgressMessage | undefined {
  try {
    return messageSchema.parse(JSON.parse(message));
  } catch {
    return undefined;
  }
}

/**
 * A watcher and the upload may be connected to different processes, so each process publishes its events to the others.
 * Visitors and ids are hashed, so that Redis does not reveal them.
 */
export function createRedisProgress(local: ProgressHub, link: RedisLink, logger: Logger): ProgressHub {
  const from = randomUUID();
  const calls = link.connectWithRetries();
  /** The watchers of each channel, and their listener. */
  const watched = new Map<string, { watchers: number; receive: (progress: Progress) => void }>();
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
  const channelOf = (visitor: string, id: string) => `${link.prefix}:progress:${hash(`${visitor} ${id}`)}`;
  const senderOf = (id: string) => `${link.prefix}:progress-of:${hash(id)}`;
  const report = (error: unknown) => logger.debug({ err: error }, 'progress could not be shared');

  calls.on('message', (channel, text) => {
    const message = parseMessage(text);
    if (message && message.from !== from) watched.get(channel)?.receive(message.progress);
  });

  /** Fetches the latest event, which may have been sent before this process subscribed. */
  async function catchUp(channel: string, isNews: () => boolean): Promise<void> {
    await calls.subscribe(channel);
    const latest = await link.commands.get(channel);
    const message = latest ? parseMessage(latest) : undefined;
    if (message && isNews()) watched.get(channel)?.receive(message.progress);
  }

  return {
    publish(visitor, id, progress) {
      local.publish(visitor, id, progress);
      if (link.unavailableFor() > 0) return;
      const channel = channelOf(visitor, id);
      const message = JSON.stringify({ from, progress } satisfies ProgressMessage);
      const kept = progress.stage === 'done' ? KEPT_MS.done : KEPT_MS.running;
      link.commands
        .multi()
        .set(channel, message, 'PX', kept)
        .set(senderOf(id), hash(visitor), 'PX', kept)
        .publish(channel, message)
        .exec()
        .catch(report);
    },

    watch(visitor, id, listener) {
      const channel = channelOf(visitor, id);
      let received = false;
      const unwatch = local.watch(visitor, id, (progress) => {
        received = true;
        listener(progress);
      });
      const shared = watched.get(channel) ?? {
        watchers: 0,
        receive: (progress) => local.publish(visitor, id, progress),
      };
      shared.watchers++;
      watched.set(channel, shared);
      catchUp(channel, () => !received).catch(report);
      return () => {
        unwatch();
        if (--shared.watchers > 0) return;
        watched.delete(channel);
        calls.unsubscribe(channel).catch(report);
      };
    },

    async isForeign(visitor, id) {
      try {
        const [latest, sender] = await link.commands.mget(channelOf(visitor, id), senderOf(id));
        if (latest) return false;
        if (sender && sender !== hash(visitor)) return true;
      } catch (error) {
        report(error);
      }
      return local.isForeign(visitor, id);
    },

    watchers: (visitor) => local.watchers(visitor),
    close: () => local.close(),
  };
}
