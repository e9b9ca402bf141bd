import { Piscina } from 'piscina';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { type ModuleEntry, moduleEntry } from '../module-entry.ts';
import type { RawPixels } from '../picture/decode.ts';
import type { PageSize } from '../types.ts';
import type { PageListTask, RawDecodeTask } from './decoder-worker.ts';
import type { ThreadResult } from './tasks.ts';

/**
 * Decodes the formats that sharp does not read, on one thread that exists only while it is needed: HEIC's decoder keeps the
 * memory of its largest picture for as long as it lives.
 */
export class RawDecoder {
  readonly #pool: Piscina;
  /** Aborted when the thread dies before it is ready: the pool would never settle the waiting tasks. */
  #waiting = new AbortController();

  constructor({ filename, execArgv }: ModuleEntry = moduleEntry('decoder-worker', import.meta.url)) {
    this.#pool = new Piscina({
      filename,
      name: 'work',
      execArgv,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 0,
      atomics: 'disabled',
      recordTiming: false,
    });
    // Of a thread that dies while it has no task; the next picture gets a new one.
    this.#pool.on('error', (error) => {
      this.#waiting.abort(error);
      this.#waiting = new AbortController();
    });
  }

  /** @throws {OcrError} `damaged`, `encrypted`, `no_such_page`, `too_costly`, `aborted`, `crashed` */
  decode(task: RawDecodeTask, signal: AbortSignal): Promise<RawPixels> {
    return this.#run(task, signal);
  }

  /** @throws {OcrError} as `decode`, and `too_many_pages` */
  pagesOfPdf(bytes: Uint8Array, signal: AbortSignal): Promise<PageSize[]> {
    return this.#run({ format: 'pdf-pages', bytes }, signal);
  }

  async #run<Answer>(task: RawDecodeTask | PageListTask, signal: AbortSignal): Promise<Answer> {
    let result: ThreadResult<Answer>;
    try {
      result = await this.#pool.run(task, { signal: AbortSignal.any([signal, this.#waiting.signal]) });
    } catch (cause) {
      if (signal.aborted) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up', { cause });
      throw new OcrError(OCR_ERRORS.crashed, `decoding (${task.format}) ended its thread`, { cause });
    }
    if (!result.ok) throw new OcrError(result.failure.code, result.failure.message);
    return result.answer;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
