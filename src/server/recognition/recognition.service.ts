import { createHash } from 'node:crypto';
import type { Extraction, Progress, Usage } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import {
  type Engine,
  type Language,
  type PageList,
  PRIORITY,
  type PreviewOptions,
  type QueueLimits,
} from '#ocr';
import { AppError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { type Metrics, outcomeOf } from '../platform/metrics.ts';
import type { Tracing } from '../platform/tracing.ts';
import {
  charge,
  extract,
  fromEngineFailure,
  type Identity,
  isAdvanced,
  longestExtractionMs,
  queueFullError,
  type RecognitionTask,
} from './extract.ts';
import { type IdempotencyCache, RETENTION_MS } from './idempotency-cache.ts';
import {
  type Allowance,
  type AllowanceLimits,
  allowanceOf,
  previewClaims,
  refusalOf,
  type Subject,
} from './quota/allowance.ts';
import type { Claim, Quota } from './quota/quota.repository.ts';
import { createRefunds, type Refunds } from './quota/refunds.ts';
import { clientLeft, previewsUsedUp } from './recognition.errors.ts';

export interface ExtractionRequest {
  requestId: string;
  subject: Subject;
  /** Transferred: must not be used afterwards. */
  picture: Uint8Array;
  filter: boolean;
  languages: readonly string[];
  /** Page number in a document, from 1. */
  page?: number;
  /** A repeated request with the same key gets the same result for free; `repeatedBy` determines for how long. */
  idempotencyKey: string | undefined;
  repeatedBy: keyof typeof RETENTION_MS;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Throws if the result cannot satisfy the request; nothing is charged then. */
  check?: ((extraction: Extraction) => void) | undefined;
}

/** A page of a document, or an image, read in the background. */
export interface PageRequest extends Omit<DocumentRequest, 'document'> {
  document: Uint8Array;
  /** Digest of the document, which identifies its pages. */
  digest: string;
  page: number;
  /** The same for all attempts at a page, so that a retry takes over the reservation of an earlier attempt. */
  attempt: string;
  filter: boolean;
  languages: readonly string[];
}

export interface DocumentRequest {
  requestId: string;
  subject: Subject;
  document: Uint8Array;
  signal: AbortSignal;
}

export interface PreviewRequest {
  requestId: string;
  subject: Subject;
  picture: Uint8Array;
  page?: number;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface RecognitionService {
  /**
   * Rejects a request if the queue is full, before its image is uploaded. A repeated request needs no place in the queue.
   * @throws {AppError}
   */
  checkRoom(subject: Subject, idempotencyKey: string | undefined): Promise<void>;
  extract(request: ExtractionRequest): Promise<Extraction>;
  /** Number of pages; an image has one. Not charged, but its time is counted. @throws {AppError} */
  pages(request: DocumentRequest): Promise<PageList>;
  /** Charged like an image, and read with lower priority than interactive extractions. @throws {AppError} */
  readPage(request: PageRequest): Promise<Extraction>;
  /** @throws {AppError} if the subject has used up its unpaid time */
  checkUnpaid(subject: Subject): Promise<void>;
  /** @throws {AppError} if the subject or its address has used up the unpaid time for previews */
  checkPreviews(subject: Subject): Promise<void>;
  /** A PNG that every browser can show. Not charged, but its time is counted. @throws {AppError} */
  preview(request: PreviewRequest): Promise<Uint8Array>;
  /**
   * Charges an extraction that the subject's own device has made, once per key.
   * @throws {AppError} if the quota is used up
   */
  countOnDevice(subject: Subject, idempotencyKey: string): Promise<Usage>;
  usage(subject: Subject): Promise<Usage>;
  /** Installed or downloadable languages, English first and the others by name. */
  languages(): Promise<Language[]>;
}

interface RecognitionServiceOptions {
  engine: Engine;
  quota: Quota;
  idempotencyCache: IdempotencyCache<Extraction>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  limits: AllowanceLimits;
  queue: QueueLimits;
  /** HMAC key of image digests, so that digests in the database cannot be matched to known images. */
  pictureKey: string;
  /** The engine's limit of recognition time. */
  workMs: number;
  /** The engine's limit of waiting time. */
  waitMs: number;
}

const PREVIEW_SIDE = 1600;

/** Lists all operations of recognition; the work of each is in a separate function. */
export function createRecognitionService(options: RecognitionServiceOptions): RecognitionService {
  const { engine, quota, idempotencyCache, clock, metrics, limits } = options;
  const refunds = createRefunds(options);
  const dependencies = { ...options, refunds, longestMs: longestExtractionMs(options) };

  function extractOnce(
    request: RecognitionTask,
    signal: AbortSignal,
    identity: Identity,
  ): Promise<Extraction> {
    return counted(
      metrics,
      'glyphlift_extractions_total',
      extract(dependencies, request, signal, identity),
      ({ extractedText }) => (extractedText.trim() === '' ? 'no_text' : 'read'),
    );
  }

  async function checkUnpaid(subject: Subject): Promise<void> {
    const now = clock.now();
    const allowance = allowanceOf(subject, limits, now);
    const claim = await quota.findOverspent(allowance.claims);
    if (claim) throw refusalOf(subject, allowance, { claim, reason: 'too-much-unpaid-work' }, now);
  }

  function renderPreview(request: PreviewRequest): Promise<Uint8Array> {
    const { picture, page } = request;
    return uncharged(refunds, previewClaims(request.subject, limits, clock.now()), request, (engineOptions) =>
      engine.preview(picture, PREVIEW_SIDE, { ...engineOptions, ...(page !== undefined && { page }) }),
    );
  }

  const toUsage = ({ own, period }: Allowance, used: number): Usage => ({
    imageCount: Math.min(own.limit, used),
    dailyLimit: own.limit,
    period,
    resetsAt: own.periodEnds.toISOString(),
  });

  async function usageOf(subject: Subject): Promise<Usage> {
    const now = clock.now();
    const allowance = allowanceOf(subject, limits, now);
    return toUsage(allowance, await quota.used(allowance.own, now));
  }

  // After an upgrade to premium, the earlier result of free recognition is not reused.
  const keyFor = (subject: Subject, idempotencyKey: string) =>
    `${subject.id} ${isAdvanced(subject) ? 'advanced ' : ''}${idempotencyKey}`;

  return {
    async checkRoom(subject, idempotencyKey) {
      const full = queueFullError(options, priorityOf(subject));
      if (!full) return;
      if (idempotencyKey !== undefined && (await idempotencyCache.has(keyFor(subject, idempotencyKey))))
        return;
      metrics.add('glyphlift_extractions_total', { outcome: outcomeOf(full.code) });
      throw full;
    },

    async extract(request) {
      const { subject, picture, page = 1, filter, languages, idempotencyKey, signal, check } = request;
      const task = { ...request, priority: priorityOf(subject) };
      const digest = digestOfPage(digestOf(picture), page);
      if (idempotencyKey === undefined) return extractOnce(task, signal, { digest });
      const fingerprint = createHash('sha256')
        .update(`${digest} ${filter} ${languages.join('+')}`)
        .digest('base64url');
      // A repeated request may ask for another format of the same result.
      const key = `${keyFor(subject, idempotencyKey)}${check ? ' checked' : ''}`;
      const name = createHash('sha256').update(`${key} ${fingerprint}`).digest('base64url');
      const work = (shared: AbortSignal) => extractOnce(task, shared, { digest, name });
      return idempotencyCache.share(key, fingerprint, signal, work, RETENTION_MS[request.repeatedBy]);
    },

    checkUnpaid,

    async pages(request) {
      await checkUnpaid(request.subject);
      const { claims } = allowanceOf(request.subject, limits, clock.now());
      return uncharged(refunds, claims, request, (engineOptions) =>
        engine.pages(request.document, { ...engineOptions, priority: PRIORITY.job }),
      );
    },

    readPage({ document, digest, attempt, ...rest }) {
      // An image has the same digest alone and in a job.
      const name = createHash('sha256').update(`${rest.subject.id} ${attempt}`).digest('base64url');
      const identity = { digest: digestOfPage(digest, rest.page), name };
      return extractOnce({ ...rest, picture: document, priority: PRIORITY.job }, rest.signal, identity);
    },

    async checkPreviews(subject) {
      const now = clock.now();
      const findOverspent = await quota.findOverspent(previewClaims(subject, limits, now));
      if (findOverspent) throw previewsUsedUp((findOverspent.periodEnds.getTime() - now.getTime()) / 1000);
    },

    preview: (request) => counted(metrics, 'glyphlift_previews_total', renderPreview(request), () => 'drawn'),

    async languages() {
      const installed = await engine.languages();
      const isBuiltIn = ({ code }: Language) => code === BUILT_IN_LANGUAGE;
      return [...installed.filter(isBuiltIn), ...installed.filter((language) => !isBuiltIn(language))];
    },

    async countOnDevice(subject, idempotencyKey) {
      const name = createHash('sha256')
        .update(`${subject.id} on device ${idempotencyKey}`)
        .digest('base64url');
      await counted(
        metrics,
        'glyphlift_extractions_total',
        charge(dependencies, subject, name),
        () => 'on_device',
      );
      return usageOf(subject);
    },

    async usage(subject) {
      if (subject.kind === 'visitor' && subject.isNew)
        return toUsage(allowanceOf(subject, limits, clock.now()), 0);
      return usageOf(subject);
    },
  };
}

/** Counts the outcome of work in a metric. */
async function counted<T>(
  metrics: Metrics,
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

/** Runs uncharged work, and counts its time against `claims`. */
async function uncharged<T>(
  refunds: Refunds,
  claims: readonly Claim[],
  { requestId, subject, signal }: Pick<PreviewRequest, 'requestId' | 'subject' | 'signal'>,
  work: (options: PreviewOptions) => Promise<T>,
): Promise<T> {
  let spending: Promise<void> | undefined;
  try {
    return await work({
      sender: subject.id,
      signal,
      origin: { requestId },
      onWorked(milliseconds) {
        spending = refunds.spend(claims, milliseconds, requestId);
      },
    });
  } catch (error) {
    throw signal.aborted ? clientLeft(error) : fromEngineFailure(error);
  } finally {
    await spending;
  }
}

export const digestOf = (picture: Uint8Array): string =>
  createHash('sha256').update(picture).digest('base64url');

const digestOfPage = (digest: string, page: number): string =>
  page === 1 ? digest : `${digest} page ${page}`;

const priorityOf = ({ kind }: Subject): number =>
  kind === 'premium-user' ? PRIORITY.premium : PRIORITY.free;
