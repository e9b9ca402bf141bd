import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { PROGRESS_INTERVAL_MS } from '#contract/product';
import { dismiss, toast } from '../../../ui/toast/toast-store.ts';
import type { PictureEdit } from '../../../workspace/image/redraw-picture.ts';
import type { Attempt, ChosenPicture, Reading, ReadingOptions } from '../../../workspace/reading.ts';
import type { ImageUpload } from '../upload/image-upload.ts';
import { connectionLost, type ExtractionFailure } from './extraction-failure.ts';
import { type ExtractionState, extractionReducer } from './extraction-state.ts';
import { NO_FILE, type Rejection, type Remedy, rejectionOf } from './image-file.ts';
import { loadWorkspace } from './result-view.tsx';

interface ExtractionHooks {
  onSuccess: (extraction: Extraction) => void;
  onFailure: (failure: ExtractionFailure) => void;
  /** The pages of a document are wanted as pictures. */
  onPages: (file: File) => void;
}

/** What sends a picture: not needed before one is chosen. */
const loadImageUpload = () => import('../upload/image-upload.ts');

/** Explains refused files and repairs them. */
export const loadFileProblems = () => import('../choose/file-problems.ts');

export const newAttempt = ({ useFiltering, languages }: ReadingOptions): Attempt => ({
  extractionId: crypto.randomUUID(),
  idempotencyKey: crypto.randomUUID(),
  useFiltering,
  languages,
});

/** The tool's state, from `first` on, and what can be done to it. One picture is processed at a time. */
export function useExtraction(first: ExtractionState, given: ExtractionHooks) {
  const [state, dispatch] = useReducer(extractionReducer, first);
  const reader = useRef<ImageUpload | null>(null);
  const running = useRef<AbortController | null>(null);
  const latestFile = useRef<File | null>(null);
  const hooks = useRef(given);
  useEffect(() => {
    hooks.current = given;
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
      reader.current?.giveUp();
    },
    [],
  );

  const imageUpload = useCallback(async () => {
    const { createImageUpload } = await loadImageUpload();
    reader.current ??= createImageUpload(dispatch);
    return reader.current;
  }, []);

  const reject = useCallback((problem: Rejection) => {
    dispatch({ type: 'rejected', problem });
    const { title, description } = problem;
    return toast({ title, description, variant: 'destructive' });
  }, []);

  const choose = useCallback(
    (file: File) => {
      latestFile.current = file;
      const refused = rejectionOf(file);
      if (refused) {
        // Nothing is said before it is known whether it is a document, whose pages can be read.
        loadFileProblems()
          .then(({ findRemedy }) => findRemedy(file))
          .catch(() => ({}))
          .then((more: Partial<Rejection>) => {
            if (latestFile.current !== file) return;
            if (more.remedy?.kind === 'open-pages') hooks.current.onPages(file);
            else reject({ ...refused, ...more });
          });
        return;
      }
      running.current?.abort();
      running.current = null;
      dismiss();
      dispatch({ type: 'chosen', file });
      // Ahead of need: a failure occurs again, and is reported, when the call is made.
      imageUpload()
        .then((its) => its.ready(file).picture)
        .catch(() => {});
      loadImageUpload()
        .then(({ loadCall }) => loadCall())
        .catch(() => {});
      loadWorkspace().catch(() => {});
      // Whether it is read all the same is for the server to judge.
      loadFileProblems()
        .then(async ({ findMismatch }) => {
          const problem = await findMismatch(file);
          if (!problem || latestFile.current !== file) return;
          // A picture that is being read is left alone; its pages are offered instead.
          if (problem.remedy?.kind === 'open-pages' && !running.current) hooks.current.onPages(file);
          else dispatch({ type: 'rejected', problem });
        })
        .catch(() => {});
    },
    [reject, imageUpload],
  );

  const remedy = useCallback(
    async (problem: Rejection, step: Remedy) => {
      dismiss();
      if (step.kind === 'open-pages') return hooks.current.onPages(step.file);
      const busy = { ...problem, remedy: { ...step, underWay: 'One moment...' } };
      dispatch({ type: 'rejected', problem: busy });
      const made = await loadFileProblems()
        .then(({ applyRemedy }) => applyRemedy(step))
        .catch(() => ({ about: 'That did not work. Check your connection and try again.' }));
      if (made instanceof File) choose(made);
      else dispatch({ type: 'explained', problem: busy, more: { remedy: step, ...made } });
    },
    [choose],
  );

  const run = async (file: File, attempt: Attempt, part?: File) => {
    const leaving = new AbortController();
    running.current?.abort();
    running.current = leaving;
    // The message about the last press is out of date.
    dismiss();
    dispatch({ type: 'started', attempt, ...(part && { part }) });
    const answer = await imageUpload().then(
      (its) => (leaving.signal.aborted ? null : its.read(file, attempt, leaving)),
      () => {
        if (leaving.signal.aborted) return null;
        dispatch({ type: 'failed', failure: connectionLost });
        return { ok: false as const, failure: connectionLost };
      },
    );
    if (answer?.ok) hooks.current.onSuccess(answer.extraction);
    else if (answer) hooks.current.onFailure(answer.failure);
  };

  const extract = (options: ReadingOptions) => {
    if (state.status === 'idle') {
      reject(NO_FILE);
      return;
    }
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

  const reset = useCallback(() => {
    running.current?.abort();
    dispatch({ type: 'reset' });
  }, []);

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
    reportProblem: reject,
    remedy,
    extract,
    extractPart,
    retry,
    tryAgain: () => reader.current?.again(),
    cancel,
    reset,
    open,
    personChanged,
  };
}
