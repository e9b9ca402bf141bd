/** What a run has read so far, a line a picture, so that a run that was ended can be gone on with. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CaseReport, Kept } from './accuracy.ts';
import { BenchSetupError } from './corpus.ts';

/** A line of the file; the first one is what the run is: whose readings may stand beside one another. */
interface Line {
  set: string;
  report: CaseReport;
  /** The most bytes that the recognising process had held by then. */
  peak: number | null;
}

export class Journal implements Kept {
  readonly #file: string;
  readonly #found = new Map<string, CaseReport>();
  /** Of the runs before. */
  #peak: number | null = null;
  readonly #onRead: (report: CaseReport) => number | null;

  /**
   * @param run what must be the same for its pictures to be taken over
   * @param onRead told of each picture that was read now; gives the peak of memory
   * @throws {BenchSetupError} where another run is to be gone on with, or none was begun
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

  /** The higher of this and what earlier parts of the run saw. */
  highest(peak: number | null): number | null {
    return peak === null && this.#peak === null ? null : Math.max(peak ?? 0, this.#peak ?? 0);
  }

  #takeOver(head: string): void {
    if (!existsSync(this.#file)) throw new BenchSetupError(`There is no run to go on with: ${this.#file}.`);
    const text = readFileSync(this.#file, 'utf8');
    // A line that was being written when the run ended has no end; its picture is read again.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const [begun, ...lines] = whole.split('\n').slice(0, -1);
    if (begun !== head) {
      throw new BenchSetupError(
        `The run to go on with is another one:\n  begun: ${begun}\n  now:   ${head}\nBegin anew without --resume.`,
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
