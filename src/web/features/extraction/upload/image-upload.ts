import { SILENCE_SECONDS } from '#contract/product';
import { recognition } from '../../../api/calls.ts';
import type { Attempt } from '../../../workspace/reading.ts';
import { connectionLost } from '../tool/extraction-failure.ts';
import { Silence } from '../tool/extraction-progress.tsx';
import type { ExtractionEvent } from '../tool/extraction-state.ts';
import { WORTH_SCALING } from '../tool/image-file.ts';
import { loadPlainResult } from '../tool/result-view.tsx';
import type { ExtractionAnswer, PreparedImage, RunningExtraction } from './extract-text.ts';

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

interface PendingImage {
  file: File;
  picture: Promise<PreparedImage>;
  giveUp: () => void;
}

/** Prepares an image for upload; one that cannot be scaled down is sent unchanged. */
function prepareImage(file: File): PendingImage {
  const leaving = new AbortController();
  const asItIs = { file, original: null };
  const picture =
    file.size < WORTH_SCALING
      ? Promise.resolve(asItIs)
      : import('./downscale.ts').then(
          ({ downscale }) => downscale(file, leaving.signal).catch(() => asItIs),
          () => asItIs,
        );
  return { file, picture, giveUp: () => leaving.abort() };
}

/** Uploads one image at a time, and reports each step as an event of `extractionReducer`. */
export function createImageUpload(tell: (event: ExtractionEvent) => void) {
  let readying: PendingImage | null = null;
  let current: { signal: AbortSignal; extracting: RunningExtraction | null } | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  /** A sign of life restarts the timer. */
  const heard = (signal: AbortSignal) => {
    clearTimeout(silence);
    if (signal.aborted) return;
    silence = setTimeout(() => {
      if (!signal.aborted) tell({ type: 'fell-silent' });
    }, SILENCE_SECONDS * 1000);
  };

  /** Prepared once per file, so that a retry sends the same bytes. */
  const ready = (file: File): PendingImage => {
    if (readying?.file !== file) {
      readying?.giveUp();
      readying = prepareImage(file);
    }
    return readying;
  };

  return {
    ready,
    /**
     * Reads a picture whose start is already reported. Resolves once everything else is reported, with the answer; null
     * if `leaving` was aborted, which it is in the end in any case. Never rejects.
     */
    async read(file: File, attempt: Attempt, leaving: AbortController): Promise<ExtractionAnswer | null> {
      const { signal } = leaving;
      const turn: typeof current = { signal, extracting: null };
      current = turn;
      try {
        heard(signal);
        const startExtracting = await loadCall();
        const picture = await ready(file).picture;
        if (signal.aborted) return null;
        turn.extracting = startExtracting(
          picture,
          attempt,
          {
            onSent(bytes, of) {
              heard(signal);
              tell({ type: 'sent', bytes, of });
            },
            onStage(stage) {
              heard(signal);
              tell({ type: 'staged', stage });
            },
          },
          signal,
        );
        const answer = await turn.extracting.answer;
        tell({ type: 'answered' });
        await new Promise((resolve) => setTimeout(resolve, COMPLETE_MS));
        if (signal.aborted) return null;
        tell(
          answer.ok
            ? { type: 'succeeded', extraction: answer.extraction }
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
        if (current === turn) {
          clearTimeout(silence);
          current = null;
        }
      }
    },
    /** Retries in parallel with the pending request. */
    again() {
      if (!current) return;
      tell({ type: 'tried-again' });
      heard(current.signal);
      current.extracting?.again();
    },
    giveUp() {
      readying?.giveUp();
      readying = null;
    },
  };
}

export type ImageUpload = ReturnType<typeof createImageUpload>;
