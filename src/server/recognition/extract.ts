import { createHmac } from 'node:crypto';
import type { Extraction, Progress } from '#contract/extraction';
import {
  type Engine,
  OCR_ERRORS,
  OcrError,
  priorityName,
  type QueueLimits,
  queueCapacityFor,
  type Recognition,
} from '#ocr';
import { toExtraction, toProgress } from '../../answer/answer.ts';
import { AppError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tracing } from '../platform/tracing.ts';
import { RETENTION_MS } from './idempotency-cache.ts';
import { type AllowanceLimits, allowanceOf, refusalOf, type Subject } from './quota/allowance.ts';
import type { Claim, Quota, Reservation } from './quota/quota.repository.ts';
import type { Refunds } from './quota/refunds.ts';
import { clientLeft, fromEngine, recognitionFailed, timedOut } from './recognition.errors.ts';

/** One extraction: reserve quota, recognize, then charge a result with text or release the reservation. */

export interface ExtractionDependencies {
  engine: Engine;
  quota: Quota;
  refunds: Refunds;
  clock: Clock;
  tracing: Tracing;
  limits: AllowanceLimits;
  queue: QueueLimits;
  /** HMAC key of image digests, so that digests in the database cannot be matched to known images. */
  pictureKey: string;
  /** The longest an extraction may take; see `longestExtractionMs`. */
  longestMs: number;
}

export interface RecognitionTask {
  requestId: string;
  subject: Subject;
  picture: Uint8Array;
  filter: boolean;
  languages: readonly string[];
  page?: number;
  /** Throws if the result cannot satisfy the request; nothing is charged then. */
  check?: ((extraction: Extraction) => void) | undefined;
  priority: number;
  onProgress?: (progress: Progress) => void;
}

/** Identifies a request across retries. */
export interface Identity {
  digest: string;
  /**
   * The same for all attempts at one request, if the client sends an Idempotency-Key. Stored in the database, so that a retry
   * is recognized after a restart too.
   */
  name?: string;
}

/** Time for the work around recognition, so that a result just before the limit is not lost. */
const LEASE_MARGIN_MS = 5_000;

/**
 * The longest an extraction may take. Waiting and work each have a limit in the engine. Work counts twice, because an
 * image is restarted if another image crashed its process.
 */
export function longestExtractionMs({ workMs, waitMs }: { workMs: number; waitMs: number }): number {
  return waitMs + 2 * workMs + LEASE_MARGIN_MS;
}

export async function extract(
  dependencies: ExtractionDependencies,
  request: RecognitionTask,
  signal: AbortSignal,
  identity: Identity,
): Promise<Extraction> {
  const { quota, refunds, clock, tracing } = dependencies;
  const full = queueFullError(dependencies, request.priority);
  if (full) throw full;
  const { reservation, claims } = await tracing.span('reserve', () =>
    reserve(dependencies, request.subject, {
      // The lease ends with the request's time limit: a later result times out and is free.
      leaseMs: dependencies.longestMs,
      attempt:
        identity.name === undefined ? undefined : { name: identity.name, withinMs: RETENTION_MS.browser },
      digest: identity.digest,
    }),
  );
  const stopwatch = createStopwatch();
  let charged = false;
  let outcomeUnknown = false;
  try {
    const recognition = await recognize(dependencies, request, signal, stopwatch);
    const extraction = toExtraction(recognition);
    request.check?.(extraction);
    if (extraction.extractedText.trim() !== '' && !reservation.alreadyCharged) {
      outcomeUnknown = true;
      charged = await tracing.span('commit', () => quota.commit(reservation, clock.now()));
      outcomeUnknown = false;
      if (!charged) throw timedOut();
    }
    return extraction;
  } finally {
    if (!charged) {
      const { requestId } = request;
      await refunds.release({
        requestId,
        reservation,
        claims,
        unpaidMs: stopwatch.elapsedMs(),
        outcomeUnknown,
      });
    }
  }
}

/** Retries of one charge are recognized for this long. */
const SAME_CHARGE_MS = 24 * 60 * 60_000;
const CHARGE_TRIES = 5;

/**
 * Charges one extraction for work that was done elsewhere. `name`: the same for all attempts at it.
 * @throws {AppError} if the quota is used up
 */
