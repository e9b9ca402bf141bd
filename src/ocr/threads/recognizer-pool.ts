import { Piscina } from 'piscina';
import { itemAt } from '../checked.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { dataIn } from '../languages/language-data.ts';
import type { TextBox } from '../layout/order/line-fragments.ts';
import type { OrderedLine, OrderOptions } from '../layout/order/order.ts';
import { moduleEntry } from '../module-entry.ts';
import { singleFlight } from '../networks/network.ts';
import '../networks/no-telemetry.ts';
import { networkFile } from '../networks/ready-networks.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { PageReader } from '../reading/recognizer.ts';
import type { LineFeatures } from '../recognizers/paddle-features.ts';
import { type LanguageNetwork, LineNetworks, networkReader } from '../recognizers/tesseract-network.ts';
import { type CropWord, readingOfWords, TESSERACT_READING } from '../recognizers/tesseract-words.ts';
import type { ThreadSettings } from './recognizer-worker.ts';
import type { SharedNetwork, ThreadAnswers, ThreadResult, ThreadTask } from './tasks.ts';

/**
 * Tasks after which a thread's recognizer is replaced. Lines are small and it hardly grows with them, while a replaced one's
 * memory stays until it is collected: the whole process is replaced before this is reached.
 */
const RECYCLE_AFTER = 2_000;

export interface RecognizerThreadsOptions {
  threads: number;
  languageDirs: readonly string[];
  recycleAfter?: number;
  /** A thread ended unexpectedly; it is replaced. */
  onThreadDied?: (reason: string) => void;
}

/**
 * Both recognizers, kept loaded, on each of a few worker threads. Pixels are in shared memory and are not copied.
 */
export class RecognizerThreads {
  readonly #pool: Piscina;
  /** Calls that run at the same time. */
  readonly size: number;
  readonly #onThreadDied: (reason: string) => void;
  readonly #networks: LineNetworks;
  /** One for all tasks of a picture. */
  readonly #stops = new WeakMap<AbortSignal, Int32Array>();
  /** Its digest is checked once for all threads. */
  readonly #second = singleFlight(async () => ({
    name: 'recognition',
    model: await networkFile('features'),
  }));

  constructor(options: RecognizerThreadsOptions) {
    this.size = options.threads;
    this.#networks = new LineNetworks(dataIn(options.languageDirs));
    this.#onThreadDied = options.onThreadDied ?? (() => {});
    const { filename, execArgv } = moduleEntry('recognizer-worker', import.meta.url);
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
      // Parked threads would not notice a termination of the process.
      atomics: 'disabled',
      recordTiming: false,
    });
    // Emitted for a thread that dies while idle; one that dies while working rejects its task instead.
    this.#pool.on('error', (error: unknown) => this.#onThreadDied(reasonOf(error)));
  }

  /** Warms every thread with the recognizer of a set of languages. @throws {OcrError} `language_unavailable` */
  async prepare(languages: readonly string[]): Promise<void> {
    const network = this.#networkOf(languages);
    const second = await this.#second();
    const task = { kind: 'prepare', languages, network: network && shared(network), second } as const;
    await Promise.all(Array.from({ length: this.size }, () => this.#run(task)));
  }

  /**
   * The primary recognizer. With a secondary recognizer and a single language it is tesseract's network by itself, which is
   * several times faster; otherwise tesseract, which has a dictionary.
   * @throws {OcrError} `language_unavailable`
   */
  readerOf(languages: readonly string[], { hasSecondary }: { hasSecondary: boolean }): PageReader {
    const network = hasSecondary ? this.#networkOf(languages) : undefined;
    if (!network) {
      return {
        ...TESSERACT_READING,
        read: async (crops, signal) => {
          const lines = await this.readLines(crops, languages, signal);
          return lines.map((words, index) => readingOfWords(words, itemAt(crops, index).height));
        },
      };
    }
    return networkReader(network, (crops, signal) =>
      this.#runToStop((stop) => ({ kind: 'posteriors', crops, network: shared(network), stop }), signal),
    );
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
   * The output of the secondary recognizer's network for a crop of one line.
   * @throws {OcrError} `aborted`, `crashed`
   */
  async featuresOf(crop: GrayImage, signal?: AbortSignal): Promise<LineFeatures> {
    const second = await this.#second();
    return this.#runToStop((stop) => ({ kind: 'features', crop, second, stop }), signal);
  }

  /**
   * Boxes in reading order, as `orderLines` returns them: a page of thousands takes a second.
   * @throws {OcrError} `aborted`, `crashed`
   */
  order(boxes: readonly TextBox[], options: OrderOptions, signal?: AbortSignal): Promise<OrderedLine[]> {
    return this.#runToStop((stop) => ({ kind: 'order', boxes, options, stop }), signal);
  }

  #networkOf(languages: readonly string[]): LanguageNetwork | undefined {
    const [language, ...others] = languages;
    return language === undefined || others.length > 0 ? undefined : this.#networks.of(language);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /** The threads themselves, for a test that ends one of them. */
  get workers() {
    return this.#pool.threads;
  }

  /**
   * Requests a network to stop on an abort. Its thread must not be ended as tesseract's is: onnxruntime would take the whole
   * process with it.
   */
  async #runToStop<Task extends ThreadTask>(
    taskWith: (stop: Int32Array) => Task,
    signal: AbortSignal | undefined,
  ): Promise<ThreadAnswers[Task['kind']]> {
    const stop = (signal && this.#stops.get(signal)) ?? stopOf(signal);
    if (signal) this.#stops.set(signal, stop);
    return this.#run(taskWith(stop));
  }

  /** A thread that is working when the signal fires is ended and replaced. */
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
      throw new OcrError(OCR_ERRORS.crashed, 'a recognizing thread ended at work', { cause });
    }
    if (!result.ok) throw new OcrError(result.failure.code, result.failure.message);
    return result.answer;
  }
}

/** Becomes 1 when the signal fires, for threads to see. */
function stopOf(signal: AbortSignal | undefined): Int32Array {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const ask = () => Atomics.store(stop, 0, 1);
  if (signal?.aborted) ask();
  else signal?.addEventListener('abort', ask, { once: true });
  return stop;
}

const shared = ({ language, model }: LanguageNetwork): SharedNetwork => ({ name: language, model });

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
