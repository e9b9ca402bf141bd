import script from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import type { Extraction, Progress } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { trustedScript } from '../../../workers/trusted-script.ts';
import { openDeviceFiles } from './device-files.ts';
import { openDeviceLanguage } from './device-languages.ts';
import type { FromDevice, ToDevice } from './device-worker.ts';
import deviceWorkerAddress from './device-worker.ts?worker&url';

/** Recognizes pictures on this device. No request contains a picture or a text. */

/** More recognizers would take much memory and save little time. */
const MAX_THREADS = 2;
/** A picture with this number of pixels takes half a gigabyte of memory while it is decoded. */
const MAX_PIXELS = 50_000_000;
/** The idle engine ends after this time, because it takes memory and starts again in one or two seconds. */
const IDLE_LIFETIME_MS = 60_000;
/** After a larger picture the engine ends at once, because its memory and the next picture would be too much. */
const MAX_REUSE_PIXELS = 4_000_000;

/** The reason why a picture was not read; `code` is an error code of the engine. */
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
  /** A language code of tesseract. */
  language: string;
  filter: boolean;
  /** Number of recognizers if the engine has to be started; by default as many as the device can use. */
  threads?: number;
  onStage: (stage: Progress) => void;
  signal: AbortSignal;
}

let engine: Promise<DeviceEngine> | undefined;

/**
 * Reads a picture. Starts the engine if it is not running.
 * @throws {DeviceFailure}
 * @throws the reason of `signal` if that is aborted
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
  /** The languages that the worker has. */
  readonly #languages = new Set<string>([BUILT_IN_LANGUAGE]);
  /** Number of readings in progress. */
  #running = 0;
  #ended = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  private constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker;
    this.#onEnd = onEnd;
    worker.onmessage = ({ data }: MessageEvent<FromDevice>) => this.#onMessage(data);
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
    this.#running += 1;
    let pixels = 0;
    try {
      const extraction = await this.#read(picture, options);
      pixels = extraction.image.width * extraction.image.height;
      return extraction;
    } finally {
      this.#running -= 1;
      const lifetime = pixels > MAX_REUSE_PIXELS ? 0 : IDLE_LIFETIME_MS;
      if (this.#running === 0 && !this.#ended)
        this.#idle = setTimeout(() => this.#end(new DeviceFailure('stopping', 'idle')), lifetime);
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
      // The inference of a model cannot be interrupted. So the whole engine ends, and starts again for the next picture.
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

  #onMessage(message: FromDevice): void {
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
