/**
 * Recognizers: what `RecognizerThreads` is on the server. The first works on the engine's own worker; each further one takes
 * some 80 MB once it has something to do.
 */
import { required } from '../checked.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { LoadLanguage } from '../languages/traineddata.ts';
import type { TextBox } from '../layout/order/line-fragments.ts';
import type { OrderedLine, OrderOptions } from '../layout/order/order.ts';
import type { OpenModel } from '../networks/network.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { Recognizers } from '../pipeline.ts';
import type { PageReader } from '../reading/recognizer.ts';
import type { FeatureExtractor } from '../recognizers/paddle-features.ts';
import { LineNetworks, networkReader } from '../recognizers/tesseract-network.ts';
import { type NetworkTask, NetworkTasks } from '../threads/network-tasks.ts';
import type { SharedNetwork, ThreadAnswers } from '../threads/tasks.ts';
import { type NamedNetwork, openNamed, type WasmRuntime } from './onnxruntime.ts';
import { type RecognizerAnswer, resultOf, type ToRecognizer } from './recognizer-tasks.ts';

interface RecognizersOptions {
  runtime: WasmRuntime;
  /** Opens networks on this worker. */
  open: OpenModel;
  /** The secondary recognizer's, as it is published. */
  second: Uint8Array;
  loadLanguage: LoadLanguage;
  size: number;
  /** Before something is read. */
  onRead(): void;
}

/**
 * Tasks that a further recognizer has at once: the next one waits there, because the engine's worker answers nothing while it
 * reads a line itself.
 */
const AHEAD = 2;

/** A task's model is its name: the bytes are sent to a worker once. */
const named = (name: string): SharedNetwork => ({ name, model: name });
const SECOND = named('recognition');

/** A worker and its loaded networks. Without a runtime it is idle and takes little memory. */
class Further {
  readonly worker = new Worker(new URL('./recognizer-worker.ts', import.meta.url), { type: 'module' });
  readonly #has = new Set<string>();
  readonly #runtime: WasmRuntime;
  readonly #networks: ReadonlyMap<string, NamedNetwork>;

  constructor(runtime: WasmRuntime, networks: ReadonlyMap<string, NamedNetwork>) {
    this.#runtime = runtime;
    this.#networks = networks;
  }

  perform(task: NetworkTask): void {
    if (this.#has.size === 0) this.#post({ runtime: this.#runtime });
    const { name } = networkOf(task) ?? SECOND;
    if (!this.#has.has(name)) this.#post({ network: required(this.#networks.get(name)) });
    this.#has.add(name);
    this.#post({ task });
  }

  #post(message: ToRecognizer): void {
    this.worker.postMessage(message);
  }
}

function networkOf(task: NetworkTask): SharedNetwork | undefined {
  if (task.kind === 'order') return undefined;
  return task.kind === 'features' ? task.second : task.network;
}

type Recognizer = Further | NetworkTasks;

interface Waiting {
  task: NetworkTask;
  resolve(answer: ThreadAnswers[NetworkTask['kind']]): void;
  reject(error: Error): void;
}

export class WorkerRecognizers implements Recognizers {
  readonly size: number;
  readonly #languages: LineNetworks;
  readonly #networks = new Map<string, NamedNetwork>();
  readonly #further: Further[] = [];
  /** As often as each can take a task. The last one is taken first. */
  readonly #idle: Recognizer[] = [];
  readonly #queue: Waiting[] = [];
  /** In the order of the answers. */
  readonly #atWork = new Map<Recognizer, Waiting[]>();

  readonly #onRead: () => void;

  constructor({ runtime, open, second, loadLanguage, size, onRead }: RecognizersOptions) {
    this.size = size;
    this.#onRead = onRead;
    this.#languages = new LineNetworks(loadLanguage);
    this.#networks.set(SECOND.name, { name: SECOND.name, model: second, published: true });
    this.#idle.push(new NetworkTasks(openNamed(open, this.#networks)));
    for (let i = 1; i < size; i++) this.#start({ ...runtime, threads: 1 });
  }

