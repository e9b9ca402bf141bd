import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Claim, Quota, Reservation } from './quota.repository.ts';

/** Pause between attempts to release a reservation while the database is unavailable. */
const RETRY_MS = 250;

/** Releases reservations of uncharged recognitions, and counts the time that they took. */
export interface Refunds {
  /** Waits for the first attempt only. If the database is unavailable, further attempts follow until the lease ends. */
  release(refund: Refund): Promise<void>;
  /** Retries pending releases of this claim. False if there were none. */
  retryFor(claim: Claim): Promise<boolean>;
  /** Counts uncharged time. A failure is only logged. */
  spend(claims: readonly Claim[], milliseconds: number, requestId: string): Promise<void>;
}

interface Refund {
  requestId: string;
  reservation: Reservation;
  claims: readonly Claim[];
  unpaidMs: number;
  /** Whether it is unknown if the charge was committed. */
  outcomeUnknown: boolean;
}

interface PendingRefund {
  claims: readonly Claim[];
  attempt: () => Promise<void>;
}

export function createRefunds({
  quota,
  clock,
  logger,
}: {
  quota: Quota;
  clock: Clock;
  logger: Logger;
}): Refunds {
  const pending = new Set<PendingRefund>();
  return {
    async release({ requestId: reqId, reservation, claims, unpaidMs, outcomeUnknown }) {
      // A free repeat is uncharged work too.
      const attempt = () =>
        reservation.alreadyCharged
          ? quota.spend(claims, unpaidMs)
          : quota.release(reservation, unpaidMs, outcomeUnknown);
      const refund = { claims, attempt };
      const retryLater = (error: unknown) => {
        const expired = new Date(reservation.expires).getTime() <= clock.now().getTime();
        if (expired || reservation.alreadyCharged) {
          pending.delete(refund);
          logger.error({ err: error, reqId }, 'an extraction could not be released; its lease has expired');
          return;
        }
        pending.add(refund);
        setTimeout(() => attempt().then(() => pending.delete(refund), retryLater), RETRY_MS).unref();
      };
      await attempt().catch((error) => {
        logger.warn({ err: error, reqId }, 'an extraction could not be released yet');
        retryLater(error);
      });
    },

    async retryFor({ holder, period }) {
      const ofClaim = [...pending].filter(({ claims }) =>
        claims.some((claim) => claim.holder === holder && claim.period === period),
      );
      await Promise.all(ofClaim.map(({ attempt }) => attempt().catch(() => {})));
      return ofClaim.length > 0;
    },

    spend: (claims, milliseconds, reqId) =>
      quota
        .spend(claims, milliseconds)
        .catch((error) =>
          logger.error({ err: error, reqId }, 'time that is not charged could not be counted'),
        ),
  };
}
