import type { Extraction } from '#contract/extraction';
import { PROGRESS_CAP, PROGRESS_STEP } from '#contract/product';
import type { ExtractionFailure } from './extraction-failure.ts';
import type { Rejection } from './picture-file.ts';
import type { TextWork } from './workbench.ts';

/** How a picture is to be read. */
export interface ReadingOptions {
  useFiltering: boolean;
  /** Codes, the main one first; none for English alone. */
  languages: readonly string[];
}

/** One press of the button. Trying again after a lost connection keeps both ids, so that it is paid for once. */
export interface Attempt extends ReadingOptions {
  /** Names the run towards the server's progress reports. */
  extractionId: string;
  idempotencyKey: string;
}

/** A chosen picture; a new number for every choice, even of the same file. */
export interface ChosenPicture {
  file: File;
  number: number;
}

/** A picture's text. */
export interface Reading {
  picture: ChosenPicture;
  attempt: Attempt;
  extraction: Extraction;
  /** What was done to the text when it was shown before; null for one that has just been read. */
  work: TextWork | null;
}

/** `earlier` is the text that was there when the picture was to be read once more: it stands until there is another. */
type Phase =
  | { status: 'idle' }
  | { status: 'selected'; picture: ChosenPicture }
  | {
      status: 'processing';
      picture: ChosenPicture;
      attempt: Attempt;
      percent: number;
      stage: string | null;
      earlier: Reading | null;
    }
  | ({ status: 'result' } & Reading)
  | {
      status: 'failed';
      picture: ChosenPicture;
      attempt: Attempt;
      failure: ExtractionFailure;
      earlier: Reading | null;
    };

/** `problem` is what was wrong with the last file or press; it never touches what was chosen before. */
export type ExtractionState = Phase & { problem: Rejection | null };

export type ExtractionEvent =
  | { type: 'chosen'; file: File }
  | { type: 'rejected'; problem: Rejection }
  | { type: 'started'; attempt: Attempt }
  | { type: 'ticked' }
  | { type: 'staged'; stage: string }
  | { type: 'answered' }
  | { type: 'succeeded'; extraction: Extraction }
  | { type: 'failed'; failure: ExtractionFailure }
  | { type: 'cancelled' }
  /** Somebody else uses the page now, or on another plan. */
  | { type: 'person-changed' }
  | { type: 'reset' }
  /** A text that was put aside is wanted again. */
  | { type: 'opened'; reading: Reading };

export const initialState: ExtractionState = { status: 'idle', problem: null };

/** The text on the screen, if there is one. */
export function readingOf(state: ExtractionState): Reading | null {
  if (state.status === 'idle' || state.status === 'selected') return null;
  if (state.status !== 'result') return state.earlier;
  const { picture, attempt, extraction, work } = state;
  return { picture, attempt, extraction, work };
}

/** Back to what was there before the picture was to be read: its text, or else the picture alone. */
function stepBack(
  { picture, earlier }: { picture: ChosenPicture; earlier: Reading | null },
  problem: Rejection | null,
): ExtractionState {
  return earlier ? { status: 'result', ...earlier, problem } : { status: 'selected', picture, problem };
}

/** No file, file chosen, processing, then a result or a failure. Events that do not fit the phase change nothing. */
export function extractionReducer(state: ExtractionState, event: ExtractionEvent): ExtractionState {
  switch (event.type) {
    case 'chosen': {
      const number = (state.status === 'idle' ? 0 : state.picture.number) + 1;
      return { status: 'selected', picture: { file: event.file, number }, problem: null };
    }
    case 'rejected':
      return { ...state, problem: event.problem };
    case 'started':
      if (state.status === 'idle' || state.status === 'processing') return state;
      return {
        status: 'processing',
        picture: state.picture,
        attempt: event.attempt,
        percent: 0,
        stage: null,
        earlier: readingOf(state),
        problem: null,
      };
    case 'reset':
      return initialState;
    case 'opened':
      return { status: 'result', ...event.reading, problem: null };
    case 'person-changed':
      // A refusal for want of quota or of a session was about who they were before; every other failure still stands.
      return state.status === 'failed' && (state.failure.limit || state.failure.person === 'nobody')
        ? stepBack(state, state.problem)
        : state;
    default:
      return state.status === 'processing' ? whileProcessing(state, event) : state;
  }
}

function whileProcessing(
  state: Extract<ExtractionState, { status: 'processing' }>,
  event: Exclude<
    ExtractionEvent,
    { type: 'chosen' | 'rejected' | 'started' | 'reset' | 'opened' | 'person-changed' }
  >,
): ExtractionState {
  const { picture, attempt, problem, earlier } = state;
  switch (event.type) {
    case 'ticked':
      return {
        ...state,
        percent: Math.max(state.percent, Math.min(PROGRESS_CAP, state.percent + PROGRESS_STEP)),
      };
    case 'staged':
      return { ...state, stage: event.stage };
    case 'answered':
      return { ...state, percent: 100, stage: null };
    case 'succeeded':
      return { status: 'result', picture, attempt, extraction: event.extraction, work: null, problem };
    case 'failed':
      return { status: 'failed', picture, attempt, failure: event.failure, earlier, problem };
    case 'cancelled':
      return stepBack(state, problem);
  }
}
