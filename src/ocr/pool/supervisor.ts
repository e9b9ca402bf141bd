import { OCR_ERRORS, OcrError } from '../errors.ts';
import { type EngineState, PRIORITY, type Stage } from '../types.ts';
import type { FromProcess, PictureResult, PictureTask, ProcessSettings } from './messages.ts';
import { PriorityQueue } from './queue.ts';
import { RecognisingProcess } from './recognising-process.ts';

/** What happens to the recognising process and its threads, for the operator's log. Never holds a user's text. */
export type EngineEvent =
  | { name: 'process-started'; pid: number; durationMs: number }
  /** `retryInMs` is 0 where the former process goes on. */
  | { name: 'process-start-failed'; reason: string; retryInMs: number }
  /** `retryInMs` is 0 where its successor starts at once, or is there already. */
  | { name: 'process-died'; pid: number; reason: string; picturesLost: number; retryInMs: number }
  | { name: 'process-recycled'; pid: number; pictures: number }
  | { name: 'process-unyielding'; pid: number; cause: 'timed_out' | 'aborted' }
  | { name: 'thread-died'; reason: string };

export interface SupervisorOptions extends ProcessSettings {
  /** Pictures in work at once. */
  concurrency: number;
  queueLimit: number;
  /** Places of the queue that only premium jobs may take. */
  premiumReserve: number;
  /** Time a picture may be in work; waiting does not count. */
  timeoutMs: number;
  /** How long a picture that was given up may go on before its process is replaced. */
  graceMs: number;
  /** Pictures after which a process is replaced by a fresh one. */
  recycleAfter: number;
  onEvent(event: EngineEvent): void;
}

export interface PictureRequest {
  bytes: Uint8Array;
  task: PictureTask;
  priority: number;
  signal?: AbortSignal | undefined;
  onStage?: ((stage: Stage) => void) | undefined;
}

interface Job extends PictureRequest {
  id: number;
  settled: boolean;
  resolve(result: PictureResult): void;
  reject(error: OcrError): void;
  timer?: NodeJS.Timeout;
}

