/** Composition root of the engine in a browser, on a worker: what `child/reader.ts` is on the server. */
import { identifyLanguage } from '../languages/language-identifier.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { leanModel } from '../networks/lean-model.ts';
import type { NetworkRuntime } from '../networks/network.ts';
import { readPicture } from '../pipeline.ts';
import { PaddleModels } from '../recognizers/paddle.ts';
import type { Recognition, Stage } from '../types.ts';
import { decodeInBrowser } from './decode.ts';
import { type EngineFiles, languageIn } from './files.ts';
import { startRuntime } from './onnxruntime.ts';
import { WorkerRecognizers } from './recognizers.ts';
import { resize } from './resize.ts';

export interface DeviceSettings {
  files: EngineFiles;
  /** Address of onnxruntime's script. */
  script: string;
  /** Parallel recognizers, and threads of the detector on a cross-origin isolated page. */
  threads: number;
  /** Maximum pixels of an image. */
  maxPixels: number;
}

/** Reads English images, like the server in the free plan. */
export class DeviceReader {
  readonly #settings: DeviceSettings;
  readonly #recognizers: WorkerRecognizers;
  readonly #models: PaddleModels;
  readonly #lexicons: Lexicons;

  /** @throws {OcrError} */
  constructor(settings: DeviceSettings) {
    const { files, script, threads } = settings;
    this.#settings = settings;
    const runtime = {
      wasm: files['ort-wasm-simd-threaded.wasm'],
      script,
      threads: globalThis.crossOriginIsolated ? threads : 1,
    };
    const openModel = startRuntime(runtime);
    const networks: NetworkRuntime = {
      openModel,
      openNetwork(name, ofRun) {
        const file = name === 'features' ? 'recognition.onnx' : (`${name}.onnx` as const);
        return openModel(leanModel(files[file]), ofRun);
      },
      readLastLayer: async () => new TextDecoder().decode(files['last-layer.json']),
    };
    this.#recognizers = new WorkerRecognizers(files, { runtime, open: openModel, size: threads });
    this.#models = new PaddleModels({
      runtime: networks,
      threads,
      features: this.#recognizers.featuresOf,
      scale: async (image, width, height) => {
        const size = { width, height };
        return { data: resize(image, size, 3, 'cubic'), ...size };
      },
    });
    this.#lexicons = new Lexicons(languageIn(files));
  }

  /** @throws {OcrError} */
  read(
    bytes: Uint8Array,
    { filter, onStage }: { filter: boolean; onStage: (stage: Stage) => void },
  ): Promise<Recognition> {
    const options = { languages: ['eng'], filter };
    return readPicture(bytes, options, {
      decode: (encoded) => decodeInBrowser(encoded, this.#settings.maxPixels),
      recognizers: this.#recognizers,
      models: this.#models,
      lexiconOf: (languages) => this.#lexicons.of(languages),
      identifyLanguage,
      signal: new AbortController().signal,
      onStage,
    });
  }

  close(): void {
    this.#recognizers.close();
  }
}
