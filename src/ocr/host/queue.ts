import { PRIORITY } from '../types.ts';

/** Pictures that may wait, and how many of the places only premium's may take. */
export interface Places {
  queueLimit: number;
  premiumReserve: number;
}

/** What has a priority like this. */
export function kindOf(priority: number): keyof typeof PRIORITY {
  if (priority >= PRIORITY.premium) return 'premium';
  if (priority >= PRIORITY.free) return 'free';
  return priority >= PRIORITY.preview ? 'preview' : 'job';
}

/** How many places there are for pictures of one kind: previews, and pages of jobs, leave half of the free ones to pictures that somebody waits for. */
export function placesFor(kind: keyof typeof PRIORITY, { queueLimit, premiumReserve }: Places): number {
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
      this.#placeBehind((waiting) => waiting.priority >= job.priority),
      0,
      job,
    );
  }

  /** Puts a job that had begun back ahead of its equals. */
  putBack(job: Job): void {
    this.#jobs.splice(
      this.#placeBehind((waiting) => waiting.priority > job.priority),
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

  /** Whether the job was still waiting. */
  remove(job: Job): boolean {
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
    return index >= 0;
  }

  drain(): Job[] {
    return this.#jobs.splice(0);
  }

  #placeBehind(stands: (waiting: Job) => boolean): number {
    return this.#jobs.findLastIndex(stands) + 1;
  }
}