/** One process and the pictures it works on. */
interface Crew {
  process: RecognisingProcess;
  running: Map<number, Job>;
  /** Pictures it was given so far. */
  pictures: number;
  /** Whether it ever answered: the successors of processes that die before that come up after growing pauses. */
  proved: boolean;
  /** Ended by the supervisor, so what else it worked on is innocent and begins again. */
  condemned: boolean;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 15_000;
/** Starts in a row that failed, after which nobody is kept waiting any longer. */
const HOPELESS_STARTS = 3;

/**
 * Keeps one recognising process alive and hands it pictures: a bounded queue with premium first, a limit on the time
 * in work, abort, and a new process whenever one dies, hangs or has done its share. Nothing that happens to a process
 * reaches the caller but as an `OcrError`.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #waiting = new PriorityQueue<Job>();
  /** The process that gets new pictures. */
  #crew: Crew | undefined;
  /** Processes that finish what they have and then end. */
  readonly #retiring = new Set<Crew>();
  #starting: Promise<void> | undefined;
  /** Starts and processes in a row that came to an end without an answer. */
  #failures = 0;
  /** Milliseconds that the next start has to wait. */
  #pauseMs = 0;
  /** There while a start waits. */
  #endPause: (() => void) | undefined;
  #lastId = 0;
  #stopping = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The process that works now; for health reports and tests. */
  get pid(): number | undefined {
    return this.#crew?.process.pid;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** What the engine is about. Looking starts nothing. */
  get state(): EngineState {
    if (this.#stopping) return 'closing';
    if (this.#crew !== undefined) return 'ready';
    if (this.#endPause !== undefined) return 'pausing';
    return this.#starting === undefined ? 'idle' : 'starting';
  }

  /**
   * Resolves with the next start, which keeps the pause that failures before it have earned.
   * @throws {OcrError} when the process cannot come up
   */
  async ready(): Promise<void> {
    if (this.#stopping) throw stopping();
    if (this.#crew === undefined) await this.#start();
  }

  submit(request: PictureRequest): Promise<PictureResult> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusalOf(request);
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      const job: Job = { ...request, id: ++this.#lastId, settled: false, resolve, reject };
      const onAbort = () => this.#giveUp(job, 'aborted');
      request.signal?.addEventListener('abort', onAbort, { once: true });
      job.resolve = (result) => {
        request.signal?.removeEventListener('abort', onAbort);
        resolve(result);
      };
      job.reject = (error) => {
        request.signal?.removeEventListener('abort', onAbort);
        reject(error);
      };
      this.#waiting.add(job);
      tell(job, { name: 'queued' });
      this.#dispatch();
    });
  }

  /** Lets what is in work finish; what waits is refused. */
  async close(): Promise<void> {
    this.#stopping = true;
    this.#endPause?.();
    for (const job of this.#waiting.drain()) settle(job, stopping());
    if (this.#inWork() > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await this.#starting?.catch(() => {});
    const crews = [...this.#retiring, ...(this.#crew === undefined ? [] : [this.#crew])];
    await Promise.all(crews.map((crew) => crew.process.stop()));
  }

  #refusalOf({ priority, signal }: PictureRequest): OcrError | undefined {
    if (this.#stopping) return stopping();
    if (signal?.aborted) return new OcrError(OCR_ERRORS.aborted, 'given up before it began');
    const { queueLimit, premiumReserve } = this.#options;
    const places = priority >= PRIORITY.premium ? queueLimit : queueLimit - premiumReserve;
    const beginsAtOnce = this.#waiting.size === 0 && this.#crew !== undefined && this.#hasRoom();
    if (beginsAtOnce || this.#waiting.size < places) return undefined;
    return new OcrError(OCR_ERRORS.queueFull, `${this.#waiting.size} pictures are waiting already`);
  }

  #inWork(): number {
    let count = this.#crew?.running.size ?? 0;
    for (const crew of this.#retiring) count += crew.running.size;
    return count;
  }

  #hasRoom(): boolean {
    return this.#inWork() < this.#options.concurrency;
  }

  #dispatch(): void {
    if (this.#stopping) {
      if (this.#inWork() === 0) this.#whenIdle?.();
      return;
    }
    if (this.#waiting.size === 0) return;
    const crew = this.#crew;
    if (crew === undefined || crew.condemned) {
      this.#start().catch(() => {});
      return;
    }
    while (this.#hasRoom()) {
      const job = this.#waiting.take();
      if (job === undefined) return;
      this.#assign(job, crew);
    }
  }

  #assign(job: Job, crew: Crew): void {
    crew.running.set(job.id, job);
    crew.pictures++;
    job.timer = setTimeout(() => this.#giveUp(job, 'timed_out'), this.#options.timeoutMs);
    crew.process.send({ type: 'picture', id: job.id, bytes: job.bytes, task: job.task });
    if (crew.pictures === this.#options.recycleAfter) this.#recycle(crew);
  }

  /** Answers the caller at once; the process gets a while to let go of the picture. */
  #giveUp(job: Job, cause: 'timed_out' | 'aborted'): void {
    const message = cause === 'timed_out' ? 'the picture took too long' : 'the picture was given up';
    settle(job, new OcrError(OCR_ERRORS[cause === 'timed_out' ? 'timedOut' : 'aborted'], message));
    if (this.#waiting.remove(job)) return;
    const crew = [...this.#retiring, this.#crew].find((candidate) => candidate?.running.has(job.id));
    if (crew === undefined) return;
    crew.process.send({ type: 'abort', id: job.id });
    job.timer = setTimeout(() => {
      this.#options.onEvent({ name: 'process-unyielding', pid: crew.process.pid ?? 0, cause });
      crew.condemned = true;
      crew.process.kill();
    }, this.#options.graceMs);
  }

  #onMessage(crew: Crew, message: Exclude<FromProcess, { type: 'ready' | 'start-failed' }>): void {
    if (message.type === 'thread-died') {
      this.#options.onEvent({ name: 'thread-died', reason: message.reason });
      return;
    }
    const job = crew.running.get(message.id);
    if (job === undefined) return;
    if (message.type === 'stage') {
      tell(job, message.stage);
      return;
    }
    crew.running.delete(job.id);
    crew.proved = true;
    this.#failures = 0;
    this.#pauseMs = 0;
    if (message.type === 'done') settle(job, message.result);
    else settle(job, new OcrError(message.failure.code, message.failure.message));
    clearTimeout(job.timer);
    this.#retireIfDone(crew);
    this.#dispatch();
  }

  #onExit(crew: Crew, reason: string): void {
    const pid = crew.process.pid ?? 0;
    const jobs = [...crew.running.values()];
    crew.running.clear();
    const wasExpected = this.#retiring.delete(crew) && jobs.length === 0;
    if (this.#crew === crew) this.#crew = undefined;
    const lost = crew.condemned || this.#stopping ? [] : jobs.filter((job) => !job.settled);
    if (!wasExpected && !this.#stopping) {
      // Whom the supervisor ended for one picture's sake may have been as sound as any.
      const retryInMs = crew.proved || crew.condemned ? 0 : this.#lengthenPause();
      this.#options.onEvent({ name: 'process-died', pid, reason, picturesLost: lost.length, retryInMs });
    }
    for (const job of jobs.reverse()) {
      clearTimeout(job.timer);
      if (job.settled) continue;
      if (crew.condemned && !this.#stopping) this.#waiting.putBack(job);
      else settle(job, new OcrError(OCR_ERRORS.crashed, `the recognising process ended (${reason})`));
    }
    this.#keepManned();
    this.#dispatch();
  }

  /** Warm again before the next picture asks for it. */
  #keepManned(): void {
    if (!this.#stopping && this.#crew === undefined) this.#start().catch(() => {});
  }

  /** One start at a time, whoever asks, and none before the pause is over. */
  #start(): Promise<void> {
    if (this.#stopping) return Promise.reject(stopping());
    this.#starting ??= this.#pause()
      .then(() => this.#launch())
      .finally(() => {
        this.#starting = undefined;
        this.#keepManned();
        this.#dispatch();
      });
    return this.#starting;
  }

  async #pause(): Promise<void> {
    if (this.#pauseMs > 0) {
      await new Promise<void>((over) => {
        const timer = setTimeout(over, this.#pauseMs);
        timer.unref();
        this.#endPause = () => {
          clearTimeout(timer);
          over();
        };
      });
      this.#endPause = undefined;
      this.#pauseMs = 0;
    }
    if (this.#stopping) throw stopping();
  }

  /** The pause doubles with every failure in a row; gives it in milliseconds. */
  #lengthenPause(): number {
    this.#pauseMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++);
    return this.#pauseMs;
  }

  async #launch(): Promise<void> {
    const startedAt = performance.now();
    const { maxPixels, threads, languageDirs } = this.#options;
    let up = false;
    const crew: Crew = {
      process: new RecognisingProcess(
        { maxPixels, threads, languageDirs },
        {
          onMessage: (message) => this.#onMessage(crew, message),
          onExit: (reason) => {
            if (up) this.#onExit(crew, reason);
          },
        },
      ),
      running: new Map(),
      pictures: 0,
      proved: false,
      condemned: false,
    };
    try {
      await crew.process.ready;
    } catch (error) {
      this.#onStartFailed(error as OcrError);
      throw error;
    }
    up = true;
    const durationMs = Math.round(performance.now() - startedAt);
    this.#options.onEvent({ name: 'process-started', pid: crew.process.pid ?? 0, durationMs });
    const former = this.#crew;
    this.#crew = crew;
    if (former !== undefined) this.#retire(former);
  }

  #onStartFailed(error: OcrError): void {
    const retryInMs = this.#crew === undefined ? this.#lengthenPause() : 0;
    this.#options.onEvent({ name: 'process-start-failed', reason: error.message, retryInMs });
    if (this.#failures < HOPELESS_STARTS || this.#crew !== undefined) return;
    for (const job of this.#waiting.drain()) settle(job, error);
  }

  /** Starts the successor first, so that nobody waits for it. */
  #recycle(crew: Crew): void {
    this.#start().catch(() => {
      // The old process goes on; the next share of pictures asks again.
      crew.pictures = 0;
    });
  }

  #retire(crew: Crew): void {
    this.#retiring.add(crew);
    this.#options.onEvent({
      name: 'process-recycled',
      pid: crew.process.pid ?? 0,
      pictures: crew.pictures,
    });
    this.#retireIfDone(crew);
  }

  #retireIfDone(crew: Crew): void {
    if (this.#retiring.has(crew) && crew.running.size === 0) void crew.process.stop();
  }
}

function settle(job: Job, outcome: PictureResult | OcrError): void {
  if (job.settled) return;
  job.settled = true;
  clearTimeout(job.timer);
  if (outcome instanceof OcrError) job.reject(outcome);
  else job.resolve(outcome);
}

/** A listener that throws must not harm the engine. */
function tell(job: Job, stage: Stage): void {
  if (job.settled) return;
  try {
    job.onStage?.(stage);
  } catch {
    // Progress is a courtesy.
  }
}

function stopping(): OcrError {
  return new OcrError(OCR_ERRORS.stopping, 'the engine is stopping');
}
