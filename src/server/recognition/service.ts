import { createHash } from 'node:crypto';
import type { Extraction } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import type { Progress } from '#contract/progress';
import type { Usage } from '#contract/usage';
import { type Engine, type Language, OcrError, PRIORITY, type Recognition, type Stage } from '#ocr';
import { AppError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { type AllowanceLimits, allowanceOf, refusalOf, type Subject } from './allowance.ts';
import { toExtraction } from './answer.ts';
import { clientGone, fromEngine, recognitionFailed, timedOut } from './errors.ts';
import type { Quota, Reservation } from './quota.ts';
import { createRepeats } from './repeats.ts';

export interface ExtractionRequest {
  subject: Subject;
  /** Handed over: not to be used afterwards. */
  picture: Uint8Array;
  filter: boolean;
  /** Codes that the subject may use, the main one first. */
  languages: readonly string[];
  /** A repetition with the same key within 30 seconds gets the same result and costs nothing. */
  idempotencyKey: string | undefined;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

export interface RecognitionService {
  /** @throws {AppError} */
  extract(request: ExtractionRequest): Promise<Extraction>;
  /** A PNG that every browser can show. Costs nothing. @throws {AppError} */
  preview(picture: Uint8Array): Promise<Uint8Array>;
  usage(subject: Subject): Promise<Usage>;
  /** Those whose data is installed, English first and the others by name. */
  languages(): Promise<Language[]>;
}

interface RecognitionServiceOptions {
  engine: Engine;
  quota: Quota;
  clock: Clock;
  logger: Logger;
  limits: AllowanceLimits;
  /** The longest an extraction may take, waiting included. */
  timeoutMs: number;
}

/** Longer side of a preview, in pixels. */
const PREVIEW_SIDE = 1600;

export function createRecognitionService(options: RecognitionServiceOptions): RecognitionService {
  const { engine, quota, clock, logger, limits, timeoutMs } = options;
  const repeats = createRepeats<Extraction>(clock);

  async function reserve(subject: Subject): Promise<Reservation> {
    const now = clock.now();
    const allowance = allowanceOf(subject, limits, now);
    // The lease ends with the job's time: whatever comes later is answered as too late, and is free.
    const until = new Date(now.getTime() + timeoutMs);
    const reserved = await quota.reserve(allowance.claims, now, until);
    if (!reserved.granted) throw refusalOf(subject, allowance, reserved, now);
    return reserved.reservation;
  }

  async function extractOnce(request: ExtractionRequest, signal: AbortSignal): Promise<Extraction> {
    const reservation = await reserve(request.subject);
    const stopwatch = createStopwatch();
    let charged = false;
    try {
      const recognition = await recognise(request, signal, stopwatch);
      const extraction = toExtraction(recognition);
      if (extraction.extractedText.trim() !== '') {
        charged = await quota.commit(reservation, clock.now());
        if (!charged) throw timedOut();
      }
      return extraction;
    } finally {
      if (!charged) await giveBack(reservation, stopwatch.elapsedMs());
    }
  }

  async function recognise(
    { subject, picture, filter, languages, onProgress }: ExtractionRequest,
    signal: AbortSignal,
    stopwatch: Stopwatch,
  ): Promise<Recognition> {
    const timeLimit = AbortSignal.timeout(timeoutMs);
    try {
      return await engine.recognise(picture, {
        filter,
        languages,
        priority: subject.kind === 'premium-user' ? PRIORITY.premium : PRIORITY.free,
        signal: AbortSignal.any([signal, timeLimit]),
        onStage(stage) {
          if (stage.name !== 'queued') stopwatch.start();
          onProgress(toProgress(stage));
        },
      });
    } catch (error) {
      if (signal.aborted) throw clientGone(error);
      if (timeLimit.aborted) throw timedOut(error);
      throw fromEngineFailure(error);
    }
  }

  /** A failure here changes nothing for the client: the lease runs out by itself. */
  async function giveBack(reservation: Reservation, unpaidMs: number): Promise<void> {
    try {
      await quota.release(reservation, unpaidMs);
    } catch (error) {
      logger.error({ err: error }, 'an extraction could not be given back; its lease will run out');
    }
  }

  return {
    async extract(request) {
      const { subject, picture, filter, languages, idempotencyKey, signal } = request;
      if (idempotencyKey === undefined) return extractOnce(request, signal);
      const fingerprint = createHash('sha256')
        .update(picture)
        .update(`${filter} ${languages.join('+')}`)
        .digest('base64url');
      return repeats.share(`${subject.id} ${idempotencyKey}`, fingerprint, signal, (shared) =>
        extractOnce(request, shared),
      );
    },

    async preview(picture) {
      try {
        return await engine.preview(picture, PREVIEW_SIDE);
      } catch (error) {
        throw fromEngineFailure(error);
      }
    },

    async languages() {
      const installed = await engine.languages();
      const isBuiltIn = ({ code }: Language) => code === BUILT_IN_LANGUAGE;
      return [...installed.filter(isBuiltIn), ...installed.filter((language) => !isBuiltIn(language))];
    },

    async usage(subject) {
      const now = clock.now();
      const { own, period } = allowanceOf(subject, limits, now);
      return {
        imageCount: Math.min(own.limit, await quota.used(own, now)),
        dailyLimit: own.limit,
        period,
        resetsAt: own.periodEnds.toISOString(),
      };
    },
  };
}

function fromEngineFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof OcrError ? fromEngine(error) : recognitionFailed(error);
}

function toProgress(stage: Stage): Progress {
  return stage.name === 'reading'
    ? { stage: 'reading', line: stage.line, of: stage.of }
    : { stage: stage.name };
}

interface Stopwatch {
  start(): void;
  elapsedMs(): number;
}

/** Counts from when the engine took the picture up: waiting in the queue costs nobody anything. */
function createStopwatch(): Stopwatch {
  let started: number | undefined;
  return {
    start: () => {
      started ??= performance.now();
    },
    elapsedMs: () => (started === undefined ? 0 : performance.now() - started),
  };
}
