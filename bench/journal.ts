/** The results of a run so far, one line for each picture, so that a stopped run can be resumed. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CaseReport, Kept } from './accuracy.ts';
import { BenchSetupError } from './corpus.ts';

/** A line of the file after the first, which describes the run: only pictures of equal runs may be mixed. */
interface Line {
  set: string;
  report: CaseReport;
  /** Peak memory of the recognition process up to this picture, in bytes. */
  peak: number | null;
}

export class Journal implements Kept {
  readonly #file: string;
  readonly #found = new Map<string, CaseReport>();
  /** Of the runs before. */
  #peak: number | null = null;
  readonly #onRead: (report: CaseReport) => number | null;

  /**
   * @param run properties that must be equal to reuse the results of an earlier run
   * @param onRead called for each newly read picture; returns the peak of memory
   * @throws {BenchSetupError} when the file holds a different run, or there is none to resume
   */
  constructor(
    file: string,
    run: Record<string, string>,
    { resume, onRead }: { resume: boolean; onRead: (report: CaseReport) => number | null },
  ) {
    this.#file = file;
    this.#onRead = onRead;
    const head = JSON.stringify(run);
    if (resume) this.#takeOver(head);
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

  /** The higher of this peak and those of earlier parts of the run. */
  highest(peak: number | null): number | null {
    return peak === null && this.#peak === null ? null : Math.max(peak ?? 0, this.#peak ?? 0);
  }

  #takeOver(head: string): void {
    if (!existsSync(this.#file))
      throw new BenchSetupError(`There is no run to resume: ${this.#file} does not exist.`);
    const text = readFileSync(this.#file, 'utf8');
    // A line that was being written when the run was killed is incomplete; its picture is read again.
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
