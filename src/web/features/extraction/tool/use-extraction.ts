import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { useEventCallback } from '../../../ui/basics/use-event-callback.ts';
import { dismiss, toast } from '../../../ui/toast/toast-store.ts';
import type { PictureEdit } from '../../../workspace/image/redraw-picture.ts';
import type { Attempt, ChosenPicture, Reading, ReadingOptions } from '../../../workspace/reading.ts';
import type { ImageUpload } from '../upload/image-upload.ts';
import { connectionLost, type ExtractionFailure } from './extraction-failure.ts';
import { type ExtractionState, extractionReducer } from './extraction-state.ts';
import { NO_FILE, type Rejection, type Remedy, rejectionOf } from './image-file.ts';
import { attemptFor, inspectFile, newAttempt, repairFile, useProgressTicks } from './picture-actions.ts';
import { loadWorkspace } from './result-view.tsx';

interface ExtractionHooks {
  onSuccess: (extraction: Extraction) => void;
  onFailure: (failure: ExtractionFailure) => void;
  onPages: (file: File) => void;
}

/** What sends a picture: not needed before one is chosen. */
const loadImageUpload = () => import('../upload/image-upload.ts');

/**
 * The tool's state, from `first` on, and its actions. One picture is processed at a time. One closure, because every action
 * may abort the extraction that is running.
 */
export function useExtraction(first: ExtractionState, given: ExtractionHooks) {
  const [state, dispatch] = useReducer(extractionReducer, first);
  const reader = useRef<ImageUpload | null>(null);
  const running = useRef<AbortController | null>(null);
  const latestFile = useRef<File | null>(null);
  const onSuccess = useEventCallback(given.onSuccess);
  const onFailure = useEventCallback(given.onFailure);
  const onPages = useEventCallback(given.onPages);
  useProgressTicks(state.status === 'processing', () => dispatch({ type: 'ticked' }));

  // Leaving the page aborts the upload.
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
      // A document is no image, but its pages can be read: no message before that is known.
      if (rejectionOf(file)) {
        inspectFile(file).then((problem) => {
          if (!problem || latestFile.current !== file) return;
          if (problem.remedy?.kind === 'open-pages') onPages(file);
          else reject(problem);
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
      // Only a warning: the server decides what it reads.
      inspectFile(file).then((problem) => {
        if (!problem || latestFile.current !== file) return;
        // A picture that is being read is left alone; its pages are offered instead.
        if (problem.remedy?.kind === 'open-pages' && !running.current) onPages(file);
        else dispatch({ type: 'rejected', problem });
      });
    },
    [reject, imageUpload, onPages],
  );

  const remedy = useCallback(
    async (problem: Rejection, step: Remedy) => {
      dismiss();
      if (step.kind === 'open-pages') return onPages(step.file);
      const repaired = await repairFile(problem, step, dispatch);
      if (repaired) choose(repaired);
    },
    [choose, onPages],
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
    if (answer?.ok) onSuccess(answer.extraction);
    else if (answer) onFailure(answer.failure);
  };

  const extract = (options: ReadingOptions) => {
    if (state.status === 'idle') {
      reject(NO_FILE);
      return;
    }
    if (state.status !== 'processing') void run(state.picture.file, newAttempt(options));
  };

  /** Reads a part of the shown picture as a picture of its own; the text stays until there is another. */
  const extractPart = (part: File, options: ReadingOptions) => {
    if (state.status === 'result' || state.status === 'failed') void run(part, newAttempt(options), part);
  };

  const redraw = useCallback(
    ({ number: from }: ChosenPicture, file: File, edit: PictureEdit) =>
      dispatch({ type: 'redrawn', from, file, edit }),
    [],
  );

  /** After a lost connection the same attempt again; after an error a new one. */
  const retry = () => {
    if (state.status !== 'failed') return;
    void run(state.picture.file, attemptFor(state, state.attempt));
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
