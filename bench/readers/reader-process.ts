/** Runs a reader in a separate process, which handles one picture after another. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Command {
  program: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Maximum length of the error output in the message about a failed start. */
const STDERR_LENGTH = 2_000;

/**
 * Requests are lines of JSON on standard input; answers are lines of JSON on file descriptor 3, so that the output of
 * libraries does not interfere. The first line reports that the process is ready.
 */
export class ReaderProcess {
  readonly #command: Command;
  #running: { child: ChildProcess; answers: AsyncIterator<string>; lines: Interface } | null = null;
  #errors = '';

  constructor(command: Command) {
    this.#command = command;
  }

  /** Starts the process and returns its first line. @throws if it ends before that */
  async start(): Promise<unknown> {
    const { program, args, env } = this.#command;
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    child.stderr!.on('data', (text: Buffer) => {
      this.#errors = (this.#errors + text).slice(-STDERR_LENGTH);
    });
    // An error of writing to an ended process is ignored; the missing answer reports it.
    child.stdin!.on('error', () => {});
    child.on('error', (error) => {
      this.#errors = error.message;
    });
    const lines = createInterface({ input: child.stdio[3] as Readable });
    this.#running = { child, lines, answers: lines[Symbol.asyncIterator]() };
    const first = await this.#next();
    if (first === null) throw new Error(`${program} ${args.join(' ')} did not start: ${this.#errors}`);
    return first;
  }

  /** Returns `null` if the process ended without an answer; it is restarted for the next request. */
  async ask(question: unknown): Promise<unknown> {
    if (!this.#running) await this.start();
    this.#running!.child.stdin!.write(`${JSON.stringify(question)}\n`);
    return this.#next();
  }

  async close(): Promise<void> {
    const child = this.#running?.child;
    this.#running = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin!.end();
    await ended;
  }

  async #next(): Promise<unknown> {
    const line = await this.#running!.answers.next();
    if (!line.done) return JSON.parse(line.value);
    this.#running = null;
    return null;
  }
}
