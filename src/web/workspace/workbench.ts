import type { Reading } from './reading.ts';
import type { TextWork } from './text/text-history.ts';

type Listener = (extractionId: string, work: TextWork) => void;

/**
 * Where the work on texts is put down: whoever shows a text tells of each step, and who takes the text away or keeps it
 * finds it here. Apart from the tool's state, which every letter that is typed would have drawn anew.
 */
export function createWorkbench() {
  const works = new Map<string, TextWork>();
  let listener: Listener | null = null;
  return {
    /** A reading with what was done to its text until now. */
    withEdits(reading: Reading): Reading {
      const work = works.get(reading.attempt.extractionId);
      return work ? { ...reading, work } : reading;
    },
    record(extractionId: string, work: TextWork) {
      works.set(extractionId, work);
      listener?.(extractionId, work);
    },
    /** Returns the way out. */
    subscribe(next: Listener) {
      listener = next;
      return () => {
        if (listener === next) listener = null;
      };
    },
  };
}

export type Workbench = ReturnType<typeof createWorkbench>;
