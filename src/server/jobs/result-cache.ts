import type { AnswerFormatId } from '#contract/answer-format';
import type { Clock } from '../platform/clock.ts';

/** Caches the last result of each user for a minute, because API clients often request it again. */
export interface ResultCache {
  find(id: string, format: AnswerFormatId): Uint8Array | undefined;
  store(owner: string, id: string, format: AnswerFormatId, content: Uint8Array): void;
  forget(id: string): void;
}

const CACHE_MS = 60_000;
const MEMORY_BYTES = 64 * 1024 ** 2;

interface CachedResult {
  id: string;
  format: AnswerFormatId;
  content: Uint8Array;
  until: number;
  timer: NodeJS.Timeout;
}

export function createResultCache(clock: Clock, memoryBytes = MEMORY_BYTES): ResultCache {
  const results = new Map<string, CachedResult>();

  function drop(owner: string): void {
    clearTimeout(results.get(owner)?.timer);
    results.delete(owner);
  }

  return {
    find(id, format) {
      const now = clock.now().getTime();
      for (const cached of results.values()) {
        if (cached.id === id && cached.format === format && cached.until > now) return cached.content;
      }
      return undefined;
    },

    store(owner, id, format, content) {
      drop(owner);
      if (content.length > memoryBytes) return;
      let size = [...results.values()].reduce((sum, cached) => sum + cached.content.length, content.length);
      for (const [oldest, cached] of results) {
        if (size <= memoryBytes) break;
        size -= cached.content.length;
        drop(oldest);
      }
      const timer = setTimeout(() => drop(owner), CACHE_MS).unref();
      results.set(owner, { id, format, content, until: clock.now().getTime() + CACHE_MS, timer });
    },

    forget(id) {
      for (const [owner, cached] of results) if (cached.id === id) drop(owner);
    },
  };
}
