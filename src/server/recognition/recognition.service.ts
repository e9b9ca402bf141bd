import { createHash, createHmac } from 'node:crypto';
import type { Extraction } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import type { Progress } from '#contract/progress';
import type { Usage } from '#contract/usage';
import {
  describeLanguage,
  type Engine,
  kindOf,
  type Language,
  OCR_ERRORS,
  OcrError,
  type PageList,
  type Places,
  PRIORITY,
  placesFor,
  type Recognition,
  type Stage,
} from '#ocr';
import { AppError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { type Metrics, outcomeOf } from '../platform/metrics.ts';
import type { Tracing } from '../platform/tracing.ts';
import { toExtraction } from './answer.ts';
import {
  type AllowanceLimits,
  allowanceOf,
  previewClaims,
  refusalOf,
  type Subject,
} from './quota/allowance.ts';
import type { Claim, Quota, Reservation } from './quota/quota.repository.ts';
import { clientGone, fromEngine, previewsUsedUp, recognitionFailed, timedOut } from './recognition.errors.ts';
import { KEPT_MS, type Repeats } from './repeats.ts';

export interface ExtractionRequest {
  /** What the request is called in logs and traces. */
  requestId: string;
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
  /** Throws where what was read is no answer to what was asked for: then nothing is charged. */
  check?: ((extraction: Extraction) => void) | undefined;
}

/** One page of a document, or a picture, that nobody waits for in front of a page. */
export interface PageRequest extends Omit<DocumentRequest, 'document'> {
  /** Handed over: not to be used afterwards. */
  document: Uint8Array;
  /** Of the document, by which a page is known again. */
  digest: string;
  /** From 1. */
  page: number;
  /** The same where a page is tried again, by this process or by another: it takes over what the former try has set aside. */
  attempt: string;
  filter: boolean;
  /** Codes that the subject may use, the main one first. */
  languages: readonly string[];
}

export interface DocumentRequest {
  requestId: string;
  subject: Subject;
  /** Handed over: not to be used afterwards. */
  document: Uint8Array;
  signal: AbortSignal;
}

export interface PreviewRequest {
  requestId: string;
  subject: Subject;
  /** Handed over: not to be used afterwards. */
  picture: Uint8Array;
  /** Of a document, from 1. */
  page?: number;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
}

export interface RecognitionService {
  /**
   * Before a picture has arrived: one that would find no place is not read for nothing. One that repeats another needs none.
   * @throws {AppError}
   */
  checkRoom(subject: Subject, idempotencyKey: string | undefined): Promise<void>;
  /** @throws {AppError} */
  extract(request: ExtractionRequest): Promise<Extraction>;
  /** What pages a document has; a picture has one. It is no extraction, but its time is counted. @throws {AppError} */
  pages(request: DocumentRequest): Promise<PageList>;
  /** Charged like a picture, after all pictures that somebody waits for. @throws {AppError} */
  readPage(request: PageRequest): Promise<Extraction>;
  /** @throws {AppError} when the subject has spent the time that may come to nothing */
  checkUnpaid(subject: Subject): Promise<void>;
  /** @throws {AppError} when the subject, or its address, has spent the time that previews may cost */
  checkPreviews(subject: Subject): Promise<void>;
  /** A PNG that every browser can show. It is no extraction, but its time is counted. @throws {AppError} */
  preview(request: PreviewRequest): Promise<Uint8Array>;
  usage(subject: Subject): Promise<Usage>;
  /** Those whose data is installed or can be fetched, English first and the others by name. */
  languages(): Promise<Language[]>;
}

interface RecognitionServiceOptions {
  engine: Engine;
  quota: Quota;
  repeats: Repeats<Extraction>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  limits: AllowanceLimits;
  queue: Places;
  /** Turns pictures into what stands for them in the quota, so that it tells nobody else which ones they were. */
  pictureKey: string;
  /** The longest that the engine lets a picture be in work. */
  workMs: number;
  /** The longest that it lets one wait. */
  waitMs: number;
}

/** A picture, or a page, that is to be read. */
interface RecognitionTask
  extends Pick<ExtractionRequest, 'requestId' | 'subject' | 'picture' | 'filter' | 'languages'> {
  page?: number;
  check?: ExtractionRequest['check'];
  priority: number;
  onProgress?: (progress: Progress) => void;
}

/** By what a request is known again. */
interface Identity {
  /** Of the picture's bytes. */
  digest: string;
  /**
   * What all attempts of one request have in common, if they say that they are one: a server that dies forgets that it worked
   * on it, and its database does not.
   */
  name?: string;
}

/** For what is done around the work, so that a result of the last moment is not thrown away. */
const LEASE_MARGIN_MS = 5_000;

/**
 * The longest an extraction may take. The engine ends waiting and work each at its own limit; work counts twice because
 * a picture begins again when its process had to go for another one.
 */
export function longestExtractionMs({ workMs, waitMs }: { workMs: number; waitMs: number }): number {
  return waitMs + 2 * workMs + LEASE_MARGIN_MS;
}

/** How often it is tried to give an extraction back while the database is away. */
const GIVE_BACK_EVERY_MS = 250;

/** Longer side of a preview, in pixels. */
const PREVIEW_SIDE = 1600;

export function createRecognitionService(options: RecognitionServiceOptions): RecognitionService {
  const { engine, quota, repeats, clock, logger, metrics, tracing, limits, queue, pictureKey } = options;
  const longestMs = longestExtractionMs(options);

  /** What the engine would refuse for want of a place is refused before the database is asked for anything. */
  function refusalOfFullQueue(priority: number): AppError | undefined {
    const { waiting } = engine.status();
    const places = placesFor(kindOf(priority), queue);
    if (waiting === 0 || waiting < places) return undefined;
    return fromEngine(new OcrError(OCR_ERRORS.queueFull, `${waiting} pictures are waiting already`));
  }

  async function reserve(
    subject: Subject,
    { digest, name }: Identity,
  ): Promise<{ reservation: Reservation; claims: readonly Claim[] }> {
    const now = clock.now();
    const allowance = allowanceOf(subject, limits, now);
    // The lease ends with the job's time: whatever comes later is answered as too late, and is free.
    const until = new Date(now.getTime() + longestMs);
    const attempt = name === undefined ? undefined : { name, since: new Date(now.getTime() - KEPT_MS) };
    const picture = createHmac('sha256', pictureKey)
      .update(`picture of ${allowance.own.holder}: ${digest}`)
      .digest('base64url');
    const ask = () => quota.reserve(allowance.claims, now, until, { attempt, picture });
    let reserved = await ask();
    // What could not be given back while the database was away may be all that is missing.
    if (!reserved.granted && (await giveBackFirst(reserved.claim))) reserved = await ask();
    if (!reserved.granted) throw refusalOf(subject, allowance, reserved, now);
    return { reservation: reserved.reservation, claims: allowance.claims };
  }

  function extractOnce(
    request: RecognitionTask,
    signal: AbortSignal,
    identity: Identity,
  ): Promise<Extraction> {
    return counted(
      'glyphlift_extractions_total',
      extractUncounted(request, signal, identity),
      ({ extractedText }) => (extractedText.trim() === '' ? 'no_text' : 'read'),
    );
  }

  async function extractUncounted(
    request: RecognitionTask,
    signal: AbortSignal,
    identity: Identity,
  ): Promise<Extraction> {
    const full = refusalOfFullQueue(request.priority);
    if (full) throw full;
    const { reservation, claims } = await tracing.span('reserve', () => reserve(request.subject, identity));
    const stopwatch = createStopwatch();
    let charged = false;
    let unsure = false;
    try {
      const recognition = await recognise(request, signal, stopwatch);
      const extraction = toExtraction(recognition);
      request.check?.(extraction);
      if (extraction.extractedText.trim() !== '' && !reservation.paidFor) {
        unsure = true;
        charged = await tracing.span('commit', () => quota.commit(reservation, clock.now()));
        unsure = false;
        if (!charged) throw timedOut();
      }
      return extraction;
    } finally {
      if (!charged) {
        const cost = { unpaidMs: stopwatch.elapsedMs(), unsure };
        await giveBack(request.requestId, reservation, claims, cost);
      }
    }
  }

  /** Counts what comes of a piece of work. */
  async function counted<T>(
    name: 'glyphlift_extractions_total' | 'glyphlift_previews_total',
    work: Promise<T>,
    outcomeOfSuccess: (result: T) => string,
  ): Promise<T> {
    try {
      const result = await work;
      metrics.add(name, { outcome: outcomeOfSuccess(result) });
      return result;
    } catch (error) {
      metrics.add(name, { outcome: error instanceof AppError ? outcomeOf(error.code) : 'failed' });
      throw error;
    }
  }

  async function recognise(
    { requestId, subject, picture, page, filter, languages, priority, onProgress }: RecognitionTask,
    signal: AbortSignal,
    stopwatch: Stopwatch,
  ): Promise<Recognition> {
    const timeLimit = AbortSignal.timeout(longestMs);
    try {
      return await engine.recognise(picture, {
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
      if (signal.aborted) throw clientGone(error);
      if (timeLimit.aborted) throw timedOut(error);
      throw fromEngineFailure(error);
    }
  }

  /** What is still to be given back, each with the claims that it is of. */
  const kept = new Set<{ claims: readonly Claim[]; give: () => Promise<void> }>();

  /** True when something of this claim was waiting to be given back, and has been tried once more. */
  async function giveBackFirst({ holder, period }: Claim): Promise<boolean> {
    const waiting = [...kept].filter(({ claims }) =>
      claims.some((claim) => claim.holder === holder && claim.period === period),
    );
    await Promise.all(waiting.map(({ give }) => give().catch(() => {})));
    return waiting.length > 0;
  }

  /** Nobody waits longer for that than for a first try: where the database is away, it is done when that is back. */
  async function giveBack(
    reqId: string,
    reservation: Reservation,
    claims: readonly Claim[],
    { unpaidMs, unsure }: { unpaidMs: number; unsure: boolean },
  ): Promise<void> {
    // What is read once more for one charge is work that nobody pays for.
    const give = () =>
      reservation.paidFor ? quota.spend(claims, unpaidMs) : quota.release(reservation, unpaidMs, unsure);
    const entry = { claims, give };
    const again = (error: unknown) => {
      const expired = new Date(reservation.expires).getTime() <= clock.now().getTime();
      if (expired || reservation.paidFor) {
        kept.delete(entry);
        logger.error({ err: error, reqId }, 'an extraction could not be given back; its lease has run out');
        return;
      }
      kept.add(entry);
      setTimeout(() => give().then(() => kept.delete(entry), again), GIVE_BACK_EVERY_MS).unref();
    };
    await give().catch((error) => {
      logger.warn({ err: error, reqId }, 'an extraction could not be given back yet');
      again(error);
    });
  }

  const spend = (claims: readonly Claim[], milliseconds: number, reqId: string): Promise<void> =>
    quota
      .spend(claims, milliseconds)
      .catch((error) => logger.error({ err: error, reqId }, 'time that is not charged could not be counted'));

  async function checkUnpaid(subject: Subject): Promise<void> {
    const now = clock.now();
    const allowance = allowanceOf(subject, limits, now);
    const claim = await quota.overspent(allowance.claims);
    if (claim) throw refusalOf(subject, allowance, { claim, because: 'too-much-unpaid-work' }, now);
  }

  async function draw({ requestId, subject, picture, page, signal }: PreviewRequest): Promise<Uint8Array> {
    const claims = previewClaims(subject, limits, clock.now());
    let spending: Promise<void> | undefined;
    try {
      return await engine.preview(picture, PREVIEW_SIDE, {
        ...(page !== undefined && { page }),
        sender: subject.id,
        signal,
        origin: { requestId },
        onWorked(milliseconds) {
          spending = spend(claims, milliseconds, requestId);
        },
      });
    } catch (error) {
      throw signal.aborted ? clientGone(error) : fromEngineFailure(error);
    } finally {
      await spending;
    }
  }

  // Who has become premium since is not given what was read before.
  const keyFor = (subject: Subject, idempotencyKey: string) =>
    `${subject.id} ${isAdvanced(subject) ? 'advanced ' : ''}${idempotencyKey}`;

  return {
    async checkRoom(subject, idempotencyKey) {
      const full = refusalOfFullQueue(priorityOf(subject));
      if (!full) return;
      if (idempotencyKey !== undefined && (await repeats.has(keyFor(subject, idempotencyKey)))) return;
      metrics.add('glyphlift_extractions_total', { outcome: outcomeOf(full.code) });
      throw full;
    },

    async extract(request) {
      const { subject, picture, filter, languages, idempotencyKey, signal, check } = request;
      const reading = { ...request, priority: priorityOf(subject) };
      const digest = digestOf(picture);
      if (idempotencyKey === undefined) return extractOnce(reading, signal, { digest });
      const fingerprint = createHash('sha256')
        .update(`${digest} ${filter} ${languages.join('+')}`)
        .digest('base64url');
      // What fails a check may be the answer to a repetition that asks for another format.
      const key = `${keyFor(subject, idempotencyKey)}${check ? ' checked' : ''}`;
      const name = createHash('sha256').update(`${key} ${fingerprint}`).digest('base64url');
      return repeats.share(key, fingerprint, signal, (shared) =>
        extractOnce(reading, shared, { digest, name }),
      );
    },

    checkUnpaid,

    async pages({ requestId, subject, document, signal }) {
      await checkUnpaid(subject);
      const { claims } = allowanceOf(subject, limits, clock.now());
      let spending: Promise<void> | undefined;
      try {
        return await engine.pages(document, {
          priority: PRIORITY.job,
          sender: subject.id,
          signal,
          origin: { requestId },
          onWorked(milliseconds) {
            spending = spend(claims, milliseconds, requestId);
          },
        });
      } catch (error) {
        throw signal.aborted ? clientGone(error) : fromEngineFailure(error);
      } finally {
        await spending;
      }
    },

    readPage({ document, digest, attempt, ...rest }) {
      // A picture alone is the same picture whichever way it was sent.
      const name = createHash('sha256').update(`${rest.subject.id} ${attempt}`).digest('base64url');
      const identity = { digest: rest.page === 1 ? digest : `${digest} page ${rest.page}`, name };
      return extractOnce({ ...rest, picture: document, priority: PRIORITY.job }, rest.signal, identity);
    },

    async checkPreviews(subject) {
      const now = clock.now();
      const overspent = await quota.overspent(previewClaims(subject, limits, now));
      if (overspent) throw previewsUsedUp((overspent.periodEnds.getTime() - now.getTime()) / 1000);
    },

    preview: (request) => counted('glyphlift_previews_total', draw(request), () => 'drawn'),

    async languages() {
      const installed = await engine.languages();
      const isBuiltIn = ({ code }: Language) => code === BUILT_IN_LANGUAGE;
      return [...installed.filter(isBuiltIn), ...installed.filter((language) => !isBuiltIn(language))];
    },

    async usage(subject) {
      const now = clock.now();
      const { own, period } = allowanceOf(subject, limits, now);
      const used = subject.kind === 'visitor' && subject.isNew ? 0 : await quota.used(own, now);
      return {
        imageCount: Math.min(own.limit, used),
        dailyLimit: own.limit,
        period,
        resetsAt: own.periodEnds.toISOString(),
      };
    },
  };
}

/** By what a picture is known again. */
export const digestOf = (picture: Uint8Array): string =>
  createHash('sha256').update(picture).digest('base64url');

/** Advanced recognition is premium's: in the browser, by key and in jobs. */
const isAdvanced = ({ kind }: Subject): boolean => kind === 'premium-user';

const priorityOf = ({ kind }: Subject): number =>
  kind === 'premium-user' ? PRIORITY.premium : PRIORITY.free;

function fromEngineFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof OcrError ? fromEngine(error) : recognitionFailed(error);
}

function toProgress(stage: Stage): Progress {
  switch (stage.name) {
    case 'reading':
      return { stage: stage.name, line: stage.line, of: stage.of };
    case 'fetching-language':
      return {
        stage: stage.name,
        language: describeLanguage(stage.language).name,
        received: stage.received,
        of: stage.of,
      };
    default:
      return { stage: stage.name };
  }
}

interface Stopwatch {
  start(): void;
  /** A picture that waits again has not had its work yet. */
  reset(): void;
  elapsedMs(): number;
}

/** Counts from when the engine took the picture up: waiting in the queue costs nobody anything. */
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
