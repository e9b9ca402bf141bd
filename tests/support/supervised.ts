import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface Command {
  program: string;
  args: readonly string[];
  options?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
}

/** `to` is infinite as long as it is not seen to be gone. */
export interface Ending {
  from: number;
  to: number;
}

/** As systemd's RestartSec: it may come up at once only to find what the dead one left behind. */
const RESTART_MS = 100;
/** The last output of a process, to find the reason of a failure. */
const LINES_KEPT = 400;
const START_MS = 60_000;

/**
 * A process that is restarted whenever it ends, as by an operator's supervisor, until it is stopped for good. Nothing
 * else is done to bring it back.
 */
export class Supervised {
  readonly name: string;
  readonly #command: Command;
  readonly #isReady: () => Promise<boolean>;
  #child: ChildProcess | undefined;
  #wanted = false;
  #again: NodeJS.Timeout | undefined;
  /**
   * On the clock of this process: when it was killed, noted before that, and when it was seen to be gone, which is after that. A
   * process with much memory takes a second or more in between, and the system takes connections for it until then.
   */
  readonly endings: Ending[] = [];
  readonly lines: string[] = [];
  /** Its last output each time that it ended by itself. */
  readonly deaths: string[] = [];
  /** Set from when it is killed until it is gone. */
  #ending: Ending | undefined;

  /** @param isReady whether it does its work; asked again and again while it starts */
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

  /** Resolves once it is ready. */
  async start(): Promise<void> {
    this.#wanted = true;
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

  /** As a machine that loses power. It comes again by itself. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    this.#strike();
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it, and keeps it away until it is started. */
  async keepAway(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT' = 'SIGKILL'): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#again);
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    this.#strike();
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  /** It and all its children are suspended; clients wait. */
  hold(): void {
    for (const pid of processTree(this.pid)) process.kill(pid, 'SIGSTOP');
  }

  /** All that it has started stands still, and it does not. */
  holdChildren(): void {
    for (const pid of processTree(this.pid).slice(1)) process.kill(pid, 'SIGSTOP');
  }

  goOn(): void {
    for (const pid of processTree(this.pid)) process.kill(pid, 'SIGCONT');
  }

  #strike(): void {
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
        this.deaths.push(
          `${this.name} ended by itself (${signal ?? code}): ${this.lines.slice(-5).join('\n')}`,
        );
      }
      this.#ending = undefined;
      this.#child = undefined;
      if (this.#wanted) this.#again = setTimeout(() => this.#wanted && this.#spawn(), RESTART_MS);
    });
  }
}

/** A process and all below it, the eldest first. */
export function processTree(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(processTree)];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
