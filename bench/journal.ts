/** Stores the results of a run, one line per picture, so that a stopped run can be resumed. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CaseReport, ResultStore } from './accuracy.ts';
import { BenchSetupError } from './corpus.ts';

/** A line of the file. The first line describes the run instead, because only results of equal runs may be combined. */
interface Line {
  set: string;
  report: CaseReport;
  /** Peak memory of the recognition process so far, in bytes. */
  peak: number | null;
}

export class Journal implements ResultStore {
  readonly #file: string;
  readonly #found = new Map<string, CaseReport>();
  /** Peak memory of the resumed parts of the run. */
  #peak: number | null = null;
  readonly #onRead: (report: CaseReport) => number | null;

  /**
   * @param run properties that must be equal for the results of an earlier run to be reused
   * @param onRead called for each newly read picture; returns the peak memory
   * @throws {BenchSetupError} if the file is of a different run, or there is no run to resume
   */
  constructor(
    file: string,
    run: Record<string, string>,
    { resume, onRead }: { resume: boolean; onRead: (report: CaseReport) => number | null },
  ) {
    this.#file = file;
    this.#onRead = onRead;
    const head = JSON.stringify(run);
    if (resume) this.#resume(head);
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${head}\n`);
    }
  }

  find(set: string, name: string): CaseReport | undefined {
    return this.#found.get(keyOf(set, name));
  }

  add(set: string, report: CaseReport): void {
    const key = keyOf(set, report.name);
    if (this.#found.has(key)) return;
    this.#found.set(key, report);
    const line: Line = { set, report, peak: this.#onRead(report) };
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  get size(): number {
    return this.#found.size;
  }

  /** The maximum of `peak` and the peaks of earlier parts of the run. */
  highest(peak: number | null): number | null {
    return peak === null && this.#peak === null ? null : Math.max(peak ?? 0, this.#peak ?? 0);
  }

  #resume(head: string): void {
    if (!existsSync(this.#file))
      throw new BenchSetupError(`There is no run to resume: ${this.#file} does not exist.`);
    const text = readFileSync(this.#file, 'utf8');
    // The last line is incomplete if the run was killed while it was written; its picture is read again.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const [earlier, ...lines] = whole.split('\n').slice(0, -1);
    if (earlier !== head) {
      throw new BenchSetupError(
        `This run cannot be resumed, because it differs:\n  then: ${earlier}\n  now:  ${head}\nStart again without --resume.`,
      );
    }
    for (const line of lines) {
      const { set, report, peak } = JSON.parse(line) as Line;
      this.#found.set(keyOf(set, report.name), report);
      this.#peak = this.highest(peak);
    }
    writeFileSync(this.#file, whole);
  }
}

const keyOf = (set: string, name: string) => `${set}\n${name}`;
