interface GateOptions {
  atOnce: number;
  waiting: number;
  /** The error where no place is left to wait. */
  full: () => Error;
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** For work that would take the machine from everybody else if all who ask for it were served at once. */
export function createGate({ atOnce, waiting, full }: GateOptions): Gate {
  let running = 0;
  const queue: Array<() => void> = [];

  return async (work) => {
    if (running < atOnce) running++;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw full();
    try {
      return await work();
    } finally {
      // The next in line takes over the place of the one that leaves.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
