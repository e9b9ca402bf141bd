import type { FromProcess, PictureResult, ProcessSettings } from '../child/messages.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { engineFiles } from '../module-entry.ts';
import { type ConfinementReport, type EngineState, PRIORITY } from '../types.ts';
import { type ConfinementMode, findConfinement, kernelLimitFor, type Launcher } from './confinement.ts';
import { Job, type PictureRequest, stopping } from './job.ts';
import { kindOf, PriorityQueue, queueCapacityFor } from './queue.ts';
import { RecognitionProcess } from './recognition-process.ts';
import { RestartPause } from './restart-pause.ts';

/** Events of the recognition process and its threads, for the operator's log. Never holds a user's text. */
export type EngineEvent =
  /** Once, before the first start. */
  | ({ name: 'confinement' } & ConfinementReport)
  | { name: 'process-started'; pid: number; durationMs: number }
  /** `retryInMs` is 0 where the previous process continues. */
  | { name: 'process-start-failed'; reason: string; retryInMs: number }
  /** `retryInMs` is 0 where its successor starts at once, or is already running. */
  | { name: 'process-died'; pid: number; reason: string; picturesLost: number; retryInMs: number }
  /** It exceeded its memory limit and is ended. */
  | { name: 'process-outgrown'; pid: number; bytes: number; limit: number }
  | { name: 'process-recycled'; pid: number; pictures: number }
  | { name: 'process-unyielding'; pid: number; cause: 'timed_out' | 'aborted' }
  | { name: 'thread-died'; reason: string };

export interface SupervisorOptions extends ProcessSettings {
  /** Pictures in progress at once. */
  concurrency: number;
  queueLimit: number;
  /** Places of the queue reserved for premium jobs. */
  premiumReserve: number;
  /** Time limit of a picture in progress, without its waiting time. */
  timeoutMs: number;
  /** The same for a preview. */
  previewTimeoutMs: number;
  /**
   * Time limit of a picture in the queue; time lost with a process that was ended because of another picture does not count.
   */
  waitMs: number;
  /** How long an aborted picture may continue before its process is replaced. */
  graceMs: number;
  /** Pictures after which a process is replaced by a new one. */
  recycleAfter: number;
  confinement: ConfinementMode;
  /** Memory limit of the process in bytes. */
  memoryLimit: number;
  onEvent(event: EngineEvent): void;
}

/** One process and its pictures in progress. */
interface ManagedProcess {
  process: RecognitionProcess;
  running: Map<number, Job>;
  /** Pictures sent to it so far. */
  pictures: number;
  /** Whether it ever answered: if it dies before that, the next one starts after a growing pause. */
  hasAnswered: boolean;
  /** Ended by the supervisor because of one picture: the others start again. */
  isKilled: boolean;
}

