/** Composition root of the recognition process: threads, networks, lexicons and decoders around the pipeline. */

import { dataIn } from '../languages/language-data.ts';
import { identifyLanguage } from '../languages/language-identifier.ts';
import { Lexicons } from '../languages/lexicon.ts';
import {
  type DecodeContext,
  decodePicture,
  pagesOf,
  renderPreview,
  restrictDecoder,
} from '../picture/decode.ts';
import { type PipelineContext, type ReadOptions, readPicture } from '../pipeline.ts';
import { nodeModels } from '../recognizers/node-models.ts';
import type { PaddleModels } from '../recognizers/paddle.ts';
import { RawDecoder } from '../threads/decoder-pool.ts';
import { RecognizerThreads } from '../threads/recognizer-pool.ts';
import type { PageList, Recognition } from '../types.ts';
import type { ProcessSettings } from './messages.ts';

/** Of one picture. */
export type ReadingOptions = ReadOptions & { page?: number | undefined } & Pick<
    PipelineContext,
    'signal' | 'onStage' | 'trace'
  >;

export class PictureReader {
  readonly #settings: ProcessSettings;
  readonly #recognizers: RecognizerThreads;
  readonly #models: PaddleModels;
  readonly #lexicons: Lexicons;
  readonly #rawDecoder = new RawDecoder();

  private constructor(settings: ProcessSettings, onThreadDied: (reason: string) => void) {
    const { threads, languageDirs } = settings;
    this.#settings = settings;
    this.#recognizers = new RecognizerThreads({ threads, languageDirs, onThreadDied });
    this.#models = nodeModels(threads, (crop, signal) => this.#recognizers.featuresOf(crop, signal));
    this.#lexicons = new Lexicons(dataIn(languageDirs));
  }

  /** Ready to read English. Sets limits to the decoder of this whole process. @throws {OcrError} */
  static async start(
    settings: ProcessSettings,
    onThreadDied: (reason: string) => void = () => {},
  ): Promise<PictureReader> {
    restrictDecoder(settings.threads);
    const reader = new PictureReader(settings, onThreadDied);
    await Promise.all([reader.#recognizers.prepare(['eng']), reader.#models.warm()]);
    reader.#lexicons.of(['eng']);
    return reader;
  }

  /** @throws {OcrError} */
  read(
    bytes: Uint8Array,
    { languages, filter, thorough, page, ...hooks }: ReadingOptions,
  ): Promise<Recognition> {
    const decoding = this.#decoding(hooks.signal);
    const context: PipelineContext = {
      ...hooks,
      decode: (encoded) => decodePicture(encoded, decoding, page),
      recognizers: this.#recognizers,
      models: this.#models,
      lexiconOf: (codes) => this.#lexicons.of(codes),
      identifyLanguage,
    };
    return readPicture(bytes, { languages, filter, thorough }, context);
  }

  /** @throws {OcrError} */
  preview(
    bytes: Uint8Array,
    { maxSide, page, signal }: { maxSide: number; page?: number | undefined; signal: AbortSignal },
  ): Promise<Uint8Array> {
    return renderPreview(bytes, maxSide, this.#decoding(signal), page);
  }

  /** @throws {OcrError} */
  pages(bytes: Uint8Array, signal: AbortSignal): Promise<PageList> {
    return pagesOf(bytes, this.#decoding(signal));
  }

  async close(): Promise<void> {
    await Promise.all([this.#recognizers.close(), this.#rawDecoder.close()]);
  }

  #decoding(signal: AbortSignal): DecodeContext {
    return {
      maxPixels: this.#settings.maxPixels,
      enlargesSmall: true,
      decodeRaw: (format, bytes, workingPixels) =>
        this.#rawDecoder.decode({ format, bytes, workingPixels }, signal),
      pdf: {
        draw: (bytes, page, limits) =>
          this.#rawDecoder.decode({ format: 'pdf', bytes, page, limits }, signal),
        pages: (bytes) => this.#rawDecoder.pagesOfPdf(bytes, signal),
      },
    };
  }
}
