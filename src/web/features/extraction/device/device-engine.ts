import script from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import type { Extraction, Progress } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { trustedScript } from '../../../workers/trusted-script.ts';
import { openDeviceFiles } from './device-files.ts';
import { openDeviceLanguage } from './device-languages.ts';
import type { FromDevice, ToDevice } from './device-worker.ts';
import deviceWorkerAddress from './device-worker.ts?worker&url';

/** Reads pictures on this device. No request carries a picture or a text. */

/** More recognizers take more memory than they save time. */
const MAX_THREADS = 2;
/** A picture of this many takes half a gigabyte while it is opened. */
const MAX_PIXELS = 50_000_000;
/** The engine takes memory, and is started again in a second or two. Milliseconds. */
const KEPT_IDLE_MS = 60_000;
/** After a picture of more pixels the engine ends at once: what it holds by then and the next one would be too much. */
const KEPT_PIXELS = 4_000_000;

/** Why a picture was not read; `code` is one of the engine's. */
export class DeviceFailure extends Error {
  override name = 'DeviceFailure';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Reading {
  onStage: (stage: Progress) => void;
  resolve: (extraction: Extraction) => void;
  reject: (error: Error) => void;
}

export interface ReadOptions {
  /** A code of tesseract's. */
  language: string;
  filter: boolean;
  /** Recognizers of the engine that is started for it; by default as many as the device can use. */
  threads?: number;
  onStage: (stage: Progress) => void;
  signal: AbortSignal;
}

let engine: Promise<DeviceEngine> | undefined;

/**
 * Reads a picture, and starts the engine for it where it is not running.
 * @throws {DeviceFailure}
 * @throws the reason of `signal` once that is aborted
 */
export async function readOnDevice(picture: Blob, options: ReadOptions): Promise<Extraction> {
  options.signal.throwIfAborted();
  engine ??= DeviceEngine.start(options, () => {
    engine = undefined;
  }).catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return (await engine).read(picture, options);
}

class DeviceEngine {
  readonly #worker: Worker;
  readonly #onEnd: () => void;
  readonly #readings = new Map<string, Reading>();
  /** That the worker has. */
  readonly #languages = new Set<string>([BUILT_IN_LANGUAGE]);
  /** Number of readings in progress. */
  #open = 0;
  #ended = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  private constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    worker.onmessage = ({ data }: MessageEvent<FromDevice>) => this.#heard(data);
    worker.onerror = () => this.#end(new DeviceFailure('crashed', 'the engine ended'));
  }

  static async start({ signal, threads }: ReadOptions, onEnd: () => void): Promise<DeviceEngine> {
    const files = await openDeviceFiles(() => {}, signal);
    const worker = new Worker(trustedScript(deviceWorkerAddress), { type: 'module' });
    const settings = {
      files,
      script: new URL(script, location.href).href,
      threads: threads ?? Math.max(1, Math.min(MAX_THREADS, navigator.hardwareConcurrency)),
      maxPixels: MAX_PIXELS,
    };
    const buffers = Object.values(files).map(({ buffer }) => buffer);
    worker.postMessage({ settings } satisfies ToDevice, buffers);
    return new DeviceEngine(worker, onEnd);
  }

  async read(picture: Blob, options: ReadOptions): Promise<Extraction> {
    clearTimeout(this.#idle);
    this.#open += 1;
    let pixels = 0;
    try {
      const extraction = await this.#read(picture, options);
      pixels = extraction.image.width * extraction.image.height;
      return extraction;
    } finally {
      this.#open -= 1;
      const keptFor = pixels > KEPT_PIXELS ? 0 : KEPT_IDLE_MS;
      if (this.#open === 0 && !this.#ended)
        this.#idle = setTimeout(() => this.#end(new DeviceFailure('stopping', 'idle')), keptFor);
    }
  }

  async #read(picture: Blob, { language, filter, onStage, signal }: ReadOptions): Promise<Extraction> {
    const id = crypto.randomUUID();
    if (!this.#languages.has(language)) {
      const data = await openDeviceLanguage(language, onStage, signal);
      this.#post({ language: { code: language, data } }, [data.buffer]);
      this.#languages.add(language);
    }
    const bytes = new Uint8Array(await picture.arrayBuffer());
    signal.throwIfAborted();
    return new Promise<Extraction>((resolve, reject) => {
      this.#readings.set(id, { onStage, resolve, reject });
      // A network does not stop halfway: the whole engine goes, and starts again for the next picture.
      signal.addEventListener(
        'abort',
        () => {
          if (this.#readings.has(id)) this.#end(signal.reason);
        },
        { once: true },
      );
      this.#post({ read: { id, picture: bytes, language, filter } }, [bytes.buffer]);
    });
  }

  #post(message: ToDevice, transfer: Transferable[]): void {
    this.#worker.postMessage(message, transfer);
  }

  #heard(message: FromDevice): void {
    const reading = this.#readings.get(message.id);
    if (!reading) return;
    if ('progress' in message) {
      reading.onStage(message.progress);
      return;
    }
    this.#readings.delete(message.id);
    if ('extraction' in message) reading.resolve(message.extraction);
    else reading.reject(new DeviceFailure(message.failure.code, message.failure.message));
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#worker.terminate();
    for (const { reject } of this.#readings.values()) reject(reason);
    this.#readings.clear();
    this.#onEnd();
  }
}
