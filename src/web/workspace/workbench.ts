import type { Reading } from './reading.ts';
import type { TextWork } from './text/text-history.ts';

type Listener = (extractionId: string, work: TextWork) => void;

/**
 * The edits of texts, by extraction: the workspace records each step, and the tool or the history reads them. Apart
 * from the tool's state, which would render with every letter otherwise.
 */
export function createWorkbench() {
  const works = new Map<string, TextWork>();
  let listener: Listener | null = null;
  return {
    /** A reading with its edits. */
    withEdits(reading: Reading): Reading {
      const work = works.get(reading.attempt.extractionId);
      return work ? { ...reading, work } : reading;
    },
    record(extractionId: string, work: TextWork) {
      works.set(extractionId, work);
      listener?.(extractionId, work);
    },
    /** Returns an unsubscribe function. */
    subscribe(next: Listener) {
      listener = next;
      return () => {
        if (listener === next) listener = null;
      };
    },
  };
}

export type Workbench = ReturnType<typeof createWorkbench>;
