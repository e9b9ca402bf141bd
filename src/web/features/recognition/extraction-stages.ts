import { extractionEventsApi } from '#contract/paths';
import { type Progress, progressSchema } from '#contract/progress';

/** A stage in words; null for the end, which the result itself tells. */
export function stageText(progress: Progress): string | null {
  switch (progress.stage) {
    case 'queued':
      return 'Waiting for its turn';
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

/** Tells the stages of a run until it is done or `signal` aborts. Says nothing where they cannot be had. */
export function watchStages(
  extractionId: string,
  onStage: (stage: string) => void,
  signal: AbortSignal,
): void {
  const source = new EventSource(extractionEventsApi(extractionId));
  signal.addEventListener('abort', () => source.close(), { once: true });
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const text = readStage(data);
    if (text === null) source.close();
    else onStage(text);
  };
}

function readStage(data: string): string | null {
  try {
    const parsed = progressSchema.safeParse(JSON.parse(data));
    return parsed.success ? stageText(parsed.data) : null;
  } catch {
    return null;
  }
}
