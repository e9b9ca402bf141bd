import type { FromProcess, PictureResult, PictureTask, ProcessSettings } from '../child/messages.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { filesOfTheEngine } from '../module-entry.ts';
import { type ConfinementReport, type EngineState, PRIORITY, type Stage } from '../types.ts';
import { type ConfinementMode, findConfinement, type Launcher } from './confinement.ts';
import { PriorityQueue } from './queue.ts';
import { RecognisingProcess } from './recognising-process.ts';

/** What happens to the recognising process and its threads, for the operator's log. Never holds a user's text. */
export type EngineEvent =
  /** Once, before the first start. */
  | ({ name: 'confinement' } & ConfinementReport)
  | { name: 'process-started'; pid: number; durationMs: number }
  /** `retryInMs` is 0 where the former process goes on. */
  | { name: 'process-start-failed'; reason: string; retryInMs: number }
  /** `retryInMs` is 0 where its successor starts at once, or is there already. */
  | { name: 'process-died'; pid: number; reason: string; picturesLost: number; retryInMs: number }
  /** It had more memory than it may, and is ended for it. */
  | { name: 'process-outgrown'; pid: number; bytes: number; limit: number }
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
  /** The same for a preview. */
  previewTimeoutMs: number;
  /** Time a picture may wait; what was lost with a process that had to go for another picture does not count. */
  waitMs: number;
  /** How long a picture that was given up may go on before its process is replaced. */
  graceMs: number;
  /** Pictures after which a process is replaced by a fresh one. */
  recycleAfter: number;
  confinement: ConfinementMode;
  /** Bytes that the process may hold. */
  memoryLimit: number;
  onEvent(event: EngineEvent): void;
}

export interface PictureRequest {
  bytes: Uint8Array;
  task: PictureTask;
  priority: number;
  signal?: AbortSignal | undefined;
  onStage?: ((stage: Stage) => void) | undefined;
  /** As `PreviewOptions` has it. */
  onWorked?: ((milliseconds: number) => void) | undefined;
}

interface Job extends PictureRequest {
  id: number;
  /** The moment at which it has waited long enough, on the process' own clock. */
  waitsUntil: number;
  /** When it was last taken up. */
  begunAt: number;
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
/** What grows slowly is ended at its limit, with a reason; what grows faster than anybody looks, a little above it. */
const HEADROOM = 1.25;
/**
 * Bytes that V8 sets aside for each thread and never touches; the kernel counts them as the process' own all the same.
 * Measured: 530 MB on Node 24.21, 12 MB on Node 20.20.
 */
const SET_ASIDE_PER_THREAD = (Number.parseInt(process.versions.node, 10) >= 22 ? 640 : 32) * 2 ** 20;
/** Beside the recognising threads: the one that conducts and the one that decodes. From sources each has one that loads. */
const THREADS_BESIDE = 2;
const THREADS_EACH = import.meta.url.endsWith('.ts') ? 2 : 1;
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
  #confinement: ConfinementReport | undefined;
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

