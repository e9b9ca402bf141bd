import type { Clock } from '../platform/clock.ts';
import { tooManyEvents } from './billing.errors.ts';

/**
 * Limits the requests to a payment provider that forged webhooks can cause. Only the provider can distinguish a forged event
 * from a genuine one, so the limiter counts failed events. If it rejects a genuine event, the provider sends the event
 * again, because providers retry after 429 and 503.
 */
export interface WebhookLimiter {
  /**
   * @param address the source of the event
   * @param work asks the provider and applies the event; rejects if it is not genuine or cannot be applied
   * @throws {AppError} 429 or 503 with the time to wait, and the errors of `work`.
   */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export const WEBHOOK_LIMITS = {
  windowMs: 60_000,
  /** Failed events per window: of one address, and of all addresses without a genuine event yet (unproven). */
  perAddress: 20,
  unprovenTotal: 60,
  /** Parallel events in total, and of unproven addresses. */
  concurrency: 16,
  unprovenConcurrency: 4,
  /** Retry-After if too many events are in progress. Seconds. */
  retryAfterSeconds: 5,
  /** Limit of stored addresses; providers send from a handful. */
  maxProven: 1000,
} as const;

export function createWebhookLimiter(clock: Clock): WebhookLimiter {
  const proven = new Set<string>();
  let running = 0;
  let window = { start: Number.NEGATIVE_INFINITY, unprovenTotal: 0, byAddress: new Map<string, number>() };

  return {
    async run(address, work) {
      const now = clock.now().getTime();
      if (now - window.start >= WEBHOOK_LIMITS.windowMs)
        window = { start: now, unprovenTotal: 0, byAddress: new Map() };
      const countedWindow = window;
      const isUnproven = !proven.has(address);
      const ofAddress = countedWindow.byAddress.get(address) ?? 0;
      if (
        ofAddress >= WEBHOOK_LIMITS.perAddress ||
        (isUnproven && countedWindow.unprovenTotal >= WEBHOOK_LIMITS.unprovenTotal)
      ) {
        throw tooManyEvents(429, (countedWindow.start + WEBHOOK_LIMITS.windowMs - now) / 1000);
      }
      if (running >= (isUnproven ? WEBHOOK_LIMITS.unprovenConcurrency : WEBHOOK_LIMITS.concurrency)) {
        throw tooManyEvents(503, WEBHOOK_LIMITS.retryAfterSeconds);
      }

      const count = (by: 1 | -1) => {
        countedWindow.byAddress.set(address, (countedWindow.byAddress.get(address) ?? 0) + by);
        if (isUnproven) countedWindow.unprovenTotal += by;
      };
      count(1);
      running++;
      try {
        const result = await work();
        count(-1);
        if (proven.size >= WEBHOOK_LIMITS.maxProven) proven.clear();
        proven.add(address);
        return result;
      } finally {
        running--;
      }
    },
  };
}