  /** @throws {OcrError} `language_unavailable` for what only tesseract reads */
  readerOf(languages: readonly string[], { hasSecondary }: { hasSecondary: boolean }): PageReader {
    const [language, ...others] = languages;
    const isSingle = language !== undefined && others.length === 0;
    const network = isSingle && hasSecondary ? this.#languages.of(language) : undefined;
    if (!network)
      throw new OcrError(OCR_ERRORS.languageUnavailable, `${languages.join('+')} needs the server`);
    this.#networks.set(network.language, { name: network.language, model: network.model, published: false });
    return networkReader(network, async (crops) => {
      // Line by line, so that no recognizer waits for a long task of another one.
      const lines = crops.map((crop) =>
        this.#run({
          kind: 'posteriors',
          crops: [alone(crop)],
          network: named(network.language),
          stop: NEVER,
        }),
      );
      return (await Promise.all(lines)).flat();
    });
  }

  /** The output of the secondary recognizer's network for a crop of one line. @throws {OcrError} `crashed` */
  readonly featuresOf: FeatureExtractor = (crop) =>
    this.#run({ kind: 'features', crop: alone(crop), second: SECOND, stop: NEVER });

  order(boxes: readonly TextBox[], options: OrderOptions): Promise<OrderedLine[]> {
    return this.#run({ kind: 'order', boxes, options, stop: NEVER });
  }

  close(): void {
    for (const { worker } of this.#further) worker.terminate();
  }

  #start(runtime: WasmRuntime): void {
    const further = new Further(runtime, this.#networks);
    further.worker.onmessage = ({ data }: MessageEvent<RecognizerAnswer>) => this.#answered(further, data);
    further.worker.onerror = () => this.#died(further);
    this.#further.push(further);
    for (let i = 0; i < AHEAD; i++) this.#idle.push(further);
  }

  #run<Task extends NetworkTask>(task: Task): Promise<ThreadAnswers[Task['kind']]> {
    this.#onRead();
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve: resolve as Waiting['resolve'], reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#idle.length > 0 && this.#queue.length > 0) {
      const recognizer = required(this.#idle.pop());
      const waiting = required(this.#queue.shift());
      const atWork = this.#atWork.get(recognizer) ?? [];
      this.#atWork.set(recognizer, [...atWork, waiting]);
      const { task } = waiting;
      if (recognizer instanceof Further) recognizer.perform(task);
      else void this.#perform(recognizer, task);
    }
  }

  /** After the others have their tasks: a network blocks this worker. */
  async #perform(own: NetworkTasks, task: NetworkTask): Promise<void> {
    await untilHeard();
    this.#answered(own, await resultOf(own, task));
  }

  #answered(recognizer: Recognizer, result: RecognizerAnswer): void {
    const waiting = this.#atWork.get(recognizer)?.shift();
    if (recognizer instanceof Further) this.#idle.push(recognizer);
    else this.#idle.unshift(recognizer);
    if (result.ok) waiting?.resolve(result.answer);
    else waiting?.reject(new OcrError(result.failure.code, result.failure.message));
    this.#next();
  }

  /** A worker that cannot start or trapped: the engine cannot continue without it. */
  #died(further: Further): void {
    const error = new OcrError(OCR_ERRORS.crashed, 'a recognizing worker ended at work');
    for (const { reject } of [...(this.#atWork.get(further) ?? []), ...this.#queue.splice(0)]) reject(error);
    this.#atWork.delete(further);
  }
}

/** Resolves after the messages that have arrived. Without the least wait of timers that follow one another. */
const untilHeard = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** The page ends the engine's worker instead. */
const NEVER = new Int32Array(1);

/**
 * A message copies the whole buffer of a view. Shared memory stays until each worker has collected its garbage; a copy is given
 * back once it is read.
 */
const alone = (crop: GrayImage): GrayImage =>
  crop.gray.buffer instanceof ArrayBuffer && crop.gray.byteLength === crop.gray.buffer.byteLength
    ? crop
    : { ...crop, gray: crop.gray.slice() };
