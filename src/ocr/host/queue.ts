import { PRIORITY } from '../types.ts';

/** Maximum length of the queue, and the part of it that is reserved for premium pictures. */
export interface QueueLimits {
  queueLimit: number;
  premiumReserve: number;
}

/** The kind of picture with this priority. */
export function priorityName(priority: number): keyof typeof PRIORITY {
  if (priority >= PRIORITY.premium) return 'premium';
  if (priority >= PRIORITY.free) return 'free';
  return priority >= PRIORITY.preview ? 'preview' : 'job';
}

/**
 * Queue length up to which a picture of this kind is accepted: previews and pages of jobs get half of the free capacity.
 */
export function queueCapacityFor(
  kind: keyof typeof PRIORITY,
  { queueLimit, premiumReserve }: QueueLimits,
): number {
  if (kind === 'premium') return queueLimit;
  const free = Math.max(0, queueLimit - premiumReserve);
  return kind === 'free' ? free : Math.ceil(free / 2);
}

/** Waiting jobs, the highest priority first and in order of arrival within one. */
export class PriorityQueue<Job extends { priority: number }> {
  readonly #jobs: Job[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  add(job: Job): void {
    this.#jobs.splice(
      this.#indexAfterLast((waiting) => waiting.priority >= job.priority),
      0,
      job,
    );
  }

  /** Puts a started job back before all waiting ones of its priority. */
  putBack(job: Job): void {
    this.#jobs.splice(
      this.#indexAfterLast((waiting) => waiting.priority > job.priority),
      0,
      job,
    );
  }

  count(counted: (waiting: Job) => boolean): number {
    return this.#jobs.filter(counted).length;
  }

  get first(): Job | undefined {
    return this.#jobs[0];
  }

  take(): Job | undefined {
    return this.#jobs.shift();
  }

  /** True if the job was still waiting. */
  remove(job: Job): boolean {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
    return index >= 0;
  }

  drain(): Job[] {
    return this.#jobs.splice(0);
  }

  #indexAfterLast(isBefore: (waiting: Job) => boolean): number {
    return this.#jobs.findLastIndex(isBefore) + 1;
  }
}
