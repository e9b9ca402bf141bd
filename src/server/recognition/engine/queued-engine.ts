import { setTimeout as delay } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import {
  type ConfinementReport,
  describeLanguage,
  type Engine,
  type EngineStatus,
  type Language,
  OCR_ERRORS,
  OcrError,
  type PageList,
  type PagesOptions,
  PRIORITY,
  type PreviewOptions,
  type Recognition,
  type RecognizeOptions,
} from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import { NO_TRACING, type Tracing } from '../../platform/tracing.ts';
import { decodeEnvelope } from '../redis/envelope.ts';
import { PendingTask, type Task, type TaskListeners, type TaskResult } from '../redis/pending-task.ts';
import {
  JOB_OPTIONS,
  type PictureEvent,
  QUEUE,
  type QueueKeys,
  type QueueMessage,
  queueKeys,
  unavailable,
  type WorkerInfo,
} from '../redis/queue-protocol.ts';
import {
  openRedisTaskStore,
  type RedisTaskStore,
  type StoreLimits,
  type WaitingCounts,
} from '../redis/redis-task-store.ts';

interface QueuedEngineOptions extends StoreLimits {
  link: RedisLink;
  logger: Logger;
  tracing?: Tracing | undefined;
  /** How long an image may wait in the queue. Milliseconds. */
  waitMs: number;
  /** How long an image waits if there is no worker at all. Milliseconds. */
  noWorkerMs?: number;
  /** The protocol version; a test uses another. */
  protocol?: number;
}

/** Polling interval of waiting pictures, besides events. Redis drops a picture that is no longer polled. */
const POLL_EVERY_MS = 1_000;
/** After this time without Redis, waiting pictures are answered as unavailable. */
const TIMEOUT_MS = 5_000;
/** Timeout for results, which may be a few megabytes. */
const BYTES_MS = 10_000;
/** How long to wait for a first worker. */
const START_MS = 15_000;
/** Longer than a worker takes to restart. Without a worker for this time, images fail at once. */
const NO_WORKER_MS = 20_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** The cost of a cancelled picture may be reported after its answer, up to this time. */
const REMEMBERED_MS = 60_000;

/**
 * Workers read the images, on this machine or others. This process sends the images through Redis and waits for the results.
 * BullMQ assigns images to workers, and gives the images of a dead worker to another one; `redis-task-store.ts` stores the
 * bytes. Until the result arrives, this process keeps the bytes too, and the upload limiter counts them: so it can send
 * images that a restarted Redis has lost once more within the same request.
 */
export class QueuedEngine implements Engine {
  readonly #options: QueuedEngineOptions;
  readonly #keys: QueueKeys;
  readonly #store: RedisTaskStore;
  readonly #queue: Queue<QueueMessage>;
  readonly #events: QueueEvents;
  readonly #pictures = new Map<string, PendingTask>();
  readonly #timer: NodeJS.Timeout;
  #isPolling = false;
  #workers: WorkerInfo[] = [];
  /** The time since which Redis lists no worker; undefined while there is one, or while Redis is unavailable. */
  #noWorkerSince: number | undefined;
  #waiting: WaitingCounts = { premium: 0, free: 0, preview: 0, job: 0 };
  #languages: Language[] = [describeLanguage('eng')];
  #closing = false;
  #whenEmpty: (() => void) | undefined;

  constructor(options: QueuedEngineOptions) {
    const { link, logger } = options;
    this.#options = options;
    this.#keys = queueKeys(link, options.protocol);
    this.#store = openRedisTaskStore(this.#keys, link.commands, link.connectWithTimeout(BYTES_MS), options);
    // These connections reconnect automatically, also if Redis is unavailable at the start.
    const { prefix } = this.#keys;
    this.#queue = new Queue<QueueMessage>(QUEUE, { prefix, connection: link.connectWithRetries() });
    this.#events = new QueueEvents(QUEUE, { prefix, connection: link.connectWithRetries() });
    const report = (error: Error) => logger.debug({ err: error }, 'the queue of pictures failed');
    this.#queue.on('error', report);
    this.#events.on('error', report);
    this.#listen();
    this.#timer = setInterval(() => void this.#poll(), POLL_EVERY_MS);
    void this.#poll();
  }

