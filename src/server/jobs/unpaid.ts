import { JOB_LIMITS } from '#contract/job';
import { HOUR_MS, type Throttle, type ThrottleAttempt } from '../accounts/throttle.ts';
import { tooManyUnpaidJobs } from './jobs.errors.ts';

/**
 * Counts the jobs of a user that charge nothing: they still cost work and webhooks. Each counts from its start until it
 * charges something, so that parallel jobs cannot slip through.
 */
export interface UnpaidJobs {
  check(userId: string): Promise<void>;
  begin(userId: string): Promise<void>;
  /** The job has charged something, or failed through no fault of the user. */
  forgive(userId: string): Promise<void>;
}

export function createUnpaidJobs(throttle: Pick<Throttle, 'spend' | 'wait' | 'giveBack'>): UnpaidJobs {
  const attempts = (userId: string): ThrottleAttempt[] => [
    { key: `jobs-unpaid:${userId}`, limit: JOB_LIMITS.unpaidPerHour, windowMs: HOUR_MS },
  ];
  return {
    async check(userId) {
      const wait = await throttle.wait(attempts(userId));
      if (wait !== undefined) throw tooManyUnpaidJobs(wait);
    },
    async begin(userId) {
      const wait = await throttle.spend(attempts(userId));
      if (wait !== undefined) throw tooManyUnpaidJobs(wait);
    },
    forgive: (userId) => throttle.giveBack(attempts(userId)),
  };
}
