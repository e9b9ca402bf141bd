/** Shows progress on a terminal; without a terminal, prints only failures. */
import { printable } from './folders.ts';

export interface Progress {
  at(name: string): void;
  done(): void;
  /** Prints a permanent line. */
  say(line: string): void;
  end(): void;
}

const ERASE = '\r\u001b[K';

export function createProgress(of: number): Progress {
  const { stderr } = process;
  const shown = stderr.isTTY && of > 0;
  let done = 0;
  let now = '';
  const draw = () => {
    if (!shown) return;
    const line = `${done} of ${of} read${now ? ` · ${now}` : ''}`;
    stderr.write(`${ERASE}${line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
  };
  draw();
  return {
    at(name) {
      now = printable(name);
      draw();
    },
    done() {
      done++;
      draw();
    },
    say(line) {
      stderr.write(`${shown ? ERASE : ''}${printable(line)}\n`);
      if (done < of) draw();
    },
    end() {
      if (shown) stderr.write(ERASE);
      now = '';
      done = of;
    },
  };
}