  async recognize(bytes: Uint8Array, options: RecognizeOptions = {}): Promise<Recognition> {
    const { languages = ['eng'], filter = true, thorough = false, page, origin } = options;
    const { priority = PRIORITY.free, sender = '' } = options;
    const message = { kind: 'recognize', languages, filter, thorough, priority, page, origin } as const;
    return (await this.#submit({ bytes, message, scheduling: { priority, sender } }, options)) as Recognition;
  }

  async preview(bytes: Uint8Array, maxSide: number, options: PreviewOptions = {}): Promise<Uint8Array> {
    const scheduling = { priority: PRIORITY.preview, sender: options.sender ?? '' };
    const message = { kind: 'preview', maxSide, page: options.page, origin: options.origin } as const;
    return (await this.#submit({ bytes, message, scheduling }, options)) as Uint8Array;
  }

  async pages(bytes: Uint8Array, options: PagesOptions = {}): Promise<PageList> {
    const { priority = PRIORITY.free, sender = '' } = options;
    const message = { kind: 'pages', priority, origin: options.origin } as const;
    return (await this.#submit({ bytes, message, scheduling: { priority, sender } }, options)) as PageList;
  }

  /** Languages that every worker has; while there is no worker, the last known ones. */
  async languages(): Promise<Language[]> {
    return this.#languages;
  }

  async ready(): Promise<void> {
    const until = performance.now() + START_MS;
    while (this.status().state !== 'ready') {
      if (this.#closing) throw stopping();
      if (performance.now() > until) throw unavailable('there is no worker, or no Redis to reach one');
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS / 4));
    }
  }

  status(): EngineStatus {
    return {
      state: this.#state(),
      pid: undefined,
      waiting: Object.values(this.#waiting).reduce((sum, count) => sum + count),
      waitingBy: this.#waiting,
      confinement: commonConfinement(this.#workers),
    };
  }

  /** Current status of the shared queue. @throws if Redis does not answer */
  async liveStatus(): Promise<{ workers: number; waiting: WaitingCounts }> {
    const { workers, waiting } = await this.#store.status();
    return { workers: workers.length, waiting };
  }

  /** Running images are finished; waiting ones are rejected. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const picture of [...this.#pictures.values()]) {
      if (!picture.started && !picture.settled) this.#fail(picture, stopping());
    }
    if (this.#openPictures().length > 0) {
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    }
    clearInterval(this.#timer);
    // BullMQ cannot close its connections while Redis is unavailable or has only just come back; they end with the link.
    const ended = Promise.allSettled([this.#events.close(), this.#queue.close()]);
    await Promise.race([ended, delay(CLOSE_TIMEOUT_MS)]);
  }

  #state(): EngineStatus['state'] {
    if (this.#closing) return 'closing';
    if (this.#options.link.unavailableFor() > 0) return 'pausing';
    return this.#workers.length > 0 ? 'ready' : 'idle';
  }

  /** Whether there has been no worker for longer than a restart takes. */
  #hasNoWorker(): boolean {
    const { noWorkerMs = NO_WORKER_MS } = this.#options;
    return this.#noWorkerSince !== undefined && performance.now() - this.#noWorkerSince > noWorkerMs;
  }

  #openPictures(): PendingTask[] {
    return [...this.#pictures.values()].filter((picture) => !picture.settled);
  }

  async #submit(task: Task, listeners: TaskListeners): Promise<TaskResult> {
    if (this.#closing) throw stopping();
    if (listeners.signal?.aborted) throw new OcrError(OCR_ERRORS.aborted, 'given up before it began');
    if (this.#options.link.unavailableFor() > 0) throw unavailable('Redis is unavailable');
    if (this.#hasNoWorker()) throw noWorker();
    const picture = new PendingTask(task, listeners, (settled) => this.#handleSettled(settled));
    const onAbort = () => this.#fail(picture, new OcrError(OCR_ERRORS.aborted, 'the picture was given up'));
    listeners.signal?.addEventListener('abort', onAbort, { once: true });
    void this.#send(picture, task);
    try {
      return await picture.answer;
    } finally {
      listeners.signal?.removeEventListener('abort', onAbort);
    }
  }

  async #send(picture: PendingTask, task: Task): Promise<void> {
    this.#pictures.set(picture.id, picture);
    const { tracing = NO_TRACING } = this.#options;
    try {
      await tracing.span('hand over', () => this.#enqueue(picture, task));
    } catch (error) {
      this.#fail(picture, error instanceof OcrError ? error : unavailable('Redis failed', error));
    }
  }

  async #enqueue(picture: PendingTask, { bytes, message, scheduling }: Task): Promise<void> {
    const { id } = picture;
    /** Whether the picture was cancelled meanwhile, or sent again under another id. */
    const isOver = () => picture.settled || picture.id !== id;
    const priority = await this.#store.add(id, bytes, scheduling);
    if (typeof priority === 'string') {
      const reason =
        priority === 'queue full' ? 'every place is taken' : 'waiting pictures fill their memory';
      picture.settle(new OcrError(OCR_ERRORS.queueFull, reason));
      return;
    }
    if (isOver()) {
      await this.#store.forget(id);
      return;
    }
    picture.stored = true;
    this.#wait(picture);
    await this.#queue.add(message.kind, message, { ...JOB_OPTIONS, jobId: id, priority });
    this.#options.logger.info(
      { reqId: message.origin?.requestId, job: id, kind: message.kind },
      'a picture waits for a worker',
    );
    // The cancellation found no job to remove.
    if (isOver()) await this.#queue.remove(id);
    else picture.queued = true;
  }

  #wait(picture: PendingTask): void {
    picture.started = false;
    picture.reportStage({ name: 'queued' });
    picture.startTimer(this.#options.waitMs, () => void this.#endWait(picture));
  }

  /** Fails a picture that still waits. One that has started, even if the event was lost, continues. */
  async #endWait(picture: PendingTask): Promise<void> {
    const removed = await this.#queue.remove(picture.id).catch(() => 0);
    if (removed === 0) return;
    await this.#store.forget(picture.id).catch(() => {});
    picture.settle(new OcrError(OCR_ERRORS.queueFull, 'the picture waited too long'));
  }

  /** Answers the caller at once. If the cancellation cannot be sent, the image expires because it is no longer polled. */
  #fail(picture: PendingTask, error: OcrError): void {
    if (picture.settled) return;
    picture.settle(error);
    if (!picture.stored || this.#options.link.unavailableFor() > 0) return;
    const ignore = () => {};
    this.#store.forget(picture.id).catch(ignore);
    this.#queue
      .remove(picture.id)
      .then(async (removed) => {
        if (removed === 0) await this.#options.link.commands.publish(this.#keys.cancelled, picture.id);
        else this.#pictures.delete(picture.id);
      })
      .catch(ignore);
  }

  #handleSettled(picture: PendingTask): void {
    if (picture.workReported) this.#pictures.delete(picture.id);
    else setTimeout(() => this.#pictures.delete(picture.id), REMEMBERED_MS).unref();
    if (this.#closing && this.#openPictures().length === 0) this.#whenEmpty?.();
  }

  #listen(): void {
    this.#events.on('active', ({ jobId }) => {
      const picture = this.#pictures.get(jobId);
      if (!picture || picture.settled) return;
      picture.markStarted();
    });
    this.#events.on('progress', ({ jobId, data }) => {
      const event = data as PictureEvent;
      const picture = this.#pictures.get(jobId);
      if ('stage' in event) picture?.reportStage(event.stage);
      else picture?.reportWorked(event.workedMs);
    });
    // The picture's worker died; the next worker starts over.
    this.#events.on('stalled', ({ jobId }) => {
      const picture = this.#pictures.get(jobId);
      if (picture && !picture.settled) this.#wait(picture);
    });
    this.#events.on('completed', ({ jobId }) => void this.#fetch(jobId, this.#resend));
    this.#events.on('failed', ({ jobId }) => void this.#fetch(jobId, this.#failUnfinished));
  }

  /** Fetches the result of a picture. @param otherwise called if Redis has no result */
  async #fetch(id: string, otherwise: (picture: PendingTask) => void): Promise<void> {
    const picture = this.#pictures.get(id);
    if (!picture || picture.settled || picture.fetching) return;
    picture.fetching = true;
    try {
      const bytes = await this.#store.fetch(id);
      const envelope = bytes && decodeEnvelope(bytes);
      if (envelope) picture.settleWith(envelope);
      else if (bytes) this.#fail(picture, unavailable('the result has an unknown format'));
      else if (picture.id === id) otherwise(picture);
    } catch (error) {
      // Redis is unavailable; if it is back in time, the next poll fetches the result.
      this.#options.logger.debug({ err: error }, 'an answer could not be fetched');
    } finally {
      picture.fetching = false;
    }
  }

  /** Sends an image again that Redis has lost. */
  readonly #resend = (picture: PendingTask): void => {
    if (this.#closing || !picture.canResend) {
      this.#fail(picture, unavailable('the picture was lost'));
      return;
    }
    this.#pictures.delete(picture.id);
    void this.#send(picture, picture.resend());
  };

  /** Fails a picture that BullMQ does not retry any more, because it crashed several workers. */
  readonly #failUnfinished = (picture: PendingTask): void =>
    this.#fail(picture, new OcrError(OCR_ERRORS.crashed, 'no worker could finish the picture'));

  /** Polls all pictures, because events can be missed while a connection is reopened. */
  async #poll(): Promise<void> {
    const { link } = this.#options;
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const unavailableFor = link.unavailableFor();
      if (unavailableFor > 0) {
        this.#noWorkerSince = undefined;
        if (unavailableFor > TIMEOUT_MS) {
          for (const picture of this.#openPictures())
            this.#fail(picture, unavailable('Redis is unavailable'));
        }
        return;
      }
      const { workers, waiting } = await this.#store.status();
      this.#waiting = waiting;
      this.#workers = workers.map((info) => JSON.parse(info) as WorkerInfo);
      if (this.#workers.length > 0) {
        this.#languages = languagesOfAll(this.#workers);
        this.#noWorkerSince = undefined;
      } else {
        this.#noWorkerSince ??= performance.now();
      }
      if (this.#hasNoWorker()) {
        for (const picture of this.#openPictures()) if (!picture.started) this.#fail(picture, noWorker());
      }
      const pictures = this.#openPictures().filter(({ stored }) => stored);
      const wereQueued = new Set(pictures.filter(({ queued }) => queued));
      const ids = pictures.map(({ id }) => id);
      const states = await this.#store.renew(ids);
      await Promise.all(
        states.map(async (state, at) => {
          const picture = pictures[at];
          // The state may belong to the picture's earlier id, before it was sent again.
          if (!picture || state === 'stored' || picture.id !== ids[at]) return;
          if (state !== 'unqueued') await this.#fetch(picture.id, this.#resend);
          else if (wereQueued.has(picture)) await this.#fetch(picture.id, this.#failUnfinished);
        }),
      );
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'waiting pictures could not be polled');
    } finally {
      this.#isPolling = false;
    }
  }
}

function noWorker(): OcrError {
  return unavailable('there is no worker');
}

function stopping(): OcrError {
  return new OcrError(OCR_ERRORS.stopping, 'this server is stopping');
}

/** Any worker may get an image, so only languages that all workers have are offered. */
function languagesOfAll(workers: readonly WorkerInfo[]): Language[] {
  const [first, ...others] = workers;
  return (first?.languages ?? []).flatMap((language) => {
    const { onDemand: _, ...known } = language;
    const copies = [language];
    for (const { languages } of others) {
      const found = languages.find(({ code }) => code === language.code);
      if (!found) return [];
      copies.push(found);
    }
    // An image may have to wait until the last worker has downloaded the language.
    return [copies.some(({ onDemand }) => onDemand) ? { ...known, onDemand: true as const } : known];
  });
}

/** A sandbox layer counts as active if it is active in every worker. */
function commonConfinement(workers: readonly WorkerInfo[]): ConfinementReport | undefined {
  const reports = workers.flatMap(({ confinement }) => confinement ?? []);
  const [first] = reports;
  if (!first) return undefined;
  return {
    on: first.on.filter((layer) => reports.every(({ on }) => on.includes(layer))),
    off: Object.assign({}, ...reports.map(({ off }) => off)),
  };
}