  get confinement(): ConfinementReport | undefined {
    return this.#confinement;
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
      const now = performance.now();
      const job: Job = {
        ...request,
        id: ++this.#lastId,
        waitsUntil: now + this.#options.waitMs,
        begunAt: now,
        settled: false,
        resolve,
        reject,
      };
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
      this.#limitWaiting(job);
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

  #refusalOf(request: PictureRequest): OcrError | undefined {
    if (this.#stopping) return stopping();
    if (request.signal?.aborted) return new OcrError(OCR_ERRORS.aborted, 'given up before it began');
    const beginsAtOnce =
      this.#waiting.size === 0 && this.#crew !== undefined && this.#hasRoom() && this.#mayBegin(request);
    if (beginsAtOnce || this.#waiting.size < this.#placesFor(request)) return undefined;
    return new OcrError(OCR_ERRORS.queueFull, `${this.#waiting.size} pictures are waiting already`);
  }

  /** Previews leave half of the free places to pictures that are to be read. */
  #placesFor({ task, priority }: PictureRequest): number {
    const { queueLimit, premiumReserve } = this.#options;
    if (priority >= PRIORITY.premium) return queueLimit;
    const free = queueLimit - premiumReserve;
    return task.kind === 'preview' ? Math.ceil(free / 2) : free;
  }

  /** Previews leave half of the places in work to pictures that are to be read. */
  #mayBegin({ task }: PictureRequest): boolean {
    if (task.kind !== 'preview') return true;
    const crews = [...this.#retiring, ...(this.#crew === undefined ? [] : [this.#crew])];
    const running = crews.flatMap((crew) => [...crew.running.values()]);
    const previews = running.filter((job) => job.task.kind === 'preview').length;
    return previews < Math.max(1, Math.floor(this.#options.concurrency / 2));
  }

  #limitWaiting(job: Job): void {
    job.timer = setTimeout(() => {
      if (this.#waiting.remove(job))
        settle(job, new OcrError(OCR_ERRORS.queueFull, 'the picture waited too long'));
    }, job.waitsUntil - performance.now());
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
    // Previews stand last, so nobody waits behind one that may not begin yet.
    for (let job = this.#waiting.first; job && this.#hasRoom() && this.#mayBegin(job); ) {
      this.#waiting.take();
      this.#assign(job, crew);
      job = this.#waiting.first;
    }
  }

  #assign(job: Job, crew: Crew): void {
    crew.running.set(job.id, job);
    crew.pictures++;
    clearTimeout(job.timer);
    job.begunAt = performance.now();
    job.timer = setTimeout(() => this.#giveUp(job, 'timed_out'), this.#limitOf(job));
    crew.process.send({ type: 'picture', id: job.id, bytes: job.bytes, task: job.task });
    if (crew.pictures === this.#options.recycleAfter) this.#recycle(crew);
  }

  #limitOf({ task }: Job): number {
    return task.kind === 'preview' ? this.#options.previewTimeoutMs : this.#options.timeoutMs;
  }

  /**
   * Answers the caller at once; the process gets a while to let go of the picture, and for a preview whose caller has
   * gone at least the time that it had anyway: no one can end the process by coming and going.
   */
  #giveUp(job: Job, cause: 'timed_out' | 'aborted'): void {
    const message = cause === 'timed_out' ? 'the picture took too long' : 'the picture was given up';
    settle(job, new OcrError(OCR_ERRORS[cause === 'timed_out' ? 'timedOut' : 'aborted'], message));
    if (this.#waiting.remove(job)) return;
    const crew = [...this.#retiring, this.#crew].find((candidate) => candidate?.running.has(job.id));
    if (crew === undefined) return;
    crew.process.send({ type: 'abort', id: job.id });
    const left = job.task.kind === 'preview' ? job.begunAt + this.#limitOf(job) - performance.now() : 0;
    job.timer = setTimeout(() => {
      this.#options.onEvent({ name: 'process-unyielding', pid: crew.process.pid ?? 0, cause });
      crew.condemned = true;
      crew.process.kill();
    }, Math.max(0, left) + this.#options.graceMs);
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
    tellWorked(job);
    if (message.type === 'done') settle(job, message.result);
    else settle(job, new OcrError(message.failure.code, message.failure.message));
    clearTimeout(job.timer);
    this.#retireIfDone(crew);
    this.#dispatch();
  }

  /** It begins again with all of its time, and has not waited longer for what was lost. */
  #putBack(job: Job): void {
    job.waitsUntil += performance.now() - job.begunAt;
    this.#waiting.putBack(job);
    this.#limitWaiting(job);
    tell(job, { name: 'queued' });
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
      if (!job.settled && crew.condemned && !this.#stopping) {
        this.#putBack(job);
        continue;
      }
      tellWorked(job);
      settle(job, new OcrError(OCR_ERRORS.crashed, `the recognising process ended (${reason})`));
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
    let up = false;
    let crew: Crew;
    try {
      const launcher = await this.#launcher();
      if (this.#stopping) throw stopping();
      crew = this.#crewBy(launcher, () => up);
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

  #crewBy(launcher: Launcher, isUp: () => boolean): Crew {
    const { maxPixels, threads, languageDirs, memoryLimit } = this.#options;
    const crew: Crew = {
      process: new RecognisingProcess(
        { maxPixels, threads, languageDirs },
        { launcher, memoryLimit },
        {
          onMessage: (message) => this.#onMessage(crew, message),
          onExit: (reason) => {
            if (isUp()) this.#onExit(crew, reason);
          },
          onOutgrown: (bytes) => {
            const pid = crew.process.pid ?? 0;
            this.#options.onEvent({ name: 'process-outgrown', pid, bytes, limit: memoryLimit });
          },
        },
      ),
      running: new Map(),
      pictures: 0,
      proved: false,
      condemned: false,
    };
    return crew;
  }

  async #launcher(): Promise<Launcher> {
    const { confinement: mode, languageDirs, memoryLimit, threads } = this.#options;
    const setAside = (threads + THREADS_BESIDE) * THREADS_EACH * SET_ASIDE_PER_THREAD;
    const { launcher, report } = await findConfinement({
      mode,
      readable: [...filesOfTheEngine(), ...languageDirs],
      memoryLimit: Math.round(memoryLimit * HEADROOM + setAside),
    });
    if (this.#confinement === undefined) {
      this.#confinement = report;
      this.#options.onEvent({ name: 'confinement', ...report });
    }
    return launcher;
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

function tellWorked(job: Job): void {
  try {
    job.onWorked?.(performance.now() - job.begunAt);
  } catch {
    // Whoever keeps accounts answers for them.
  }
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
