import type { Clock } from '../platform/clock.ts';
import { tooManyEvents } from './billing.errors.ts';

/**
 * Limits the requests to a payment provider that forged webhooks can cause. A forged event cannot be distinguished from a
 * genuine one without asking the provider, so failed events are counted. A genuine event that is rejected comes again,
 * because providers retry after 429 and 503.
 */
export interface WebhookCeiling {
  /**
   * @param address the source of the event
   * @param work asks the provider and applies the event; rejects if it is not genuine or cannot be applied
   * @throws {AppError} 429 or 503 with the time to wait, and the errors of `work`.
   */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export const CEILING = {
  windowMs: 60_000,
  /** Failed events per window: of one address, and of all addresses without a genuine event yet (unproven). */
  perAddress: 20,
  ofUnproven: 60,
  /** Parallel events in total, and of unproven addresses. */
  atOnce: 16,
  anonymousAtOnce: 4,
  /** Retry-After if all places are taken. Seconds. */
  soon: 5,
  /** Limit of stored addresses; providers send from a handful. */
  mostProven: 1000,
} as const;

export function createWebhookCeiling(clock: Clock): WebhookCeiling {
  const proven = new Set<string>();
  let inWork = 0;
  let window = { start: Number.NEGATIVE_INFINITY, ofUnproven: 0, byAddress: new Map<string, number>() };

  return {
    async run(address, work) {
      const now = clock.now().getTime();
      if (now - window.start >= CEILING.windowMs)
        window = { start: now, ofUnproven: 0, byAddress: new Map() };
      const counted = window;
      const isStranger = !proven.has(address);
      const ofAddress = counted.byAddress.get(address) ?? 0;
      if (ofAddress >= CEILING.perAddress || (isStranger && counted.ofUnproven >= CEILING.ofUnproven)) {
        throw tooManyEvents(429, (counted.start + CEILING.windowMs - now) / 1000);
      }
      if (inWork >= (isStranger ? CEILING.anonymousAtOnce : CEILING.atOnce)) {
        throw tooManyEvents(503, CEILING.soon);
      }

      const count = (by: 1 | -1) => {
        counted.byAddress.set(address, (counted.byAddress.get(address) ?? 0) + by);
        if (isStranger) counted.ofUnproven += by;
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
