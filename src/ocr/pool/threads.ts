import { Piscina } from 'piscina';
import type { Features } from '../engines/paddle-recogniser.ts';
import type { CropWord, GrayImage, PageLine } from '../engines/tesseract.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { ThreadAnswers, ThreadResult, ThreadTask } from './messages.ts';
import { moduleEntry } from './module-entry.ts';
import type { ThreadSettings } from './thread.ts';

/**
 * Tasks after which a thread's recogniser is replaced. Lines are small and it hardly grows with them, while a replaced one's
 * memory lingers until it is collected: the whole process is replaced before this is reached, but for pages read at once.
 */
const RECYCLE_AFTER = 2_000;

export interface RecogniserThreadsOptions {
  threads: number;
  languageDirs: readonly string[];
  recycleAfter?: number;
  /** A thread ended without being asked to; it is replaced. */
  onThreadDied?: (reason: string) => void;
}

/** Both recognisers, warm, on each of a few worker threads. Pixels in shared memory reach them without a copy. */
export class RecogniserThreads {
  readonly #pool: Piscina;
  /** Calls that run at the same time. */
  readonly size: number;
  readonly #onThreadDied: (reason: string) => void;

  constructor(options: RecogniserThreadsOptions) {
    this.size = options.threads;
    this.#onThreadDied = options.onThreadDied ?? (() => {});
    const { filename, execArgv } = moduleEntry('thread', import.meta.url);
    const workerData: ThreadSettings = {
      languageDirs: options.languageDirs,
      recycleAfter: options.recycleAfter ?? RECYCLE_AFTER,
    };
    this.#pool = new Piscina({
      filename,
      name: 'work',
      execArgv,
      workerData,
      minThreads: options.threads,
      maxThreads: options.threads,
      // Parked threads would not notice that the process is asked to end.
      atomics: 'disabled',
      recordTiming: false,
    });
    // Emitted for a thread that dies while idle; one that dies at work rejects its task instead.
    this.#pool.on('error', (error: unknown) => this.#onThreadDied(reasonOf(error)));
  }

  /** Warms every thread with a set of languages. @throws {OcrError} `language_unavailable` */
  async prepare(languages: readonly string[]): Promise<void> {
    await Promise.all(Array.from({ length: this.size }, () => this.#run({ kind: 'prepare', languages })));
  }

  /**
   * Reads a page with tesseract's own layout analysis: lines in its reading order, boxes in the page's pixels.
   * @throws {OcrError} `language_unavailable`, `aborted`, `crashed`
   */
  readPage(page: GrayImage, languages: readonly string[], signal?: AbortSignal): Promise<PageLine[]> {
    return this.#run({ kind: 'read-page', page, languages }, signal);
  }

  /**
   * Reads crops of one line each (dark ink on a light ground): the words of each, with their columns in the crop.
   * One call is one thread's work: split a page's crops into as many calls as threads should share them.
   * @throws {OcrError} `language_unavailable`, `aborted`, `crashed`
   */
  readLines(
    crops: readonly GrayImage[],
    languages: readonly string[],
    signal?: AbortSignal,
  ): Promise<CropWord[][]> {
    return this.#run({ kind: 'read-lines', crops, languages }, signal);
  }

  /**
   * What the second recogniser's network makes of a crop of one line.
   * @throws {OcrError} `aborted`, `crashed`
   */
  featuresOf(crop: GrayImage, signal?: AbortSignal): Promise<Features> {
    return this.#run({ kind: 'features', crop }, signal);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /** The threads themselves, for a test that ends one of them. */
  get workers() {
    return this.#pool.threads;
  }

  async #run<Task extends ThreadTask>(
    task: Task,
    signal?: AbortSignal,
  ): Promise<ThreadAnswers[Task['kind']]> {
    let result: ThreadResult<ThreadAnswers[Task['kind']]>;
    try {
      result = await this.#pool.run(task, { signal: signal ?? null });
    } catch (cause) {
      if (signal?.aborted) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up', { cause });
      this.#onThreadDied(reasonOf(cause));
      throw new OcrError(OCR_ERRORS.crashed, 'a recognising thread ended at work', { cause });
    }
    if (!result.ok) throw new OcrError(result.failure.code, result.failure.message);
    return result.answer;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
