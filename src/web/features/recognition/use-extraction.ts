import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { PROGRESS_INTERVAL_MS, SILENCE_SECONDS } from '#contract/product';
import { recognition } from '../../calls.ts';
import { dismiss, toast } from '../../ui/toast-store.ts';
import type { Extracting, ReadyPicture } from './extract-text.ts';
import { connectionLost, type ExtractionFailure } from './extraction-failure.ts';
import { loadSilence } from './extraction-progress.tsx';
import {
  type Attempt,
  type ChosenPicture,
  extractionReducer,
  initialState,
  type Reading,
  type ReadingOptions,
} from './extraction-state.ts';
import { NO_FILE, type Rejection, type Remedy, rejectionOf, WORTH_SCALING } from './picture-file.ts';
import type { PictureEdit } from './redraw-picture.ts';
import { loadPlainResult, loadWorkspace } from './result-view.tsx';

/** How long the full bar stays, so that the jump to 100 % can be seen. */
const COMPLETE_MS = 300;

interface ExtractionHooks {
  onSuccess: (extraction: Extraction) => void;
  onFailure: (failure: ExtractionFailure) => void;
}

/** The call, what checks its answer, and what can show a text: not needed before a picture is chosen. */
const loadCall = async () => {
  const [{ startExtracting }] = await Promise.all([
    import('./extract-text.ts'),
    import('../../send-with-progress.ts'),
    recognition.load(),
    loadPlainResult(),
    // Where it cannot be had, there is Cancel.
    loadSilence().catch(() => {}),
  ]);
  return startExtracting;
};

const loadRefused = () => import('./refused-file.ts');

/** A chosen file on its way to being sent. */
interface Readying {
  file: File;
  picture: Promise<ReadyPicture>;
  giveUp: () => void;
}

/** Makes a picture fit to be sent; one that cannot be made smaller goes as it is. */
function makeReady(file: File): Readying {
  const leaving = new AbortController();
  const asItIs = { file, original: null };
  const picture =
    file.size < WORTH_SCALING
      ? Promise.resolve(asItIs)
      : import('./picture-scaling.ts').then(
          ({ withoutNeedlessPixels }) => withoutNeedlessPixels(file, leaving.signal).catch(() => asItIs),
          () => asItIs,
        );
  return { file, picture, giveUp: () => leaving.abort() };
}

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
  const readying = useRef<Readying | null>(null);
  const extracting = useRef<Extracting | null>(null);
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined);
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
  useEffect(
    () => () => {
      running.current?.abort();
      readying.current?.giveUp();
    },
    [],
  );

  const reject = useCallback((problem: Rejection) => {
    dispatch({ type: 'rejected', problem });
    const { title, description } = problem;
    toast({ title, description, variant: 'destructive' });
  }, []);

  /** The same file is made ready once, so that what is sent again is the same to the byte. */
  const ready = useCallback((file: File): Readying => {
    if (readying.current?.file !== file) {
      readying.current?.giveUp();
      readying.current = makeReady(file);
    }
    return readying.current;
  }, []);

  const choose = useCallback(
    (file: File) => {
      const refused = rejectionOf(file);
      if (refused) {
        // A problem of its own, so that what is found out late is not said of the next one.
        const problem = { ...refused };
        reject(problem);
        loadRefused()
          .then(async ({ wayOn }) => dispatch({ type: 'explained', problem, more: await wayOn(file) }))
          .catch(() => {});
        return;
      }
      running.current?.abort();
      dismiss();
      dispatch({ type: 'chosen', file });
      // Ahead of need: a failure is met again, and told, when the call is made.
      loadCall().catch(() => {});
      loadWorkspace().catch(() => {});
      ready(file);
      // Whether it is read all the same is for the server to judge.
      loadRefused()
        .then(async ({ misnamed }) => {
          const problem = await misnamed(file);
          if (problem && readying.current?.file === file) dispatch({ type: 'rejected', problem });
        })
        .catch(() => {});
    },
    [reject, ready],
  );

  const remedy = useCallback(
    async (problem: Rejection, step: Remedy) => {
      dismiss();
      const busy = { ...problem, remedy: { ...step, underWay: 'One moment...' } };
      dispatch({ type: 'rejected', problem: busy });
      const made = await loadRefused()
        .then(({ remedied }) => remedied(step))
        .catch(() => ({ about: 'That did not work. Check your connection and try again.' }));
      if (made instanceof File) choose(made);
      else dispatch({ type: 'explained', problem: busy, more: { remedy: step, ...made } });
    },
    [choose],
  );

  /** Something was heard: from now on it is counted anew how long nothing is. */
  const heard = useCallback((signal: AbortSignal) => {
    clearTimeout(silence.current);
    if (signal.aborted) return;
    silence.current = setTimeout(() => {
      if (!signal.aborted) dispatch({ type: 'fell-silent' });
    }, SILENCE_SECONDS * 1000);
  }, []);

  const run = useCallback(
    async (file: File, attempt: Attempt, part?: File) => {
      const controller = new AbortController();
      const { signal } = controller;
      running.current?.abort();
      running.current = controller;
      // What was said of the last press is past.
      dismiss();
      dispatch({ type: 'started', attempt, ...(part && { part }) });
      try {
        heard(signal);
        const startExtracting = await loadCall();
        const picture = await ready(file).picture;
        if (signal.aborted) return;
        extracting.current = startExtracting(
          picture,
          attempt,
          {
            onSent(bytes, of) {
              heard(signal);
              dispatch({ type: 'sent', bytes, of });
            },
            onStage(told) {
              heard(signal);
              dispatch({ type: 'staged', ...told });
            },
          },
          signal,
        );
        const answer = await extracting.current.answer;
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
        if (running.current === controller) {
          clearTimeout(silence.current);
          extracting.current = null;
        }
      }
    },
    [heard, ready],
  );

  /** The same once more, beside what may still answer. */
  const tryAgain = () => {
    if (!running.current) return;
    dispatch({ type: 'tried-again' });
    heard(running.current.signal);
    extracting.current?.again();
  };

  const extract = (options: ReadingOptions) => {
    if (state.status === 'idle') return reject(NO_FILE);
    if (state.status !== 'processing') void run(state.picture.file, newAttempt(options));
  };

  /** Reads a part of the picture whose text is shown, as a picture of its own; that text stands until there is another. */
  const extractPart = (part: File, options: ReadingOptions) => {
    if (state.status === 'result' || state.status === 'failed') void run(part, newAttempt(options), part);
  };

  const redraw = useCallback(
    ({ number: from }: ChosenPicture, file: File, edit: PictureEdit) =>
      dispatch({ type: 'redrawn', from, file, edit }),
    [],
  );

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

  return {
    state,
    choose,
    redraw,
    complain: reject,
    remedy,
    extract,
    extractPart,
    retry,
    tryAgain,
    cancel,
    reset,
    open,
    personChanged,
  };
}
