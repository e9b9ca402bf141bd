/** Has pages of jobs read, so many at a time, and whose turn is next. */
export interface PageTurns {
  /** Does `work` when it is the owner's turn. @throws what `work` does, and when it was given up before its turn */
  take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  begin: () => void;
}

interface Line {
  waiting: Waiting[];
  /** Pages in work. */
  running: number;
  /** When it last had a turn, in turns. */
  last: number;
}

/**
 * Gives the next turn to whoever has the fewest pages in work, and among those to whoever has waited longest for one. So
 * somebody with one page comes after one page of everybody else at most, however many theirs are.
 * @param atOnce pages in work at a time
 */
export function createPageTurns(atOnce: number): PageTurns {
  const lines = new Map<string, Line>();
  let running = 0;
  let turn = 0;

  function next(): void {
    if (running >= atOnce) return;
    const waiting = [...lines.values()].filter((line) => line.waiting.length > 0);
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
      lines.set(owner, line);
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          line.waiting.splice(line.waiting.indexOf(own), 1);
          if (line.running === 0 && line.waiting.length === 0) lines.delete(owner);
          reject(signal.reason);
        };
        const own: Waiting = {
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
