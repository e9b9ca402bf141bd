/** A queue of tasks that limits concurrency and is fair between owners. */
export interface FairQueue {
  /**
   * Runs `work` when it is the owner's turn.
   * @throws the errors of `work`, the abort reason while it waits, and `full()` if the owner's queue is full
   */
  run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  start: () => void;
}

interface OwnerQueue {
  waiting: Waiter[];
  running: number;
  /** Sequence number of its last run. */
  last: number;
}

interface FairQueueOptions {
  concurrency: number;
  /** Limits of one owner; unlimited if left out. `full` creates the error for a full queue. */
  perOwner?: { concurrency: number; waiting: number; full: () => Error };
}

/**
 * Next is the owner with the fewest running tasks, and among those the one whose last run is longest ago. So a single
 * task waits for at most one task of each other owner, however many they have queued.
 */
export function createFairQueue({ concurrency, perOwner }: FairQueueOptions): FairQueue {
  const owners = new Map<string, OwnerQueue>();
  let running = 0;
  let sequence = 0;

  function next(): void {
    if (running >= concurrency) return;
    const waiting = [...owners.values()].filter(
      (queue) => queue.waiting.length > 0 && queue.running < (perOwner?.concurrency ?? concurrency),
    );
    const [first] = waiting.sort((one, other) => one.running - other.running || one.last - other.last);
    const start = first?.waiting.shift()?.start;
    if (!first || !start) return;
    first.running++;
    first.last = ++sequence;
    running++;
    start();
  }

  return {
    async run(owner, signal, work) {
      signal.throwIfAborted();
      const queue = owners.get(owner) ?? { waiting: [], running: 0, last: 0 };
      if (perOwner && queue.running + queue.waiting.length >= perOwner.concurrency + perOwner.waiting)
        throw perOwner.full();
      owners.set(owner, queue);
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          queue.waiting.splice(queue.waiting.indexOf(waiter), 1);
          if (queue.running === 0 && queue.waiting.length === 0) owners.delete(owner);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          start() {
            signal.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        queue.waiting.push(waiter);
        signal.addEventListener('abort', onAbort, { once: true });
        next();
      });
      try {
        return await work();
      } finally {
        queue.running--;
        running--;
        if (queue.running === 0 && queue.waiting.length === 0) owners.delete(owner);
        next();
      }
    },
  };
}
