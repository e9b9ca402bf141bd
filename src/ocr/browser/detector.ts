/**
 * The detector's network, on a worker of its own that ends once the lines of a large page are found: a run takes some 200 MB,
 * and WebAssembly returns no memory while it lives.
 */
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { Network } from '../networks/network.ts';
import type { NamedNetwork, WasmRuntime } from './onnxruntime.ts';
import type { RunAnswer, ToRecognizer } from './recognizer-tasks.ts';

type Answer = Awaited<ReturnType<Network['run']>>;

export class DetectorWorker implements Network {
  readonly #runtime: WasmRuntime;
  readonly #network: NamedNetwork;
  #worker: Worker | undefined;
  /** Whether the worker is kept between runs: true after small pictures, because a start takes half a second. */
  keepsWorker = true;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param model as it is published */
  constructor(runtime: WasmRuntime, model: Uint8Array) {
    this.#runtime = runtime;
    this.#network = { name: 'detection', model, published: true };
  }

  /** Takes the input's memory. One run after another. @throws {OcrError} `crashed` */
  run(input: Float32Array, dims: readonly number[]): Promise<Answer> {
    this.#waiting += 1;
    const running = this.#last.then(() => this.#run(input, dims));
    this.#last = running.then(
      () => {
        this.#waiting -= 1;
      },
      () => {
        this.#waiting -= 1;
      },
    );
    return running;
  }

  async release(): Promise<void> {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Ends the worker unless a run is pending or it is kept. */
  async releaseIfIdle(): Promise<void> {
    if (this.#waiting === 0 && !this.keepsWorker) await this.release();
  }

  #run(input: Float32Array, dims: readonly number[]): Promise<Answer> {
    this.#worker ??= this.#startWorker();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<RunAnswer>) => {
        if (data.ok) resolve(data.answer);
        else reject(new OcrError(data.failure.code, data.failure.message));
      };
      worker.onerror = () => reject(new OcrError(OCR_ERRORS.crashed, 'the detector worker crashed'));
      const { name } = this.#network;
      worker.postMessage({ run: { name, input, dims } } satisfies ToRecognizer, [
        input.buffer as ArrayBuffer,
      ]);
    });
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./recognizer-worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage({ runtime: this.#runtime } satisfies ToRecognizer);
    worker.postMessage({ network: this.#network } satisfies ToRecognizer);
    return worker;
  }
}
