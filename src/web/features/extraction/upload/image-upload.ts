import { SILENCE_SECONDS } from '#contract/product';
import { recognition } from '../../../api/client.ts';
import type { Attempt } from '../../../workspace/reading.ts';
import { connectionLost, type ExtractionAnswer, type ExtractionEvent } from '../tool/extraction-state.ts';
import { MIN_SCALING_BYTES } from '../tool/image-file.ts';
import { loadPlainResult } from '../tool/result-view.tsx';
import type { PreparedImage, RunningExtraction } from './extract-text.ts';
import { SilenceNotice } from './extraction-progress.tsx';

/** How long the full progress bar is shown, so that users see the jump to 100 %. */
const FULL_BAR_MS = 300;

/** Loads the code of the call, its validation and a view of its text. It is not needed before a picture is chosen. */
export const loadCall = async () => {
  const [{ startExtraction }] = await Promise.all([
    import('./extract-text.ts'),
    import('../../../api/send-with-progress.ts'),
    recognition.load(),
    loadPlainResult(),
    // If it cannot be loaded, the user can still cancel.
    SilenceNotice.preload().catch(() => {}),
  ]);
  return startExtraction;
};

/** A picture that is prepared or being sent. */
interface Upload {
  file: File;
  /** Prepared once, so that a retry sends the same bytes. */
  prepared: Promise<PreparedImage>;
  preparing: AbortController;
  resend: () => void;
}

/** Prepares and sends pictures, each with the id of its item, and reports their events. */
export class Uploads {
  readonly #notify: (id: string, event: ExtractionEvent) => void;
  readonly #uploads = new Map<string, Upload>();

  constructor(notify: (id: string, event: ExtractionEvent) => void) {
    this.#notify = notify;
  }

  /** Prepares a picture for sending: scales it down if that helps. A picture that cannot be scaled is sent unchanged. */
  prepare(id: string, file: File): Upload {
    const before = this.#uploads.get(id);
    if (before?.file === file) return before;
    before?.preparing.abort();
    const preparing = new AbortController();
    const unchanged = { file, original: null };
    const prepared =
      file.size < MIN_SCALING_BYTES
        ? Promise.resolve(unchanged)
        : import('./downscale.ts')
            .then(({ downscaleIfWorthwhile }) => downscaleIfWorthwhile(file, preparing.signal))
            .catch(() => unchanged);
    const upload = { file, prepared, preparing, resend() {} };
    this.#uploads.set(id, upload);
    return upload;
  }

  /**
   * Sends a picture after its start was reported. Resolves with the outcome after reporting it, or with null if `controller`
   * was aborted. Aborts `controller` at the end. Never rejects.
   */
  async read(
    id: string,
    file: File,
    attempt: Attempt,
    controller: AbortController,
  ): Promise<ExtractionAnswer | null> {
    const upload = this.prepare(id, file);
    const { signal } = controller;
    const notify = (event: ExtractionEvent) => this.#notify(id, event);
    let silence: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener('abort', () => clearTimeout(silence));
    /** Restarts the silence timer at each activity. */
    const onActivity = (event?: ExtractionEvent) => {
      if (signal.aborted) return;
      clearTimeout(silence);
      silence = setTimeout(() => notify({ type: 'fell-silent' }), SILENCE_SECONDS * 1000);
      if (event) notify(event);
    };
    let extracting: RunningExtraction | null = null;
    upload.resend = () => {
      onActivity({ type: 'tried-again' });
      if (!signal.aborted) extracting?.resend();
    };
    try {
      onActivity();
      const startExtracting = await loadCall();
      const picture = await upload.prepared;
      if (signal.aborted) return null;
      const listeners = {
        onSent: (bytes: number, of: number) => onActivity({ type: 'sent', bytes, of }),
        onStage: (stage: string) => onActivity({ type: 'staged', stage }),
      };
      extracting = startExtracting(picture, attempt, listeners, signal);
      const answer = await extracting.answer;
      notify({ type: 'answered' });
      await new Promise((resolve) => setTimeout(resolve, FULL_BAR_MS));
      if (signal.aborted) return null;
      notify(
        answer.ok
          ? { type: 'succeeded', extraction: answer.extraction, onDevice: answer.onDevice }
          : { type: 'failed', failure: answer.failure },
      );
      return answer;
    } catch {
      // The only possible error: the code that sends the picture could not be loaded.
      if (signal.aborted) return null;
      notify({ type: 'failed', failure: connectionLost });
      return { ok: false, failure: connectionLost };
    } finally {
      controller.abort();
    }
  }

  /** Sends the request again in parallel with the pending one. */
  resend(id: string): void {
    this.#uploads.get(id)?.resend();
  }

  /** Discards the prepared picture. */
  discard(id: string): void {
    this.#uploads.get(id)?.preparing.abort();
    this.#uploads.delete(id);
  }
}
