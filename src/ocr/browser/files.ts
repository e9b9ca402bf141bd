/** The files that the engine needs in a browser, however the page gets them. */

import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { LoadLanguage } from '../languages/traineddata.ts';

/** `.onnx`: the networks as they are published, with weights of 8 bits. `.wasm`: the runtime that runs them. */
export const ENGINE_FILES = [
  'detection.onnx',
  'direction.onnx',
  'recognition.onnx',
  'last-layer.json',
  'eng.traineddata',
  'ort-wasm-simd-threaded.wasm',
] as const;

export type EngineFile = (typeof ENGINE_FILES)[number];

/** Whole and verified. */
export type EngineFiles = Readonly<Record<EngineFile, Uint8Array<ArrayBuffer>>>;

/** The data of languages on this device: English, and what was added. @throws {OcrError} `language_unavailable` */
export class DeviceLanguages {
  readonly #data: Map<string, Uint8Array>;

  constructor(files: EngineFiles) {
    this.#data = new Map([['eng', files['eng.traineddata']]]);
  }

  /** @param data whole and verified */
  add(language: string, data: Uint8Array): void {
    this.#data.set(language, data);
  }

  readonly load: LoadLanguage = (language) => {
    const data = this.#data.get(language);
    if (!data) throw new OcrError(OCR_ERRORS.languageUnavailable, `${language} is not on this device`);
    return data;
  };
}
