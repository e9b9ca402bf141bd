import type { RecognitionResult } from './reading.ts';
import type { TextWork } from './text/text-history.ts';

type Listener = (extractionId: string, work: TextWork) => void;

/**
 * Stores the edits of texts by extraction ID. The workspace records each step; the tool and the list of recent results read
 * them. It is not React state, because the tool would re-render with every keystroke.
 */
export function createWorkbench() {
  const works = new Map<string, TextWork>();
  let listener: Listener | null = null;
  return {
    /** A reading with its edits. */
    withEdits(reading: RecognitionResult): RecognitionResult {
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