export async function charge(dependencies: Reserving, subject: Subject, name: string): Promise<void> {
  const { quota, clock } = dependencies;
  const options = { leaseMs: LEASE_MARGIN_MS, attempt: { name, withinMs: SAME_CHARGE_MS } };
  for (let tries = 0; tries < CHARGE_TRIES; tries++) {
    const { reservation } = await reserve(dependencies, subject, options);
    if (reservation.alreadyCharged || (await quota.commit(reservation, clock.now()))) return;
    // Another attempt took over the lease; it is committed or expired by now.
  }
  throw timedOut();
}

/** A full queue is reported before any database query. */
export function queueFullError(
  { engine, queue }: Pick<ExtractionDependencies, 'engine' | 'queue'>,
  priority: number,
): AppError | undefined {
  const { waiting } = engine.status();
  const places = queueCapacityFor(priorityName(priority), queue);
  if (waiting === 0 || waiting < places) return undefined;
  return fromEngine(new OcrError(OCR_ERRORS.queueFull, `${waiting} pictures are waiting already`));
}

type Reserving = Pick<ExtractionDependencies, 'quota' | 'refunds' | 'clock' | 'limits' | 'pictureKey'>;

interface ReserveOptions {
  leaseMs: number;
  /** Identifies retries, within a time limit. */
  attempt?: { name: string; withinMs: number } | undefined;
  /** Digest of the image. */
  digest?: string;
}

async function reserve(
  { quota, refunds, clock, limits, pictureKey }: Reserving,
  subject: Subject,
  { leaseMs, attempt, digest }: ReserveOptions,
): Promise<{ reservation: Reservation; claims: readonly Claim[] }> {
  const now = clock.now();
  const allowance = allowanceOf(subject, limits, now);
  const until = new Date(now.getTime() + leaseMs);
  const options = {
    attempt: attempt && { name: attempt.name, since: new Date(now.getTime() - attempt.withinMs) },
    picture:
      digest &&
      createHmac('sha256', pictureKey)
        .update(`picture of ${allowance.own.holder}: ${digest}`)
        .digest('base64url'),
  };
  const tryReserve = () => quota.reserve(allowance.claims, now, until, options);
  let reserved = await tryReserve();
  // A pending refund may free an extraction.
  if (!reserved.granted && (await refunds.retryFor(reserved.claim))) reserved = await tryReserve();
  if (!reserved.granted) throw refusalOf(subject, allowance, reserved, now);
  return { reservation: reserved.reservation, claims: allowance.claims };
}

async function recognize(
  { engine, longestMs }: ExtractionDependencies,
  { requestId, subject, picture, page, filter, languages, priority, onProgress }: RecognitionTask,
  signal: AbortSignal,
  stopwatch: Stopwatch,
): Promise<Recognition> {
  const timeLimit = AbortSignal.timeout(longestMs);
  try {
    return await engine.recognize(picture, {
      filter,
      thorough: isAdvanced(subject),
      languages,
      ...(page !== undefined && { page }),
      priority,
      sender: subject.id,
      signal: AbortSignal.any([signal, timeLimit]),
      origin: { requestId },
      onStage(stage) {
        if (stage.name === 'queued' || stage.name === 'fetching-language') stopwatch.reset();
        else stopwatch.start();
        onProgress?.(toProgress(stage));
      },
    });
  } catch (error) {
    if (signal.aborted) throw clientLeft(error);
    if (timeLimit.aborted) throw timedOut(error);
    throw fromEngineFailure(error);
  }
}

/** Advanced recognition is for premium users: in the browser, by API key and in jobs. */
export const isAdvanced = ({ kind }: Subject): boolean => kind === 'premium-user';

export function fromEngineFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof OcrError ? fromEngine(error) : recognitionFailed(error);
}

interface Stopwatch {
  start(): void;
  reset(): void;
  elapsedMs(): number;
}

/** Measures from the start of recognition: waiting in the queue is free. */
function createStopwatch(): Stopwatch {
  let started: number | undefined;
  return {
    start: () => {
      started ??= performance.now();
    },
    reset: () => {
      started = undefined;
    },
    elapsedMs: () => (started === undefined ? 0 : performance.now() - started),
  };
}
