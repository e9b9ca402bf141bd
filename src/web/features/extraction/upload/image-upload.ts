import { SILENCE_SECONDS } from '#contract/product';
import { recognition } from '../../../api/client.ts';
import type { Attempt } from '../../../workspace/reading.ts';
import { connectionLost, type ExtractionAnswer, type ExtractionEvent } from '../tool/extraction-state.ts';
import { WORTH_SCALING } from '../tool/image-file.ts';
import { loadPlainResult } from '../tool/result-view.tsx';
import type { PreparedImage, RunningExtraction } from './extract-text.ts';
import { Silence } from './extraction-progress.tsx';

/** How long the full bar stays, so that the jump to 100 % can be seen. */
const COMPLETE_MS = 300;

/** The call, its validation, and a view of its text: not needed before a picture is chosen. */
export const loadCall = async () => {
  const [{ startExtraction }] = await Promise.all([
    import('./extract-text.ts'),
    import('../../../api/send-with-progress.ts'),
    recognition.load(),
    loadPlainResult(),
    // Without it there is Cancel.
    Silence.preload().catch(() => {}),
  ]);
  return startExtraction;
};

/** A picture on its way. */
interface Upload {
  file: File;
  /** Made once, so that a retry sends the same bytes. */
  prepared: Promise<PreparedImage>;
  preparing: AbortController;
  again: () => void;
}

/** Prepares and sends pictures, each under the id of its item, and reports what happens to them. */
export class Uploads {
  readonly #tell: (id: string, event: ExtractionEvent) => void;
  readonly #uploads = new Map<string, Upload>();

  constructor(tell: (id: string, event: ExtractionEvent) => void) {
    this.#tell = tell;
  }

  /** Before it is sent: scaled down where that is worth it. One that cannot be scaled is sent unchanged. */
  prepare(id: string, file: File): Upload {
    const before = this.#uploads.get(id);
    if (before?.file === file) return before;
    before?.preparing.abort();
    const preparing = new AbortController();
    const asItIs = { file, original: null };
    const prepared =
      file.size < WORTH_SCALING
        ? Promise.resolve(asItIs)
        : import('./downscale.ts')
            .then(({ downscale }) => downscale(file, preparing.signal))
            .catch(() => asItIs);
    const upload = { file, prepared, preparing, again() {} };
    this.#uploads.set(id, upload);
    return upload;
  }

  /**
   * Sends a picture whose start is already reported. Resolves once everything else is reported, with the answer; null if
   * `leaving` was aborted, which it is in the end in any case. Never rejects.
   */
  async read(
    id: string,
    file: File,
    attempt: Attempt,
    leaving: AbortController,
  ): Promise<ExtractionAnswer | null> {
    const upload = this.prepare(id, file);
    const { signal } = leaving;
    const tell = (event: ExtractionEvent) => this.#tell(id, event);
    let silence: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener('abort', () => clearTimeout(silence));
    /** A sign of life restarts the timer. */
    const hear = (event?: ExtractionEvent) => {
      if (signal.aborted) return;
      clearTimeout(silence);
      silence = setTimeout(() => tell({ type: 'fell-silent' }), SILENCE_SECONDS * 1000);
      if (event) tell(event);
    };
    let extracting: RunningExtraction | null = null;
    upload.again = () => {
      hear({ type: 'tried-again' });
      if (!signal.aborted) extracting?.again();
    };
    try {
      hear();
      const startExtracting = await loadCall();
      const picture = await upload.prepared;
      if (signal.aborted) return null;
      const listeners = {
        onSent: (bytes: number, of: number) => hear({ type: 'sent', bytes, of }),
        onStage: (stage: string) => hear({ type: 'staged', stage }),
      };
      extracting = startExtracting(picture, attempt, listeners, signal);
      const answer = await extracting.answer;
      tell({ type: 'answered' });
      await new Promise((resolve) => setTimeout(resolve, COMPLETE_MS));
      if (signal.aborted) return null;
      tell(
        answer.ok
          ? { type: 'succeeded', extraction: answer.extraction, onDevice: answer.onDevice }
          : { type: 'failed', failure: answer.failure },
      );
      return answer;
    } catch {
      // Without an answer there is only this: the code that would send the picture could not be loaded.
      if (signal.aborted) return null;
      tell({ type: 'failed', failure: connectionLost });
      return { ok: false, failure: connectionLost };
    } finally {
      leaving.abort();
    }
  }

  /** Sends it again in parallel with the pending request. */
  again(id: string): void {
    this.#uploads.get(id)?.again();
  }

  /** Frees what was prepared. */
  leave(id: string): void {
    this.#uploads.get(id)?.preparing.abort();
    this.#uploads.delete(id);
  }
}
