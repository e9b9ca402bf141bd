import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Progress, progressSchema } from '#contract/extraction';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import type { ProgressHub } from '../progress.ts';

/** Longer than an extraction takes, so that a late watcher still learns that it is done. Milliseconds. */
const KEPT_MS = { running: 600_000, done: 30_000 } as const;

const newsSchema = z.object({
  /** The sending process, which ignores its own events. */
  from: z.string(),
  progress: progressSchema,
});
type News = z.infer<typeof newsSchema>;

/** Events of another build in an unknown form are dropped. */
function readNews(message: string): News | undefined {
  try {
    return newsSchema.parse(JSON.parse(message));
  } catch {
    return undefined;
  }
}

/**
 * A watcher may be connected to another process than the upload, so each process publishes its events to the others.
 * Visitors and ids are hashed, so that Redis does not reveal them.
 */
export function createRedisProgress(own: ProgressHub, link: RedisLink, logger: Logger): ProgressHub {
  const from = randomUUID();
  const calls = link.patient();
  /** The watchers of each channel, and their listener. */
  const watched = new Map<string, { watchers: number; receive: (progress: Progress) => void }>();
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
  const channelOf = (visitor: string, id: string) => `${link.prefix}:progress:${hash(`${visitor} ${id}`)}`;
  const senderOf = (id: string) => `${link.prefix}:progress-of:${hash(id)}`;
  const report = (error: unknown) => logger.debug({ err: error }, 'progress could not be shared');

  calls.on('message', (channel, message) => {
    const news = readNews(message);
    if (news && news.from !== from) watched.get(channel)?.receive(news.progress);
  });

  /** Events from before this process listened. */
  async function catchUp(channel: string, isNews: () => boolean): Promise<void> {
    await calls.subscribe(channel);
    const latest = await link.commands.get(channel);
    const news = latest ? readNews(latest) : undefined;
    if (news && isNews()) watched.get(channel)?.receive(news.progress);
  }

  return {
    publish(visitor, id, progress) {
      own.publish(visitor, id, progress);
      if (link.awayFor() > 0) return;
      const channel = channelOf(visitor, id);
      const news = JSON.stringify({ from, progress } satisfies News);
      const kept = progress.stage === 'done' ? KEPT_MS.done : KEPT_MS.running;
      link.commands
        .multi()
        .set(channel, news, 'PX', kept)
        .set(senderOf(id), hash(visitor), 'PX', kept)
        .publish(channel, news)
        .exec()
        .catch(report);
    },

    watch(visitor, id, listener) {
      const channel = channelOf(visitor, id);
      let received = false;
      const unwatch = own.watch(visitor, id, (progress) => {
        received = true;
        listener(progress);
      });
      const shared = watched.get(channel) ?? {
        watchers: 0,
        receive: (progress) => own.publish(visitor, id, progress),
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
        const [mine, sender] = await link.commands.mget(channelOf(visitor, id), senderOf(id));
        if (mine) return false;
        if (sender && sender !== hash(visitor)) return true;
      } catch (error) {
        report(error);
      }
      return own.isForeign(visitor, id);
    },

    watchers: (visitor) => own.watchers(visitor),
    close: () => own.close(),
  };
}
