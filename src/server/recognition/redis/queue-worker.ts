import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Job, type Processor, Worker } from 'bullmq';
import { type Engine, type Stage, toFailure } from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { RedisLink } from '../../platform/redis.ts';
import { type Envelope, seal } from './envelope.ts';
import { type PictureNews, QUEUE, type QueueMessage, queueKeys, type WorkerNote } from './queue-protocol.ts';
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
 * A worker renews its lock on a picture. After `LOCK_MS` without renewal, the next check of any worker gives the
 * picture to another. The times must be equal in all workers, or those with shorter ones take pictures from the others.
 */
const LOCK_MS = 4_000;
const LOOK_EVERY_MS = 2_000;
const MAX_DEATHS = 2;
/** Delay after a broken connection. */
const RETRY_MS = 500;
const ANNOUNCE_EVERY_MS = 2_000;
/** How long to wait for the cost of a cancelled preview. */
const LETTING_GO_MS = 15_000;
const GOOD_BYE_MS = 1_000;
/** A page may have a hundred lines; more frequent events would not help a reader. */
const NEWS_EVERY_MS = 200;
/** How many pictures may wait for a language without blocking others. */
const MAX_DEPUTIES = 8;

export function startPictureWorker({
  link,
  engine,
  concurrency,
  logger,
  protocol,
}: PictureWorkerOptions): PictureWorker {
  const keys = queueKeys(link, protocol);
  // A result is kept until Redis is back.
  const store = openRedisTaskStore(keys, link.connectWithRetries(), link.connectWithRetries(), {
    queueLimit: 0,
    premiumReserve: 0,
    memoryBytes: 0,
  });
  const inWork = new Set<string>();

  async function work(
    job: Job<QueueMessage>,
    _token: string | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const id = job.id ?? '';
    inWork.add(id);
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
        place: places.lent(),
        reportStage: throttled((stage) => void tell(job, { stage })),
      });
      if (job.data.kind === 'preview') await tell(job, { workedMs: envelope.workedMs });
      await store.answer(id, seal(envelope));
    } finally {
      inWork.delete(id);
    }
  }

  /** A cancelled image has no job in BullMQ, so its events are dropped. */
  async function tell(job: Job<QueueMessage>, news: PictureNews): Promise<void> {
    await job.updateProgress(news).catch(() => {});
  }

  const name = randomUUID();
  async function announce(): Promise<void> {
    const setAttributes: WorkerNote = {
      languages: await engine.languages(),
      confinement: engine.status().confinement,
    };
    await store.announce(name, concurrency, JSON.stringify(setAttributes));
  }

  const places = createPlaces({ work, link, prefix: keys.prefix, logger });
  places.open(concurrency);

  const calls = link.connectWithRetries();
  calls.subscribe(keys.cancelled).catch(() => {});
  calls.on('message', (_channel, id) => places.cancel(id));

  const report = (what: string) => (error: unknown) => logger.debug({ err: error }, what);
  announce().catch(report('the worker could not announce itself'));
  let closing = false;
  const rounds = setInterval(() => {
    if (!closing) announce().catch(report('the worker could not announce itself'));
    // Published cancellations can be missed, and a web process that dies publishes none.
    store
      .abandoned([...inWork])
      .then((ids) => {
        for (const id of ids) places.cancel(id);
      })
      .catch(report('the worker could not check which requests still wait'));
  }, ANNOUNCE_EVERY_MS);

  /** BullMQ’s worker cannot close while Redis is away or has only just come back. */
  async function untilIdle(): Promise<void> {
    do {
      await delay(GOOD_BYE_MS);
    } while (inWork.size > 0);
  }

  return {
    async close() {
      closing = true;
      const left = store.leave(name).catch(report('the worker could not sign off'));
      await Promise.race([Promise.all([places.close(), left]), untilIdle()]);
      clearInterval(rounds);
    },
  };
}

interface PlacesOptions {
  work: Processor<QueueMessage, void>;
  link: RedisLink;
  prefix: string;
  logger: Logger;
}

/** The workers of BullMQ, one with the places of this process and one for each place that a waiting picture has lent. */
function createPlaces({ work, link, prefix, logger }: PlacesOptions) {
  const workers = new Set<Worker>();
  let closing = false;

  function open(places: number, connection = link.connectWithRetries()): Worker {
    const worker = new Worker<QueueMessage, void>(QUEUE, work, {
      prefix,
      connection,
      concurrency: places,
      lockDuration: LOCK_MS,
      stalledInterval: LOOK_EVERY_MS,
      maxStalledCount: MAX_DEATHS,
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

  /** An image that waits for a language does not occupy a place: the worker takes another image meanwhile. */
  function lent(): LentPlace {
    let release: (() => void) | undefined;
    return {
      lend() {
        if (release || closing || workers.size > MAX_DEPUTIES) return;
        const connection = link.connectWithRetries();
        const deputy = open(1, connection);
        const gone = () => {
          workers.delete(deputy);
          connection.disconnect();
        };
        // BullMQ's worker finishes running images.
        release = () => void deputy.close().then(gone, gone);
      },
      takeBack() {
        release?.();
        release = undefined;
      },
    };
  }

  return {
    open,
    lent,
    cancel(id: string): void {
      for (const worker of workers) worker.cancelJob(id);
    },
    /** Resolves when no picture is in work. */
    async close(): Promise<void> {
      closing = true;
      await Promise.all([...workers].map((worker) => worker.close()));
    },
  };
}

interface LentPlace {
  lend(): void;
  takeBack(): void;
}

interface ReadOptions {
  engine: Engine;
  signal: AbortSignal | undefined;
  /** Index of this image among the running ones. */
  place: LentPlace;
  reportStage: (stage: Stage) => void;
}

/** Runs the operation that the message names. A failure is an outcome too. */
async function readTask(
  bytes: Uint8Array,
  message: QueueMessage,
  { engine, signal, place, reportStage }: ReadOptions,
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
          if (stage.name === 'fetching-language') place.lend();
          else place.takeBack();
          reportStage(stage);
        };
        const text = engine.recognize(bytes, { ...options, languages, filter, thorough, priority, onStage });
        outcome = { text: await text };
      }
    }
  } catch (error) {
    outcome = { failure: toFailure(error) };
  } finally {
    place.takeBack();
  }
  // A cancelled preview may run on for a while, which is counted too.
  const grace = delay(signal?.aborted ? LETTING_GO_MS : 0, undefined, { ref: false });
  const workedMs = message.kind === 'preview' ? await Promise.race([worked, grace]) : undefined;
  return { outcome, workedMs: workedMs ?? performance.now() - startedAt };
}

/** Sends every change of stage, and throttled progress within a stage. */
function throttled(tell: (stage: Stage) => void): (stage: Stage) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (stage) => {
    // The web process already reports the image as queued.
    if (stage.name === 'queued') return;
    if (stage.name === 'reading' || stage.name === 'fetching-language') {
      const now = performance.now();
      if (now - reportedAt < NEWS_EVERY_MS) return;
      reportedAt = now;
    }
    tell(stage);
  };
}
