import { type ChildProcess, fork } from 'node:child_process';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { FromProcess, ProcessSettings, ToProcess } from './messages.ts';
import { moduleEntry } from './module-entry.ts';

const START_LIMIT_MS = 60_000;

/**
 * What decodes untrusted bytes gets none of the server's secrets: only these variables are handed on. No library of its
 * has anything to keep in a home folder.
 */
const INHERITED = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_ENV',
  'LD_LIBRARY_PATH',
  'SystemRoot',
  'TEMP',
];

export interface ProcessListeners {
  onMessage(message: Exclude<FromProcess, { type: 'ready' | 'start-failed' }>): void;
  /** Once, whatever the cause. `reason` is a signal or an exit code. */
  onExit(reason: string): void;
}

/** One recognising process, from its start to its end. */
export class RecognisingProcess {
  readonly #child: ChildProcess;
  #exited = false;
  /** Resolves when pictures may be sent. @throws {OcrError} when it ends, fails or dawdles before that. */
  readonly ready: Promise<void>;

  constructor(settings: ProcessSettings, listeners: ProcessListeners) {
    const { filename, execArgv } = moduleEntry('process', import.meta.url);
    const child = fork(filename, [], {
      execArgv,
      serialization: 'advanced',
      env: environment(),
      // Decoders write warnings to stderr that nobody asked for; what matters comes as a message.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    this.ready = new Promise((resolve, reject) => {
      const fail = (error: OcrError) => {
        clearTimeout(limit);
        reject(error);
      };
      const limit = setTimeout(() => {
        fail(new OcrError(OCR_ERRORS.internal, 'the recognising process did not come up in time'));
        this.kill();
      }, START_LIMIT_MS);
      const onExit = (reason: string) => {
        if (this.#exited) return;
        this.#exited = true;
        fail(new OcrError(OCR_ERRORS.crashed, `the recognising process ended at its start (${reason})`));
        listeners.onExit(reason);
      };
      child.on('exit', (code, signal) => onExit(signal ?? `exit code ${code}`));
      child.on('error', (error) => {
        // A failed fork has no exit to come; a failed message has, and is answered there.
        if (child.pid === undefined) onExit(error.message);
      });
      child.on('message', (message) => {
        const known = message as FromProcess;
        if (known.type === 'ready') {
          clearTimeout(limit);
          resolve();
        } else if (known.type === 'start-failed') {
          fail(new OcrError(known.failure.code, known.failure.message));
          this.kill();
        } else {
          listeners.onMessage(known);
        }
      });
    });
    // Whoever waits for the start handles its failure; a process nobody waits for ends in silence.
    this.ready.catch(() => {});
    this.send({ type: 'start', settings });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: ToProcess): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** Ends it at once, whatever it is doing. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.#exited || this.#child.pid === undefined) return;
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.send({ type: 'stop' });
    const insist = setTimeout(() => this.kill(), 2_000);
    await exited;
    clearTimeout(insist);
  }
}

function environment(): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    ...Object.fromEntries(inherited),
    // Before any library of the process can look for it.
    ORT_DISABLE_TELEMETRY: '1',
    // The pixels of finished pictures go back to the system: few arenas, and large blocks on pages of their own. Left to
    // itself the C library raises the size that counts as large with every block it frees.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1000000',
    MALLOC_TRIM_THRESHOLD_: '8000000',
    // A picture never touches the disk, however large it is when decoded.
    VIPS_DISC_THRESHOLD: '64g',
  };
}