/**
 * Keeps one recognition process alive and sends it pictures: a bounded queue with premium first, a time limit, abort, and a
 * new process whenever one dies, hangs or has read `recycleAfter` pictures. Callers get failures only as an `OcrError`.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #waiting = new PriorityQueue<Job>();
  /** The process that gets new pictures. */
  #current: ManagedProcess | undefined;
  /** Processes that finish their pictures and then end. */
  readonly #retiring = new Set<ManagedProcess>();
  #starting: Promise<void> | undefined;
  #confinement: ConfinementReport | undefined;
  readonly #pause = new RestartPause();
  #lastId = 0;
  #stopping = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Id of the current process; for health reports and tests. */
  get pid(): number | undefined {
    return this.#current?.process.pid;
  }

  get confinement(): ConfinementReport | undefined {
    return this.#confinement;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get waitingBy(): Record<keyof typeof PRIORITY, number> {
    const premium = this.#waiting.count(({ priority }) => priority >= PRIORITY.premium);
    const preview = this.#waiting.count(({ task }) => task.kind === 'preview');
    const job = this.#waiting.count(({ priority }) => priority <= PRIORITY.job);
    return { premium, free: this.#waiting.size - premium - preview - job, preview, job };
  }

  /** State of the engine. Reading it starts nothing. */
  get state(): EngineState {
    if (this.#stopping) return 'closing';
    if (this.#current !== undefined) return 'ready';
    if (this.#pause.isPausing) return 'pausing';
    return this.#starting === undefined ? 'idle' : 'starting';
  }

  /**
   * Resolves with the next start, after the pause for earlier failures.
   * @throws {OcrError} when the process cannot start
   */
  async ready(): Promise<void> {
    if (this.#stopping) throw stopping();
    if (this.#current === undefined) await this.#start();
  }

  async submit(request: PictureRequest): Promise<PictureResult> {
    const rejection = this.#rejectionOf(request);
    if (rejection !== undefined) throw rejection;
    const job = new Job(++this.#lastId, request, this.#options.waitMs, (givenUp) =>
      this.#giveUp(givenUp, 'aborted'),
    );
    this.#waiting.add(job);
    this.#limitWaiting(job);
    job.reportStage({ name: 'queued' });
    this.#dispatch();
    return job.result;
  }

  /** Lets pictures in progress finish and refuses waiting ones. */
  async close(): Promise<void> {
    this.#stopping = true;
    this.#pause.cutShort();
    for (const job of this.#waiting.drain()) job.settle(stopping());
    if (this.#runningCount() > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await this.#starting?.catch(() => {});
    const processes = [...this.#retiring, ...(this.#current === undefined ? [] : [this.#current])];
    await Promise.all(processes.map((managed) => managed.process.stop()));
  }

  #rejectionOf(request: PictureRequest): OcrError | undefined {
    if (this.#stopping) return stopping();
    if (request.signal?.aborted) return new OcrError(OCR_ERRORS.aborted, 'given up before it began');
    const startsAtOnce =
      this.#waiting.size === 0 && this.#current !== undefined && this.#hasRoom() && this.#mayStart(request);
    const { task, priority } = request;
    const kind = task.kind === 'preview' ? 'preview' : kindOf(priority);
    if (startsAtOnce || this.#waiting.size < queueCapacityFor(kind, this.#options)) return undefined;
    return new OcrError(OCR_ERRORS.queueFull, `${this.#waiting.size} pictures are waiting already`);
  }

  /** Previews leave half of the places in progress to pictures to be read. */
  #mayStart({ task }: Pick<PictureRequest, 'task'>): boolean {
    if (task.kind !== 'preview') return true;
    const processes = [...this.#retiring, ...(this.#current === undefined ? [] : [this.#current])];
    const running = processes.flatMap((managed) => [...managed.running.values()]);
    const previews = running.filter((job) => job.task.kind === 'preview').length;
    return previews < Math.max(1, Math.floor(this.#options.concurrency / 2));
  }

  #limitWaiting(job: Job): void {
    job.within(job.waitsUntil - performance.now(), () => {
      if (this.#waiting.remove(job))
        job.settle(new OcrError(OCR_ERRORS.queueFull, 'the picture waited too long'));
    });
  }

  #runningCount(): number {
    let count = this.#current?.running.size ?? 0;
    for (const managed of this.#retiring) count += managed.running.size;
    return count;
  }

  #hasRoom(): boolean {
    return this.#runningCount() < this.#options.concurrency;
  }

  #dispatch(): void {
    if (this.#stopping) {
      if (this.#runningCount() === 0) this.#whenIdle?.();
      return;
    }
    if (this.#waiting.size === 0) return;
    const managed = this.#current;
    if (managed === undefined || managed.isKilled) {
      this.#start().catch(() => {});
      return;
    }
    // Only pages of jobs come after previews, so no user waits for a preview that may not start yet.
    for (let job = this.#waiting.first; job && this.#hasRoom() && this.#mayStart(job); ) {
      this.#waiting.take();
      this.#assign(job, managed);
      job = this.#waiting.first;
    }
  }

  #assign(job: Job, managed: ManagedProcess): void {
    managed.running.set(job.id, job);
    managed.pictures++;
    job.begunAt = performance.now();
    job.pid = managed.process.pid;
    job.within(this.#limitOf(job), () => this.#giveUp(job, 'timed_out'));
    managed.process.send({ type: 'picture', id: job.id, bytes: job.request.bytes, task: job.task });
    if (managed.pictures === this.#options.recycleAfter) this.#recycle(managed);
  }

  #limitOf({ task }: Job): number {
    return task.kind === 'preview' ? this.#options.previewTimeoutMs : this.#options.timeoutMs;
  }

  /**
   * Answers the caller at once; the process gets some time to stop the picture, and for an aborted preview at least the
   * preview's time limit: no caller can end the process by aborting repeatedly.
   */
  #giveUp(job: Job, cause: 'timed_out' | 'aborted'): void {
    const message = cause === 'timed_out' ? 'the picture took too long' : 'the picture was given up';
    job.settle(new OcrError(OCR_ERRORS[cause === 'timed_out' ? 'timedOut' : 'aborted'], message));
    if (this.#waiting.remove(job)) return;
    const managed = [...this.#retiring, this.#current].find((candidate) => candidate?.running.has(job.id));
    if (managed === undefined) return;
    managed.process.send({ type: 'abort', id: job.id });
    const left = job.task.kind === 'preview' ? job.begunAt + this.#limitOf(job) - performance.now() : 0;
    job.within(Math.max(0, left) + this.#options.graceMs, () => {
      this.#options.onEvent({ name: 'process-unyielding', pid: managed.process.pid ?? 0, cause });
      managed.isKilled = true;
      managed.process.kill();
    });
  }

  #onMessage(
    managed: ManagedProcess,
    message: Exclude<FromProcess, { type: 'ready' | 'start-failed' }>,
  ): void {
    if (message.type === 'thread-died') {
      this.#options.onEvent({ name: 'thread-died', reason: message.reason });
      return;
    }
    const job = managed.running.get(message.id);
    if (job === undefined) return;
    if (message.type === 'stage') {
      job.reportStage(message.stage);
      return;
    }
    managed.running.delete(job.id);
    managed.hasAnswered = true;
    this.#pause.forget();
    job.stages = message.stages;
    job.reportWorkTime();
    if (message.type === 'done') job.settle(message.result);
    else job.settle(new OcrError(message.failure.code, message.failure.message));
    job.stopClock();
    this.#retireIfDone(managed);
    this.#dispatch();
  }

  /** It starts again with its full time limit, and the lost time does not count as waiting. */
  #putBack(job: Job): void {
    job.waitsUntil += performance.now() - job.begunAt;
    this.#waiting.putBack(job);
    this.#limitWaiting(job);
    job.reportStage({ name: 'queued' });
  }

  #onExit(managed: ManagedProcess, reason: string): void {
    const pid = managed.process.pid ?? 0;
    const jobs = [...managed.running.values()];
    managed.running.clear();
    const wasExpected = this.#retiring.delete(managed) && jobs.length === 0;
    if (this.#current === managed) this.#current = undefined;
    const lost = managed.isKilled || this.#stopping ? [] : jobs.filter((job) => !job.settled);
    if (!wasExpected && !this.#stopping) {
      // A process that the supervisor ended because of one picture may have been healthy.
      const retryInMs = managed.hasAnswered || managed.isKilled ? 0 : this.#pause.lengthen();
      this.#options.onEvent({ name: 'process-died', pid, reason, picturesLost: lost.length, retryInMs });
    }
    for (const job of jobs.reverse()) {
      job.stopClock();
      if (!job.settled && managed.isKilled && !this.#stopping) {
        this.#putBack(job);
        continue;
      }
      job.reportWorkTime();
      job.settle(new OcrError(OCR_ERRORS.crashed, `the recognition process ended (${reason})`));
    }
    this.#keepWarm();
    this.#dispatch();
  }

  /** Keeps a process warm for the next picture. */
  #keepWarm(): void {
    if (!this.#stopping && this.#current === undefined) this.#start().catch(() => {});
  }

  /** Starts the process. Parallel calls share one start; none during a pause. */
  #start(): Promise<void> {
    if (this.#stopping) return Promise.reject(stopping());
    this.#starting ??= this.#pause
      .rest()
      .then(() => this.#launch())
      .finally(() => {
        this.#starting = undefined;
        this.#keepWarm();
        this.#dispatch();
      });
    return this.#starting;
  }

  async #launch(): Promise<void> {
    if (this.#stopping) throw stopping();
    const startedAt = performance.now();
    let up = false;
    let managed: ManagedProcess;
    try {
      const launcher = await this.#launcher();
      if (this.#stopping) throw stopping();
      managed = this.#spawn(launcher, () => up);
      await managed.process.ready;
    } catch (error) {
      this.#onStartFailed(error as OcrError);
      throw error;
    }
    up = true;
    const durationMs = Math.round(performance.now() - startedAt);
    this.#options.onEvent({ name: 'process-started', pid: managed.process.pid ?? 0, durationMs });
    const former = this.#current;
    this.#current = managed;
    if (former !== undefined) this.#retire(former);
  }

  #spawn(launcher: Launcher, isUp: () => boolean): ManagedProcess {
    const { maxPixels, threads, languageDirs, memoryLimit } = this.#options;
    const managed: ManagedProcess = {
      process: new RecognitionProcess(
        { maxPixels, threads, languageDirs },
        { launcher, memoryLimit },
        {
          onMessage: (message) => this.#onMessage(managed, message),
          onExit: (reason) => {
            if (isUp()) this.#onExit(managed, reason);
          },
          onMemoryExceeded: (bytes) => {
            const pid = managed.process.pid ?? 0;
            this.#options.onEvent({ name: 'process-outgrown', pid, bytes, limit: memoryLimit });
          },
        },
      ),
      running: new Map(),
      pictures: 0,
      hasAnswered: false,
      isKilled: false,
    };
    return managed;
  }

  async #launcher(): Promise<Launcher> {
    const { confinement: mode, languageDirs, memoryLimit, threads } = this.#options;
    const { launcher, report } = await findConfinement({
      mode,
      readable: [...engineFiles(), ...languageDirs],
      memoryLimit: kernelLimitFor(memoryLimit, threads),
    });
    if (this.#confinement === undefined) {
      this.#confinement = report;
      this.#options.onEvent({ name: 'confinement', ...report });
    }
    return launcher;
  }

  #onStartFailed(error: OcrError): void {
    const retryInMs = this.#current === undefined ? this.#pause.lengthen() : 0;
    this.#options.onEvent({ name: 'process-start-failed', reason: error.message, retryInMs });
    if (!this.#pause.givesUp || this.#current !== undefined) return;
    for (const job of this.#waiting.drain()) job.settle(error);
  }

  /** Starts the successor first, so that no picture waits for it. */
  #recycle(managed: ManagedProcess): void {
    this.#start().catch(() => {
      // The old process continues; after the next `recycleAfter` pictures it is tried again.
      managed.pictures = 0;
    });
  }

  #retire(managed: ManagedProcess): void {
    this.#retiring.add(managed);
    this.#options.onEvent({
      name: 'process-recycled',
      pid: managed.process.pid ?? 0,
      pictures: managed.pictures,
    });
    this.#retireIfDone(managed);
  }

  #retireIfDone(managed: ManagedProcess): void {
    if (this.#retiring.has(managed) && managed.running.size === 0) void managed.process.stop();
  }
}
