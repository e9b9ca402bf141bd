/**
 * Recognizers: what `RecognizerThreads` is on the server. The first works on the engine's own worker, in the memory that the
 * detector has used; each further one takes some 150 MB.
 */
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { TextBox } from '../layout/order/line-fragments.ts';
import type { OrderedLine, OrderOptions } from '../layout/order/order.ts';
import type { OpenModel } from '../networks/network.ts';
import type { GrayImage } from '../picture/picture.ts';
import type { Recognizers } from '../pipeline.ts';
import type { PageReader } from '../reading/recognizer.ts';
import type { FeatureExtractor } from '../recognizers/paddle-features.ts';
import { LineNetworks, networkReader } from '../recognizers/tesseract-network.ts';
import { type NetworkTask, NetworkTasks } from '../threads/network-tasks.ts';
import type { SharedNetwork, ThreadAnswers } from '../threads/tasks.ts';
import { type EngineFiles, languageIn } from './files.ts';
import { openNamed, type WasmRuntime } from './onnxruntime.ts';
import {
  type RecognizerAnswer,
  type RecognizerSettings,
  type RecognizerTask,
  resultOf,
} from './recognizer-tasks.ts';

const LANGUAGE = 'eng';
/** Its model is its name: each worker has the bytes from its settings. */
const SECOND: SharedNetwork = { name: 'recognition', model: 'recognition' };
const FIRST: SharedNetwork = { name: LANGUAGE, model: LANGUAGE };

interface RecognizersOptions {
  runtime: WasmRuntime;
  open: OpenModel;
  size: number;
}

type Recognizer = Worker | NetworkTasks;

interface Waiting {
  task: NetworkTask;
  resolve(answer: ThreadAnswers[NetworkTask['kind']]): void;
  reject(error: Error): void;
}

export class WorkerRecognizers implements Recognizers {
  readonly size: number;
  readonly #networks: LineNetworks;
  readonly #workers: Worker[] = [];
  /** The last one is taken first. */
  readonly #idle: Recognizer[] = [];
  readonly #queue: Waiting[] = [];
  readonly #atWork = new Map<Recognizer, Waiting>();

  /**
   * @param open opens networks on this worker
   * @throws {OcrError} `internal` when the data of English has no network
   */
  constructor(files: EngineFiles, { runtime, open, size }: RecognizersOptions) {
    this.size = size;
    this.#networks = new LineNetworks(languageIn(files));
    const network = this.#networks.of(LANGUAGE);
    if (!network) throw new OcrError(OCR_ERRORS.internal, 'the data of English has no network');
    const settings: RecognizerSettings = {
      runtime: { ...runtime, threads: 1 },
      networks: {
        [FIRST.name]: { model: network.model, published: false },
        [SECOND.name]: { model: files['recognition.onnx'], published: true },
      },
    };
    this.#idle.push(new NetworkTasks(openNamed(open, settings.networks)));
    for (let i = 1; i < size; i++) this.#start(settings);
  }

  /** @throws {OcrError} `language_unavailable` */
  readerOf(languages: readonly string[], { checked }: { checked: boolean }): PageReader {
    const [language] = languages;
    const network = languages.length === 1 && checked ? this.#networks.of(language!) : undefined;
    if (!network)
      throw new OcrError(OCR_ERRORS.languageUnavailable, `${languages.join('+')} needs the server`);
    return networkReader(network, (crops) =>
      this.#run({ kind: 'posteriors', crops: crops.map(alone), network: FIRST, stop: NEVER }),
    );
  }

  /** The output of the secondary recognizer's network for a crop of one line. @throws {OcrError} `crashed` */
  readonly featuresOf: FeatureExtractor = (crop) =>
    this.#run({ kind: 'features', crop: alone(crop), second: SECOND, stop: NEVER });

  order(boxes: readonly TextBox[], options: OrderOptions): Promise<OrderedLine[]> {
    return this.#run({ kind: 'order', boxes, options, stop: NEVER });
  }

  close(): void {
    for (const worker of this.#workers) worker.terminate();
  }

  #start(settings: RecognizerSettings): void {
    const worker = new Worker(new URL('./recognizer-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<RecognizerAnswer>) => this.#answered(worker, data);
    worker.onerror = () => this.#died(worker);
    worker.postMessage(settings);
    this.#workers.push(worker);
    this.#idle.push(worker);
  }

  #run<Task extends NetworkTask>(task: Task): Promise<ThreadAnswers[Task['kind']]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve: resolve as Waiting['resolve'], reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#idle.length > 0 && this.#queue.length > 0) {
      const recognizer = this.#idle.pop()!;
      const waiting = this.#queue.shift()!;
      this.#atWork.set(recognizer, waiting);
      const { task } = waiting;
      if (recognizer instanceof NetworkTasks) void this.#perform(recognizer, task);
      else recognizer.postMessage({ task } satisfies RecognizerTask);
    }
  }

  /** After the others have their tasks: a network blocks this worker. */
  async #perform(own: NetworkTasks, task: NetworkTask): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#answered(own, { result: await resultOf(own, task) });
  }

  #answered(recognizer: Recognizer, { result }: RecognizerAnswer): void {
    const waiting = this.#atWork.get(recognizer);
    this.#atWork.delete(recognizer);
    if (recognizer instanceof NetworkTasks) this.#idle.unshift(recognizer);
    else this.#idle.push(recognizer);
    if (result.ok) waiting?.resolve(result.answer);
    else waiting?.reject(new OcrError(result.failure.code, result.failure.message));
    this.#next();
  }

  /** A worker that cannot start or trapped: the engine is of no use without it. */
  #died(worker: Worker): void {
    const error = new OcrError(OCR_ERRORS.crashed, 'a recognizing worker ended at work');
    for (const waiting of [this.#atWork.get(worker), ...this.#queue.splice(0)]) waiting?.reject(error);
    this.#atWork.delete(worker);
  }
}

/** The page ends the engine's worker instead. */
const NEVER = new Int32Array(1);

/** A message copies the whole buffer of a view. */
const alone = (crop: GrayImage): GrayImage =>
  crop.gray.byteLength === crop.gray.buffer.byteLength ? crop : { ...crop, gray: crop.gray.slice() };
