import type { Extraction } from '#contract/extraction';
import { PROGRESS_CAP, PROGRESS_STEP } from '#contract/product';
import type { PictureEdit } from '../../../workspace/image/redraw-picture.ts';
import type { Attempt, ChosenPicture, RecognitionResult } from '../../../workspace/reading.ts';
import type { Rejection } from './image-file.ts';

export interface ExtractionFailure {
  /** A message for the user. */
  message: string;
  /** HTTP status; null without a response (offline or lost connection), 0 for a failure on the device. */
  status: number | null;
  /** Set if the quota is used up, with the flags of the response. */
  limit: { requiresAuth: boolean; requiresPayment: boolean } | null;
  /** Set if the session of the shown user has ended or belongs to another user. */
  person: 'signed-out' | 'other-user' | null;
  /** Whether the request may be sent again: there was no response, or the server was busy. */
  retryable: boolean;
}

export type ExtractionAnswer =
  | { ok: true; extraction: Extraction; onDevice?: true }
  | { ok: false; failure: ExtractionFailure };

const NO_RESPONSE_TEXT = 'Please try again';

export const CONNECTION_LOST_TEXT = 'The connection was lost before an answer came.';
export const OFFLINE_TEXT = 'You are offline. Try again once you are connected: it is counted once.';

export const connectionLost: ExtractionFailure = {
  message: NO_RESPONSE_TEXT,
  status: null,
  limit: null,
  person: null,
  retryable: true,
};

/** The sent bytes and the total bytes of an upload. */
export interface Sending {
  bytes: number;
  of: number;
}

/** `earlier`: the previous result while a picture is read again. It is shown until there is a new result. */
type Phase =
  | { status: 'idle' }
  | { status: 'selected'; picture: ChosenPicture }
  | {
      status: 'processing';
      picture: ChosenPicture;
      attempt: Attempt;
      percent: number;
      /** Upload progress; null while unknown, and for a picture that was sent in one step. */
      sending: Sending | null;
      stage: string | null;
      /** No response for a while. */
      silent: boolean;
      earlier: RecognitionResult | null;
    }
  | ({ status: 'result' } & RecognitionResult)
  | {
      status: 'failed';
      picture: ChosenPicture;
      attempt: Attempt;
      failure: ExtractionFailure;
      earlier: RecognitionResult | null;
    };

/** `problem`: the problem of the last file or click. It does not change the phase. */
export type ExtractionState = Phase & { problem: Rejection | null };

/** Events while a picture is read. */
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
  /** Adds details to the problem, if it is still the current one. */
  | { type: 'explained'; problem: Rejection; more: Partial<Rejection> }
  | { type: 'redrawn'; from: number; file: File; edit: PictureEdit }
  /** `part`: a crop of the shown picture, which is read as a separate picture. */
  | { type: 'started'; attempt: Attempt; part?: File | undefined }
  /** The user or the plan has changed. */
  | { type: 'person-changed' }
  | { type: 'reset' }
  /** Shows an earlier result again. */
  | { type: 'opened'; reading: RecognitionResult };

export const initialState: ExtractionState = { status: 'idle', problem: null };

export function readingOf(state: ExtractionState): RecognitionResult | null {
  if (state.status === 'idle' || state.status === 'selected') return null;
  if (state.status !== 'result') return state.earlier;
  const { picture, attempt, extraction, work } = state;
  return { picture, attempt, extraction, work };
}

/** Returns to the phase before the reading: the earlier result, or the selected picture. */
function stepBack(
  { picture, earlier }: { picture: ChosenPicture; earlier: RecognitionResult | null },
  problem: Rejection | null,
): ExtractionState {
  return earlier ? { status: 'result', ...earlier, problem } : { status: 'selected', picture, problem };
}

/** A redrawn picture replaces the one that it was drawn from, if that is still waiting. */
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

/** The phases: no file, file chosen, processing, then a result or a failure. Events that do not fit the phase are ignored. */
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
      // A quota or session failure concerned the previous user; other failures stay.
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
      // The percentage only shows activity; the text next to it shows the real progress.
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
