import type { Progress } from '#contract/progress';
import { recognition } from '../../../api/calls.ts';

/** A stage in words; null for the end, which the result itself shows. */
export function stageText(progress: Progress): string | null {
  switch (progress.stage) {
    case 'queued':
      return 'Waiting for its turn';
    case 'fetching-language':
      return `Fetching ${progress.language}, once: ${megabytes(progress.received)} of ${megabytes(progress.of)} MB`;
    case 'decoding':
      return 'Opening the picture';
    case 'finding-lines':
      return 'Looking for lines of text';
    case 'reading':
      return `Reading line ${progress.line} of ${progress.of}`;
    case 'ordering':
      return 'Putting the lines in order';
    case 'done':
      return null;
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** Reports the stages of a run until it is done or `signal` aborts. Reports nothing if they are not available. */
export function watchStages(
  extractionId: string,
  onStage: (stage: string) => void,
  signal: AbortSignal,
): void {
  recognition.listen(
    'GET /api/extractions/:id/events',
    { params: { id: extractionId }, signal },
    (progress) => {
      const stage = stageText(progress);
      if (stage === null) return 'stop';
      onStage(stage);
      return undefined;
    },
  );
}
