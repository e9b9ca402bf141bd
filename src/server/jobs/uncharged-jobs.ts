import { JOB_LIMITS } from '#contract/job';
import { HOUR_MS, type RateLimit, type Throttle } from '../accounts/throttle.ts';
import { tooManyUnchargedJobs } from './jobs.errors.ts';

/**
 * Limits the jobs of a user that charge nothing, because they still cost work and webhooks. A job counts from its start until
 * it charges something, so that parallel jobs cannot evade the limit.
 */
export interface UnchargedJobs {
  check(userId: string): Promise<void>;
  start(userId: string): Promise<void>;
  /** Called for a job that has charged something, or that the server failed to run. */
  release(userId: string): Promise<void>;
}

export function createUnchargedJobs(
  throttle: Pick<Throttle, 'tryConsume' | 'wait' | 'giveBack'>,
): UnchargedJobs {
  const limits = (userId: string): RateLimit[] => [
    { key: `jobs-unpaid:${userId}`, limit: JOB_LIMITS.unchargedPerHour, windowMs: HOUR_MS },
  ];
  return {
    async check(userId) {
      const wait = await throttle.wait(limits(userId));
      if (wait !== undefined) throw tooManyUnchargedJobs(wait);
    },
    async start(userId) {
      const wait = await throttle.tryConsume(limits(userId));
      if (wait !== undefined) throw tooManyUnchargedJobs(wait);
    },
    release: (userId) => throttle.giveBack(limits(userId)),
  };
}
