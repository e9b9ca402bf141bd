import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface Command {
  program: string;
  args: readonly string[];
  options?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
}

/** `to` is infinite until the process has exited. */
export interface Ending {
  from: number;
  to: number;
}

/** Delay before a restart, like systemd's RestartSec. */
const RESTART_MS = 100;
/** Number of output lines that are kept for failure messages. */
const LINES_KEPT = 400;
const START_MS = 60_000;

/**
 * A process that is restarted whenever it ends, as by an operator's supervisor, until `stopForGood`.
 */
export class Supervised {
  readonly name: string;
  readonly #command: Command;
  readonly #isReady: () => Promise<boolean>;
  #child: ChildProcess | undefined;
  #shouldRun = false;
  #restartTimer: NodeJS.Timeout | undefined;
  /**
   * Times of each ending, on the clock of this process: before the kill, and after the exit. A process with much memory takes
   * a second or more to exit, and the system accepts connections for it until then.
   */
  readonly endings: Ending[] = [];
  readonly lines: string[] = [];
  /** The last output of each exit that was not requested. */
  readonly unexpectedExits: string[] = [];
  /** The current ending: from the kill to the exit. */
  #ending: Ending | undefined;

  /** @param isReady whether the process works; polled during its start */
  constructor(name: string, command: Command, isReady: () => Promise<boolean>) {
    this.name = name;
    this.#command = command;
    this.#isReady = isReady;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    this.#shouldRun = true;
    if (!this.#child) this.#spawn();
    await this.ready();
  }

  async ready(): Promise<void> {
    const until = performance.now() + START_MS;
    while (!(await this.#isReady().catch(() => false))) {
      if (performance.now() > until)
        throw new Error(`${this.name} did not start:\n${this.lines.slice(-20).join('\n')}`);
      await delay(25);
    }
  }

  /** Kills the process, like a power failure. It is restarted. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    this.#markEnding();
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends the process without a restart. */
  async stopForGood(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT' = 'SIGKILL'): Promise<void> {
    this.#shouldRun = false;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    this.#markEnding();
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  /** Suspends the process and all its children; clients wait. */
  suspend(): void {
    for (const pid of processTree(this.pid)) process.kill(pid, 'SIGSTOP');
  }

  /** Suspends all its children only. */
  suspendChildren(): void {
    for (const pid of processTree(this.pid).slice(1)) process.kill(pid, 'SIGSTOP');
  }

  goOn(): void {
    for (const pid of processTree(this.pid)) process.kill(pid, 'SIGCONT');
  }

  #markEnding(): void {
    if (this.#ending) return;
    this.#ending = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    this.endings.push(this.#ending);
  }

  #spawn(): void {
    const { program, args, options } = this.#command;
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.lines.push(...chunk.toString().split('\n').filter(Boolean));
        this.lines.splice(0, this.lines.length - LINES_KEPT);
      });
    }
    child.once('exit', (code, signal) => {
      const now = performance.now();
      if (this.#ending) this.#ending.to = now;
      else {
        this.endings.push({ from: now, to: now });
        this.unexpectedExits.push(
          `${this.name} ended unexpectedly (${signal ?? code}): ${this.lines.slice(-5).join('\n')}`,
        );
      }
      this.#ending = undefined;
      this.#child = undefined;
      if (this.#shouldRun)
        this.#restartTimer = setTimeout(() => this.#shouldRun && this.#spawn(), RESTART_MS);
    });
  }
}

/** A process and all its descendants, parents first. */
export function processTree(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(processTree)];
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}
