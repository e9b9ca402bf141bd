/** Composition root of the engine in a browser, on a worker: what `child/reader.ts` is on the server. */
import { identifyLanguage } from '../languages/language-identifier.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { leanModel } from '../networks/lean-model.ts';
import type { NetworkRuntime } from '../networks/network.ts';
import { readPicture } from '../pipeline.ts';
import { PaddleModels } from '../recognizers/paddle.ts';
import type { Recognition, Stage } from '../types.ts';
import { decodeInBrowser } from './decode.ts';
import { DetectorWorker } from './detector.ts';
import { DeviceLanguages, type EngineFiles } from './files.ts';
import { startRuntime } from './onnxruntime.ts';
import { WorkerRecognizers } from './recognizers.ts';
import { resize } from './resize.ts';

/** Pixels of a picture for which memory is short. */
const LARGE = 4_000_000;

export interface DeviceSettings {
  files: EngineFiles;
  /** Address of onnxruntime's script. */
  script: string;
  /** Parallel recognizers, and threads of the detector on a cross-origin isolated page. */
  threads: number;
  /** Maximum pixels of an image. */
  maxPixels: number;
}

/** Reads pictures in one language, as the server does without a thorough pass. */
export class DeviceReader {
  readonly #settings: DeviceSettings;
  readonly #detector: DetectorWorker;
  readonly #recognizers: WorkerRecognizers;
  readonly #models: PaddleModels;
  readonly #lexicons: Lexicons;
  readonly #languages: DeviceLanguages;

  /** @throws {OcrError} */
  constructor(settings: DeviceSettings) {
    const { files, script, threads } = settings;
    this.#settings = settings;
    this.#languages = new DeviceLanguages(files);
    const runtime = {
      wasm: files['ort-wasm-simd-threaded.wasm'],
      script,
      threads: globalThis.crossOriginIsolated ? threads : 1,
    };
    const openModel = startRuntime({ ...runtime, threads: 1 });
    const detector = new DetectorWorker(runtime, files['detection.onnx']);
    this.#detector = detector;
    const networks: NetworkRuntime = {
      openModel,
      async openNetwork(name, ofRun) {
        if (name === 'detection') return detector;
        const file = name === 'features' ? 'recognition.onnx' : (`${name}.onnx` as const);
        return openModel(leanModel(files[file]), ofRun);
      },
      readLastLayer: async () => new TextDecoder().decode(files['last-layer.json']),
    };
    this.#recognizers = new WorkerRecognizers({
      runtime,
      open: openModel,
      second: files['recognition.onnx'],
      loadLanguage: this.#languages.load,
      size: threads,
      onRead: () => void detector.releaseIfIdle(),
    });
    this.#models = new PaddleModels({
      runtime: networks,
      threads,
      features: this.#recognizers.featuresOf,
      scale: async (image, width, height) => {
        const size = { width, height };
        return { data: resize(image, size, 3, 'cubic'), ...size };
      },
    });
    this.#lexicons = new Lexicons(this.#languages.load);
  }

  /** @param data whole and verified */
  addLanguage(language: string, data: Uint8Array): void {
    this.#languages.add(language, data);
  }

  /** @throws {OcrError} `language_unavailable` for a language that was not added, or that only tesseract reads */
  read(
    bytes: Uint8Array,
    { language, filter, onStage }: { language: string; filter: boolean; onStage: (stage: Stage) => void },
  ): Promise<Recognition> {
    const options = { languages: [language], filter };
    return readPicture(bytes, options, {
      decode: async (encoded) => {
        const picture = await decodeInBrowser(encoded, this.#settings.maxPixels);
        this.#detector.keepsWorker = picture.width * picture.height <= LARGE;
        return picture;
      },
      recognizers: this.#recognizers,
      models: this.#models,
      lexiconOf: (languages) => this.#lexicons.of(languages),
      identifyLanguage,
      signal: new AbortController().signal,
      onStage,
    });
  }

  close(): void {
    void this.#detector.release();
    this.#recognizers.close();
  }
}
