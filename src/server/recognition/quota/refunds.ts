import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Claim, Quota, Reservation } from './quota.repository.ts';

/** Between two attempts to release a reservation while the database is away. */
const RETRY_MS = 250;

/** Releases reservations whose recognition ended without a charge, and counts the time that it cost. */
export interface Refunds {
  /** Waits for the first attempt only; if the database is away, it is repeated until the lease ends. */
  release(refund: Refund): Promise<void>;
  /** Repeats what is still to be released for this claim. False if there was nothing. */
  retryFor(claim: Claim): Promise<boolean>;
  /** Counts time that is never charged. A failure is logged only. */
  spend(claims: readonly Claim[], milliseconds: number, requestId: string): Promise<void>;
}

interface Refund {
  requestId: string;
  reservation: Reservation;
  claims: readonly Claim[];
  unpaidMs: number;
  /** Whether the charge was committed is not known. */
  unsure: boolean;
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
    async release({ requestId: reqId, reservation, claims, unpaidMs, unsure }) {
      // A repeated reading of one charge is work without a charge.
      const attempt = () =>
        reservation.paidFor ? quota.spend(claims, unpaidMs) : quota.release(reservation, unpaidMs, unsure);
      const refund = { claims, attempt };
      const retryLater = (error: unknown) => {
        const expired = new Date(reservation.expires).getTime() <= clock.now().getTime();
        if (expired || reservation.paidFor) {
          pending.delete(refund);
          logger.error({ err: error, reqId }, 'an extraction could not be given back; its lease has run out');
          return;
        }
        pending.add(refund);
        setTimeout(() => attempt().then(() => pending.delete(refund), retryLater), RETRY_MS).unref();
      };
      await attempt().catch((error) => {
        logger.warn({ err: error, reqId }, 'an extraction could not be given back yet');
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
