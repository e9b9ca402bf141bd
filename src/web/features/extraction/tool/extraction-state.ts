import type { Extraction } from '#contract/extraction';
import { PROGRESS_CAP, PROGRESS_STEP } from '#contract/product';
import type { PictureEdit } from '../../../workspace/image/redraw-picture.ts';
import type { Attempt, ChosenPicture, Reading } from '../../../workspace/reading.ts';
import type { Rejection } from './image-file.ts';

export interface ExtractionFailure {
  /** A sentence for a person. */
  message: string;
  /** Null when no answer came: offline, or the connection was lost. */
  status: number | null;
  /** The quota is used up; the flags of the answer say what could be done about it. */
  limit: { requiresAuth: boolean; requiresPayment: boolean } | null;
  /** Refused because the session of the shown person has ended, or belongs to another account. */
  person: 'signed-out' | 'other-user' | null;
  /** The same press may be sent again: nothing was answered, or the server was only busy. */
  retryable: boolean;
}

export type ExtractionAnswer =
  | { ok: true; extraction: Extraction; onDevice?: true }
  | { ok: false; failure: ExtractionFailure };

const NO_ANSWER = 'Please try again';

export const LOST = 'The connection was lost before an answer came.';
export const OFFLINE = 'You are offline. Try again once you are connected: it is counted once.';

export const connectionLost: ExtractionFailure = {
  message: NO_ANSWER,
  status: null,
  limit: null,
  person: null,
  retryable: true,
};

/** Bytes that have left, and bytes in all. */
export interface Sending {
  bytes: number;
  of: number;
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
      /** How much of the picture is sent; null while unknown, and for one that was sent at once. */
      sending: Sending | null;
      stage: string | null;
      /** No response for a while. */
      silent: boolean;
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

/** What happens while a picture is read. */
type ProgressEvent =
  | { type: 'ticked' }
  | ({ type: 'sent' } & Sending)
  | { type: 'staged'; stage: string }
  | { type: 'fell-silent' }
  | { type: 'tried-again' }
  | { type: 'answered' }
  | { type: 'succeeded'; extraction: Extraction; onDevice?: true | undefined }
  | { type: 'failed'; failure: ExtractionFailure }
  | { type: 'cancelled' };

export type ExtractionEvent =
  | ProgressEvent
  | { type: 'chosen'; file: File }
  | { type: 'rejected'; problem: Rejection }
  /** More is known about the problem, if that still stands. */
  | { type: 'explained'; problem: Rejection; more: Partial<Rejection> }
  | { type: 'redrawn'; from: number; file: File; edit: PictureEdit }
  /** `part`: a picture of its own that was cut out of the one whose text is shown. */
  | { type: 'started'; attempt: Attempt; part?: File | undefined }
  /** The user or the plan has changed. */
  | { type: 'person-changed' }
  | { type: 'reset' }
  /** A text that was put aside is wanted again. */
  | { type: 'opened'; reading: Reading };

export const initialState: ExtractionState = { status: 'idle', problem: null };

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

/** A redrawn picture replaces the one it was drawn from, if that is still waiting to be read. */
function redrawnPicture(
  state: ExtractionState,
  { from, file, edit }: Extract<ExtractionEvent, { type: 'redrawn' }>,
): ExtractionState {
  const waits = state.status === 'selected' || (state.status === 'failed' && !state.earlier);
  if (!waits || state.picture.number !== from) return state;
  const number = from + 1;
  const picture = file === edit.original ? { file, number } : { file, number, edit };
  return { status: 'selected', picture, problem: null };
}

/** No file, file chosen, processing, then a result or a failure. Events that do not fit the phase change nothing. */
export function extractionReducer(state: ExtractionState, event: ExtractionEvent): ExtractionState {
  switch (event.type) {
    case 'chosen': {
      const number = (state.status === 'idle' ? 0 : state.picture.number) + 1;
      return { status: 'selected', picture: { file: event.file, number }, problem: null };
    }
    case 'redrawn':
      return redrawnPicture(state, event);
    case 'rejected':
      return { ...state, problem: event.problem };
    case 'explained':
      return state.problem === event.problem
        ? { ...state, problem: { ...event.problem, ...event.more } }
        : state;
    case 'started':
      if (state.status === 'idle' || state.status === 'processing') return state;
      return {
        status: 'processing',
        picture: event.part ? { file: event.part, number: state.picture.number + 1 } : state.picture,
        attempt: event.attempt,
        percent: 0,
        sending: null,
        stage: null,
        silent: false,
        earlier: readingOf(state),
        problem: null,
      };
    case 'reset':
      return initialState;
    case 'opened':
      return { status: 'result', ...event.reading, problem: null };
    case 'person-changed':
      // A refusal for want of quota or of a session was about who they were before; every other failure still stands.
      return state.status === 'failed' && (state.failure.limit || state.failure.person === 'signed-out')
        ? stepBack(state, state.problem)
        : state;
    default:
      return state.status === 'processing' ? whileProcessing(state, event) : state;
  }
}

function whileProcessing(
  state: Extract<ExtractionState, { status: 'processing' }>,
  event: ProgressEvent,
): ExtractionState {
  const { picture, attempt, problem, earlier } = state;
  switch (event.type) {
    case 'ticked':
      // It says only that something goes on; the line of text beside it says what.
      return {
        ...state,
        percent: Math.max(state.percent, Math.min(PROGRESS_CAP, state.percent + PROGRESS_STEP)),
      };
    case 'sent': {
      const { bytes, of } = event;
      if (bytes >= of && !state.sending) return { ...state, silent: false };
      return { ...state, silent: false, sending: { bytes, of } };
    }
    case 'staged':
      return { ...state, stage: event.stage, silent: false };
    case 'fell-silent':
      return { ...state, silent: true };
    case 'tried-again':
      return { ...state, silent: false };
    case 'answered':
      return { ...state, percent: 100, sending: null, stage: null, silent: false };
    case 'succeeded':
      return {
        status: 'result',
        picture,
        attempt: event.onDevice ? { ...attempt, onDevice: true } : attempt,
        extraction: event.extraction,
        work: null,
        problem,
      };
    case 'failed':
      return { status: 'failed', picture, attempt, failure: event.failure, earlier, problem };
    case 'cancelled':
      return stepBack(state, problem);
  }
}
