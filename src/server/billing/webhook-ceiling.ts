import type { Clock } from '../platform/clock.ts';
import { tooManyEvents } from './billing.errors.ts';

/**
 * Limits the requests to a payment provider that strangers can cause. A forged event cannot be told from a genuine one
 * without asking, so events that come to nothing are counted before the next one is looked at. A genuine event that is
 * turned away comes again: providers repeat what was answered with 429 or 503.
 */
export interface WebhookCeiling {
  /**
   * @param address the source of the event
   * @param work asks the provider and applies the event; rejects when it was not genuine, or could not be applied
   * @throws {AppError} 429 or 503 with the time to wait, and the errors of `work`.
   */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export const CEILING = {
  windowMs: 60_000,
  /** Events that came to nothing in one window: of one address, and of all addresses that have sent no genuine one yet. */
  perAddress: 20,
  ofStrangers: 60,
  /** Events in work at once; the rest of the places is kept for addresses that have sent a genuine one. */
  atOnce: 16,
  anonymousAtOnce: 4,
  /** Seconds after which a place is free again, about. */
  soon: 5,
  /** Providers send from a handful of addresses; more would be a sign that something else is remembered here. */
  mostProven: 1000,
} as const;

export function createWebhookCeiling(clock: Clock): WebhookCeiling {
  const proven = new Set<string>();
  let inWork = 0;
  let window = { start: Number.NEGATIVE_INFINITY, ofStrangers: 0, byAddress: new Map<string, number>() };

  return {
    async run(address, work) {
      const now = clock.now().getTime();
      if (now - window.start >= CEILING.windowMs)
        window = { start: now, ofStrangers: 0, byAddress: new Map() };
      const counted = window;
      const isStranger = !proven.has(address);
      const ofAddress = counted.byAddress.get(address) ?? 0;
      if (ofAddress >= CEILING.perAddress || (isStranger && counted.ofStrangers >= CEILING.ofStrangers)) {
        throw tooManyEvents(429, (counted.start + CEILING.windowMs - now) / 1000);
      }
      if (inWork >= (isStranger ? CEILING.anonymousAtOnce : CEILING.atOnce)) {
        throw tooManyEvents(503, CEILING.soon);
      }

      const count = (by: 1 | -1) => {
        counted.byAddress.set(address, (counted.byAddress.get(address) ?? 0) + by);
        if (isStranger) counted.ofStrangers += by;
      };
      count(1);
      inWork++;
      try {
        const result = await work();
        count(-1);
        if (proven.size >= CEILING.mostProven) proven.clear();
        proven.add(address);
        return result;
      } finally {
        inWork--;
      }
    },
  };
}
