import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Job, type Processor, Worker } from 'bullmq';
import { type Engine, type Stage, toFailure } from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import { type Envelope, encodeEnvelope } from './envelope.ts';
import { type PictureEvent, QUEUE, type QueueMessage, queueKeys, type WorkerInfo } from './queue-protocol.ts';
import { openRedisTaskStore } from './redis-task-store.ts';

interface PictureWorkerOptions {
  link: RedisLink;
  engine: Engine;
  concurrency: number;
  logger: Logger;
  /** The protocol version; a test uses another. */
  protocol?: number;
}

export interface PictureWorker {
  /** Takes no new images, and resolves when running ones are answered. */
  close(): Promise<void>;
}

/**
 * A worker renews its lock on a picture. After `LOCK_MS` without renewal, the next check of any worker gives the picture to
 * another one. The times must be equal in all workers: a worker with shorter times would take pictures from the others.
 */
const LOCK_MS = 4_000;
const STALLED_CHECK_MS = 2_000;
const MAX_CRASHES = 2;
/** Delay after a broken connection. */
const RETRY_MS = 500;
const ANNOUNCE_EVERY_MS = 2_000;
/** How long to wait for the cost of a cancelled preview. */
const CANCELLED_PREVIEW_MS = 15_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** Interval of progress events. A page may have a hundred lines, and more frequent events are of no use. */
const PROGRESS_EVERY_MS = 200;
/** Number of pictures that may wait for a language without blocking others. */
const MAX_EXTRA_WORKERS = 8;

export function startPictureWorker({
  link,
  engine,
  concurrency,
  logger,
  protocol,
}: PictureWorkerOptions): PictureWorker {
  const keys = queueKeys(link, protocol);
  // These connections retry, so that a result is stored once Redis is back.
  const store = openRedisTaskStore(keys, link.connectWithRetries(), link.connectWithRetries(), {
    queueLimit: 0,
    premiumReserve: 0,
    memoryBytes: 0,
  });
  const running = new Set<string>();

  async function work(
    job: Job<QueueMessage>,
    _token: string | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const id = job.id ?? '';
    running.add(id);
    try {
      const bytes = await store.begin(id);
      logger.info(
        { reqId: job.data.origin?.requestId, job: id, kind: job.data.kind, forgotten: bytes === null },
        'a picture was taken from the queue',
      );
      if (!bytes) return;
      const envelope = await readTask(new Uint8Array(bytes), job.data, {
        engine,
        signal,
        extraSlot: pool.createExtraSlot(),
        reportStage: throttled((stage) => void sendEvent(job, { stage })),
      });
      if (job.data.kind === 'preview') await sendEvent(job, { workedMs: envelope.workedMs });
      await store.answer(id, encodeEnvelope(envelope));
    } finally {
      running.delete(id);
    }
  }

  /** A cancelled image has no job in BullMQ, so its events are dropped. */
  async function sendEvent(job: Job<QueueMessage>, event: PictureEvent): Promise<void> {
    await job.updateProgress(event).catch(() => {});
  }

  const name = randomUUID();
  async function announce(): Promise<void> {
    const info: WorkerInfo = {
      languages: await engine.languages(),
      confinement: engine.status().confinement,
    };
    await store.announce(name, concurrency, JSON.stringify(info));
  }

  const pool = createWorkerPool({ work, link, prefix: keys.prefix, logger });
  pool.open(concurrency);

  const calls = link.connectWithRetries();
  calls.subscribe(keys.cancelled).catch(() => {});
  calls.on('message', (_channel, id) => pool.cancel(id));

  const report = (what: string) => (error: unknown) => logger.debug({ err: error }, what);
  announce().catch(report('the worker could not announce itself'));
  let closing = false;
  const announceTimer = setInterval(() => {
    if (!closing) announce().catch(report('the worker could not announce itself'));
    // Published cancellations can be missed, and a web process that dies publishes none.
    store
      .abandoned([...running])
      .then((ids) => {
        for (const id of ids) pool.cancel(id);
      })
      .catch(report('the worker could not check which requests still wait'));
  }, ANNOUNCE_EVERY_MS);

  /** BullMQ’s worker cannot close while Redis is unavailable, nor directly afterwards. */
  async function untilIdle(): Promise<void> {
    do {
      await delay(CLOSE_TIMEOUT_MS);
    } while (running.size > 0);
  }

  return {
    async close() {
      closing = true;
      const left = store.leave(name).catch(report('the worker could not sign off'));
      await Promise.race([Promise.all([pool.close(), left]), untilIdle()]);
      clearInterval(announceTimer);
    },
  };
}

