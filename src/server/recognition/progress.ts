import type { Progress } from '#contract/extraction';

export type ProgressListener = (progress: Progress) => void;

/**
 * Publishes the stages of running extractions to their watchers. Visitor and id together identify an extraction, so that no
 * visitor can watch, or interfere with, the extraction of another visitor.
 */
export interface ProgressHub {
  publish(visitor: string, id: string, progress: Progress): void;
  /** Calls the listener with the latest stage, if there is one, and with each later one. Returns a function to stop. */
  watch(visitor: string, id: string, listener: ProgressListener): () => void;
  /** Whether the id belongs to an extraction of another visitor, and to no extraction of this visitor. */
  isForeign(visitor: string, id: string): Promise<boolean>;
  watchers(visitor: string): number;
  /** Ends the watches of extractions that have not started. Watches of running extractions end with the extraction. */
  close(): void;
}

interface Channel {
  visitor: string;
  id: string;
  latest: Progress | undefined;
  listeners: Set<ProgressListener>;
}

/** The `done` stage is kept this long for late watchers. Milliseconds. */
const DONE_KEPT_MS = 30_000;

export function createProgressHub(): ProgressHub {
  const channels = new Map<string, Channel>();
  const deletionTimers = new Set<NodeJS.Timeout>();
  const key = (visitor: string, id: string) => `${visitor} ${id}`;

  function channel(visitor: string, id: string): Channel {
    let found = channels.get(key(visitor, id));
    if (!found) {
      found = { visitor, id, latest: undefined, listeners: new Set() };
      channels.set(key(visitor, id), found);
    }
    return found;
  }

  function scheduleDeletion(name: string, finished: Channel): void {
    const timer = setTimeout(() => {
      deletionTimers.delete(timer);
      if (channels.get(name) === finished) channels.delete(name);
    }, DONE_KEPT_MS);
    timer.unref();
    deletionTimers.add(timer);
  }

  return {
    publish(visitor, id, progress) {
      const name = key(visitor, id);
      // A second upload under an id that is done starts over.
      if (channels.get(name)?.latest?.stage === 'done' && progress.stage !== 'done') channels.delete(name);
      const target = channel(visitor, id);
      target.latest = progress;
      for (const listener of [...target.listeners]) listener(progress);
      if (progress.stage === 'done') {
        target.listeners.clear();
        scheduleDeletion(name, target);
      }
    },

    watch(visitor, id, listener) {
      const target = channel(visitor, id);
      target.listeners.add(listener);
      if (target.latest) listener(target.latest);
      return () => {
        target.listeners.delete(listener);
        if (target.listeners.size === 0 && !target.latest) channels.delete(key(visitor, id));
      };
    },

    isForeign: async (visitor, id) =>
      !channels.has(key(visitor, id)) &&
      [...channels.values()].some((other) => other.id === id && other.latest !== undefined),

    watchers: (visitor) =>
      [...channels.values()]
        .filter((target) => target.visitor === visitor)
        .reduce((sum, target) => sum + target.listeners.size, 0),

    close() {
      for (const target of channels.values()) {
        if (target.latest) continue;
        for (const listener of [...target.listeners]) listener({ stage: 'done' });
      }
      for (const timer of deletionTimers) clearTimeout(timer);
    },
  };
}
