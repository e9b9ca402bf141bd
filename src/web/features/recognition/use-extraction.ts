import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { PROGRESS_INTERVAL_MS } from '#contract/product';
import { recognition } from '../../calls.ts';
import { dismiss, toast } from '../../ui/toast-store.ts';
import { connectionLost, type ExtractionFailure } from './extraction-failure.ts';
import {
  type Attempt,
  extractionReducer,
  initialState,
  type Reading,
  type ReadingOptions,
} from './extraction-state.ts';
import { NO_FILE, type Rejection, rejectionOf } from './picture-file.ts';
import { loadPlainResult, loadWorkspace } from './result-view.tsx';

/** How long the full bar stays, so that the jump to 100 % can be seen. */
const COMPLETE_MS = 300;

interface ExtractionHooks {
  onSuccess: (extraction: Extraction) => void;
  onFailure: (failure: ExtractionFailure) => void;
}

/** The call, what checks its answer, and what can show a text: not needed before a picture is chosen. */
const loadCall = async () => {
  const [{ extractText }, { watchStages }] = await Promise.all([
    import('./extract-text.ts'),
    import('./extraction-stages.ts'),
    recognition.load(),
    loadPlainResult(),
  ]);
  return { extractText, watchStages };
};

const newAttempt = ({ useFiltering, languages }: ReadingOptions): Attempt => ({
  extractionId: crypto.randomUUID(),
  idempotencyKey: crypto.randomUUID(),
  useFiltering,
  languages,
});

/** The tool's state and what can be done to it. One picture is processed at a time. */
export function useExtraction({ onSuccess, onFailure }: ExtractionHooks) {
  const [state, dispatch] = useReducer(extractionReducer, initialState);
  const running = useRef<AbortController | null>(null);
  const hooks = useRef({ onSuccess, onFailure });
  useEffect(() => {
    hooks.current = { onSuccess, onFailure };
  });

  const isProcessing = state.status === 'processing';
  useEffect(() => {
    if (!isProcessing) return;
    const timer = setInterval(() => dispatch({ type: 'ticked' }), PROGRESS_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isProcessing]);

  // Whoever leaves the page takes the picture along: nothing goes on behind their back.
  useEffect(() => () => running.current?.abort(), []);

  const reject = useCallback((problem: Rejection) => {
    dispatch({ type: 'rejected', problem });
    toast({ ...problem, variant: 'destructive' });
  }, []);

  const choose = useCallback(
    (file: File) => {
      const problem = rejectionOf(file);
      if (problem) return reject(problem);
      running.current?.abort();
      dismiss();
      dispatch({ type: 'chosen', file });
      // Ahead of need: a failure is met again, and told, when the call is made.
      loadCall().catch(() => {});
      loadWorkspace().catch(() => {});
    },
    [reject],
  );

  const run = useCallback(async (file: File, attempt: Attempt) => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current?.abort();
    running.current = controller;
    // What was said of the last press is past.
    dismiss();
    dispatch({ type: 'started', attempt });
    try {
      const { extractText, watchStages } = await loadCall();
      watchStages(attempt.extractionId, (stage) => dispatch({ type: 'staged', stage }), signal);
      const answer = await extractText(file, attempt, signal);
      dispatch({ type: 'answered' });
      await new Promise((resolve) => setTimeout(resolve, COMPLETE_MS));
      if (signal.aborted) return;
      if (answer.ok) {
        dispatch({ type: 'succeeded', extraction: answer.extraction });
        hooks.current.onSuccess(answer.extraction);
      } else {
        dispatch({ type: 'failed', failure: answer.failure });
        hooks.current.onFailure(answer.failure);
      }
    } catch {
      // Without an answer there is only this: the code that would send the picture could not be loaded.
      if (signal.aborted) return;
      dispatch({ type: 'failed', failure: connectionLost });
      hooks.current.onFailure(connectionLost);
    } finally {
      controller.abort();
    }
  }, []);

  const extract = (options: ReadingOptions) => {
    if (state.status === 'idle') return reject(NO_FILE);
    if (state.status !== 'processing') void run(state.picture.file, newAttempt(options));
  };

  /** The same press once more if it was never answered; a new one if the server answered with a failure. */
  const retry = () => {
    if (state.status !== 'failed') return;
    const { attempt, failure, picture } = state;
    void run(picture.file, failure.status === null ? attempt : newAttempt(attempt));
  };

  const cancel = () => {
    running.current?.abort();
    dispatch({ type: 'cancelled' });
  };

  const reset = () => {
    running.current?.abort();
    dispatch({ type: 'reset' });
  };

  const open = useCallback((reading: Reading) => {
    running.current?.abort();
    dismiss();
    dispatch({ type: 'opened', reading });
  }, []);

  const personChanged = useCallback(() => dispatch({ type: 'person-changed' }), []);

  return { state, choose, extract, retry, cancel, reset, open, personChanged };
}
