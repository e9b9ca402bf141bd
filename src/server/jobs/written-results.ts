import type { AnswerFormatId } from '#contract/answer-format';
import type { Clock } from '../platform/clock.ts';

/** Caches the last written result of each user for a minute, because API clients often request it again. */
export interface WrittenResults {
  find(id: string, format: AnswerFormatId): Uint8Array | undefined;
  keep(owner: string, id: string, format: AnswerFormatId, content: Uint8Array): void;
  forget(id: string): void;
}

const KEPT_MS = 60_000;
const MEMORY_BYTES = 64 * 1024 ** 2;

interface Kept {
  id: string;
  format: AnswerFormatId;
  content: Uint8Array;
  until: number;
  timer: NodeJS.Timeout;
}

export function createWrittenResults(clock: Clock, memoryBytes = MEMORY_BYTES): WrittenResults {
  const results = new Map<string, Kept>();

  function drop(owner: string): void {
    clearTimeout(results.get(owner)?.timer);
    results.delete(owner);
  }

  return {
    find(id, format) {
      const now = clock.now().getTime();
      for (const kept of results.values()) {
        if (kept.id === id && kept.format === format && kept.until > now) return kept.content;
      }
      return undefined;
    },

    keep(owner, id, format, content) {
      drop(owner);
      if (content.length > memoryBytes) return;
      let held = [...results.values()].reduce((sum, kept) => sum + kept.content.length, content.length);
      for (const [oldest, kept] of results) {
        if (held <= memoryBytes) break;
        held -= kept.content.length;
        drop(oldest);
      }
      const timer = setTimeout(() => drop(owner), KEPT_MS).unref();
      results.set(owner, { id, format, content, until: clock.now().getTime() + KEPT_MS, timer });
    },

    forget(id) {
      for (const [owner, kept] of results) if (kept.id === id) drop(owner);
    },
  };
}
