import type { Clock } from '../platform/clock.ts';
import { tooManyEvents } from './errors.ts';

/**
 * Bounds what strangers can make this server ask of a payment provider. Nobody can tell a forged event from a genuine
 * one without asking, so events that come to nothing are counted before the next one is looked at. A genuine one that
 * is turned away comes again: providers repeat what was answered with 429 or 503.
 */
export interface WebhookCeiling {
  /**
   * @param address where the event came from
   * @param work asks the provider and applies the event; rejects when it was not genuine, or could not be applied
   * @throws {AppError} 429 or 503 with the time to wait, and whatever `work` throws.
   */
  admit<T>(address: string, work: () => Promise<T>): Promise<T>;
}

const WINDOW_MS = 60_000;
/** Events that came to nothing in one window: of one address, and of all addresses that have sent no genuine one yet. */
const PER_ADDRESS = 20;
const OF_STRANGERS = 60;
/** Events in work at once; the rest of the places is kept for addresses that have sent a genuine one. */
const AT_ONCE = 16;
const STRANGERS_AT_ONCE = 4;
/** Seconds after which a place is free again, about. */
const SOON = 5;
/** Providers send from a handful of addresses; more would be a sign that something else is remembered here. */
const MOST_PROVEN = 1000;

export function createWebhookCeiling(clock: Clock): WebhookCeiling {
  const proven = new Set<string>();
  let inWork = 0;
  let window = { start: Number.NEGATIVE_INFINITY, ofStrangers: 0, byAddress: new Map<string, number>() };

  return {
    async admit(address, work) {
      const now = clock.now().getTime();
      if (now - window.start >= WINDOW_MS) window = { start: now, ofStrangers: 0, byAddress: new Map() };
      const counted = window;
      const isStranger = !proven.has(address);
      const ofAddress = counted.byAddress.get(address) ?? 0;
      if (ofAddress >= PER_ADDRESS || (isStranger && counted.ofStrangers >= OF_STRANGERS)) {
        throw tooManyEvents(429, (counted.start + WINDOW_MS - now) / 1000);
      }
      if (inWork >= (isStranger ? STRANGERS_AT_ONCE : AT_ONCE)) throw tooManyEvents(503, SOON);

      const count = (by: 1 | -1) => {
        counted.byAddress.set(address, (counted.byAddress.get(address) ?? 0) + by);
        if (isStranger) counted.ofStrangers += by;
      };
      count(1);
      inWork++;
      try {
        const result = await work();
        count(-1);
        if (proven.size >= MOST_PROVEN) proven.clear();
        proven.add(address);
        return result;
      } finally {
        inWork--;
      }
    },
  };
}
