import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { FromProcess, ProcessSettings, ToProcess } from '../child/messages.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { moduleEntry } from '../module-entry.ts';
import { type Launcher, minimalEnvironment } from './confinement.ts';
import { watchMemory } from './memory-watch.ts';

const START_LIMIT_MS = 60_000;

export interface ProcessListeners {
  onMessage(message: Exclude<FromProcess, { type: 'ready' | 'start-failed' }>): void;
  /** Called once, whatever the cause. `reason` is a signal or an exit code. */
  onExit(reason: string): void;
  /** Called before the process is ended for exceeding its memory limit. */
  onMemoryExceeded(bytes: number): void;
}

export interface ProcessLimits {
  launcher: Launcher;
  /** Memory limit in bytes. */
  memoryLimit: number;
}

/** One recognition process, from its start to its end. */
export class RecognitionProcess {
  readonly #child: ChildProcess;
  #exited = false;
  /** Of the recognition process, which may be a child of the sandbox program. */
  #pid: number | undefined;
  /** Resolves when pictures may be sent. @throws {OcrError} when the process ends, fails or times out before that. */
  readonly ready: Promise<void>;

  constructor(
    settings: ProcessSettings,
    { launcher, memoryLimit }: ProcessLimits,
    listeners: ProcessListeners,
  ) {
    const { filename, execArgv, env } = moduleEntry('../child/main', import.meta.url);
    const child = fork(filename, [], {
      execPath: launcher.command,
      execArgv: [...launcher.args, ...execArgv],
      // A Ctrl-C in the terminal is for the server, and sandbox programs do not ignore it.
      detached: launcher.forks > 0,
      serialization: 'advanced',
      env: { ...minimalEnvironment(), ...env },
      // Decoders write irrelevant warnings to stderr; failures arrive as messages.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    this.#pid = child.pid;
    let stopMemoryWatch = () => {};
    this.ready = new Promise((resolve, reject) => {
      const fail = (error: OcrError) => {
        clearTimeout(limit);
        reject(error);
      };
      const limit = setTimeout(() => {
        fail(new OcrError(OCR_ERRORS.internal, 'the recognition process did not start in time'));
        this.kill();
      }, START_LIMIT_MS);
      const onExit = (reason: string) => {
        if (this.#exited) return;
        this.#exited = true;
        stopMemoryWatch();
        fail(new OcrError(OCR_ERRORS.crashed, `the recognition process ended during its start (${reason})`));
        listeners.onExit(reason);
      };
      child.on('exit', (code, signal) => onExit(signal ?? reasonOf(code, launcher)));
      child.on('error', (error) => {
        // A failed fork gets no exit event; a failed message does, and is handled there.
        if (child.pid === undefined) onExit(error.message);
      });
      child.on('message', (message) => {
        const known = message as FromProcess;
        if (known.type === 'ready') {
          clearTimeout(limit);
          this.#pid = descendantOf(child.pid, launcher.forks) ?? child.pid;
          stopMemoryWatch = watchMemory(this.#pid, memoryLimit, (bytes) => {
            listeners.onMemoryExceeded(bytes);
            this.kill();
          });
          resolve();
        } else if (known.type === 'start-failed') {
          fail(new OcrError(known.failure.code, known.failure.message));
          this.kill();
        } else {
          listeners.onMessage(known);
        }
      });
    });
    // Callers that wait for the start handle its failure; without one, the failure is ignored.
    this.ready.catch(() => {});
    this.send({ type: 'start', settings });
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  send(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** Kills it at once. */
  kill(): void {
    if (this.#exited) return;
    if (this.#pid !== undefined && this.#pid !== this.#child.pid) endAtOnce(this.#pid);
    this.#child.kill('SIGKILL');
  }

  /** Resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.#exited || this.#child.pid === undefined) return;
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.send({ type: 'stop' });
    const killTimer = setTimeout(() => this.kill(), 2_000);
    await exited;
    clearTimeout(killTimer);
  }
}

/** Sandbox programs report a signal that ended their child in the way of shells. */
function reasonOf(code: number | null, { forks }: Launcher): string {
  const signal = forks > 0 && code !== null && code > 128 ? code - 128 : undefined;
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return name ?? `exit code ${code}`;
}

/** Each of the processes above it has a single child. */
function descendantOf(pid: number | undefined, generations: number): number | undefined {
  if (pid === undefined || generations === 0) return pid;
  try {
    const child = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
    return descendantOf(child || undefined, generations - 1);
  } catch {
    return undefined;
  }
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