interface WorkerPoolOptions {
  work: Processor<QueueMessage, void>;
  link: RedisLink;
  prefix: string;
  logger: Logger;
}

/** The BullMQ workers of this process: the main one, and an extra one for each image that waits for a language. */
function createWorkerPool({ work, link, prefix, logger }: WorkerPoolOptions) {
  const workers = new Set<Worker>();
  let closing = false;

  function open(pool: number, connection = link.connectWithRetries()): Worker {
    const worker = new Worker<QueueMessage, void>(QUEUE, work, {
      prefix,
      connection,
      concurrency: pool,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_CRASHES,
      runRetryDelay: RETRY_MS,
    });
    worker.on('error', (error) => logger.debug({ err: error }, 'the worker’s queue failed'));
    worker.on('failed', (job, error) =>
      logger.warn({ err: error, job: job?.id }, 'a picture could not be answered'),
    );
    worker.on('stalled', (job) =>
      logger.warn({ job }, 'a worker was lost, and its picture is given to another'),
    );
    worker.on('lockRenewalFailed', (jobs) => logger.warn({ jobs }, 'pictures in work may be read twice'));
    workers.add(worker);
    return worker;
  }

  /** While an image waits for a language, an extra worker takes another image. */
  function createExtraSlot(): ExtraSlot {
    let release: (() => void) | undefined;
    return {
      open() {
        if (release || closing || workers.size > MAX_EXTRA_WORKERS) return;
        const connection = link.connectWithRetries();
        const extraWorker = open(1, connection);
        const onClosed = () => {
          workers.delete(extraWorker);
          connection.disconnect();
        };
        // BullMQ's worker finishes running images.
        release = () => void extraWorker.close().then(onClosed, onClosed);
      },
      close() {
        release?.();
        release = undefined;
      },
    };
  }

  return {
    open,
    createExtraSlot,
    cancel(id: string): void {
      for (const worker of workers) worker.cancelJob(id);
    },
    /** Resolves when no picture is being read. */
    async close(): Promise<void> {
      closing = true;
      await Promise.all([...workers].map((worker) => worker.close()));
    },
  };
}

interface ExtraSlot {
  open(): void;
  close(): void;
}

interface ReadOptions {
  engine: Engine;
  signal: AbortSignal | undefined;
  /** Opened while the image waits for a language. */
  extraSlot: ExtraSlot;
  reportStage: (stage: Stage) => void;
}

/** Runs the operation of the message. A failure is an outcome too. */
async function readTask(
  bytes: Uint8Array,
  message: QueueMessage,
  { engine, signal, extraSlot, reportStage }: ReadOptions,
): Promise<Envelope> {
  const startedAt = performance.now();
  let onWorked: (milliseconds: number) => void = () => {};
  const worked = new Promise<number>((resolve) => {
    onWorked = resolve;
  });
  const { origin } = message;
  const common = { ...(signal && { signal }), ...(origin && { origin }) };
  let outcome: Envelope['outcome'];
  try {
    if (message.kind === 'pages') {
      outcome = { pages: await engine.pages(bytes, { ...common, priority: message.priority }) };
    } else {
      const { page } = message;
      const options = { ...common, ...(page !== undefined && { page }) };
      if (message.kind === 'preview') {
        outcome = { drawing: await engine.preview(bytes, message.maxSide, { ...options, onWorked }) };
      } else {
        const { languages, filter, thorough, priority } = message;
        const onStage = (stage: Stage) => {
          if (stage.name === 'fetching-language') extraSlot.open();
          else extraSlot.close();
          reportStage(stage);
        };
        const text = engine.recognize(bytes, { ...options, languages, filter, thorough, priority, onStage });
        outcome = { text: await text };
      }
    }
  } catch (error) {
    outcome = { failure: toFailure(error) };
  } finally {
    extraSlot.close();
  }
  // A cancelled preview may continue for a while, and this time is counted too.
  const grace = delay(signal?.aborted ? CANCELLED_PREVIEW_MS : 0, undefined, { ref: false });
  const workedMs = message.kind === 'preview' ? await Promise.race([worked, grace]) : undefined;
  return { outcome, workedMs: workedMs ?? performance.now() - startedAt };
}

/** Sends every change of stage, and throttled progress within a stage. */
function throttled(sendEvent: (stage: Stage) => void): (stage: Stage) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (stage) => {
    // The web process already reports the image as queued.
    if (stage.name === 'queued') return;
    if (stage.name === 'reading' || stage.name === 'fetching-language') {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = now;
    }
    sendEvent(stage);
  };
}
