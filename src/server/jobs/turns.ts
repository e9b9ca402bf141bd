/** Has work of several people done, so many pieces at a time, and decides whose turn is next. */
export interface Turns {
  /**
   * Does `work` when it is the owner's turn.
   * @throws the errors of `work`, when it was cancelled before its turn, and where the owner has no place left to wait
   */
  take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  begin: () => void;
}

interface Line {
  waiting: Waiter[];
  running: number;
  /** When it last had a turn, in turns. */
  last: number;
}

interface TurnsOptions {
  atOnce: number;
  /** Of one owner; unlimited if left out. `full`: the error where one more would have to wait. */
  ofOne?: { atOnce: number; waiting: number; full: () => Error };
}

/**
 * Gives the next turn to the owner with the fewest pieces in work, and among those to the one who has waited longest for a
 * turn. So a single piece comes after one piece of everybody else at most, however many theirs are.
 */
export function createTurns({ atOnce, ofOne }: TurnsOptions): Turns {
  const lines = new Map<string, Line>();
  let running = 0;
  let turn = 0;

  function next(): void {
    if (running >= atOnce) return;
    const waiting = [...lines.values()].filter(
      (line) => line.waiting.length > 0 && line.running < (ofOne?.atOnce ?? atOnce),
    );
    const [first] = waiting.sort((one, other) => one.running - other.running || one.last - other.last);
    const begin = first?.waiting.shift()?.begin;
    if (!first || !begin) return;
    first.running++;
    first.last = ++turn;
    running++;
    begin();
  }

  return {
    async take(owner, signal, work) {
      signal.throwIfAborted();
      const line = lines.get(owner) ?? { waiting: [], running: 0, last: 0 };
      if (ofOne && line.running + line.waiting.length >= ofOne.atOnce + ofOne.waiting) throw ofOne.full();
      lines.set(owner, line);
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          line.waiting.splice(line.waiting.indexOf(own), 1);
          if (line.running === 0 && line.waiting.length === 0) lines.delete(owner);
          reject(signal.reason);
        };
        const own: Waiter = {
          begin() {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        line.waiting.push(own);
        signal.addEventListener('abort', leave, { once: true });
        next();
      });
      try {
        return await work();
      } finally {
        line.running--;
        running--;
        if (line.running === 0 && line.waiting.length === 0) lines.delete(owner);
        next();
      }
    },
  };
}
