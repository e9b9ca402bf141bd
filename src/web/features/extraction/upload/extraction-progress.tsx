import { useLayoutEffect, useRef } from 'react';
import { lazyComponent } from '../../../hydration/lazy.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { Progress } from '../../../ui/basics/display.tsx';
import type { Sending } from '../tool/extraction-state.ts';
import type { SilenceProps } from './silence.tsx';

/** Fetched with what sends the picture; without it there is Cancel. */
export const Silence = lazyComponent<SilenceProps>(async () => (await import('./silence.tsx')).Silence);

interface ExtractionProgressProps {
  percent: number;
  /** How much has left, where that takes long enough to be seen. */
  sending: Sending | null;
  /** The server's current stage, in its own words; null before the first report. */
  stage: string | null;
  silent: boolean;
  onCancel: () => void;
  /** Sends the same once more, beside what may still answer. */
  onTryAgain: () => void;
}

/** How far it is. Spoken at the start, halfway and when the text is there, not at every step. */
export function ExtractionProgress(props: ExtractionProgressProps) {
  const { percent, sending, stage, silent, onCancel, onTryAgain } = props;
  const region = useRef<HTMLDivElement>(null);
  // In a later effect it would take the focus from what was clicked since.
  useLayoutEffect(() => {
    // The button that was pressed is disabled now and would swallow the keys.
    region.current?.focus({ preventScroll: true });
  }, []);
  const isSending = sending !== null && sending.bytes < sending.of;
  return (
    <div ref={region} tabIndex={-1} className="outline-none">
      <div className="mb-2 flex min-h-8 items-center justify-between gap-4">
        <p className="min-w-0 text-sm">
          Processing your image...
          <span className="block truncate text-ink-soft tabular-nums">{shownStage(sending, stage)}</span>
        </p>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <Progress value={percent} label="Processing your image..." />
      <p className="sr-only" role="status">
        {spokenStage(percent, isSending)}
      </p>
      <div role="status">{silent && <Silence isSending={isSending} onTryAgain={onTryAgain} />}</div>
    </div>
  );
}

/** The server reports its first stage as soon as it receives the picture; until that is sent, the upload is shown. */
export function shownStage(sending: Sending | null, stage: string | null): string | null {
  if (!sending) return stage;
  if (sending.bytes < sending.of) return `Sending ${formatSent(sending.bytes, sending.of)}`;
  return stage ?? 'Sent. Waiting for the answer';
}

function spokenStage(percent: number, isSending: boolean): string {
  if (percent >= 100) return 'Picture read';
  if (isSending && percent >= 25) return 'Half of your picture is sent';
  if (isSending && percent > 0) return 'Sending your picture';
  return percent >= 50 ? 'Halfway through' : 'Processing your image';
}

/** How much of a picture has left, such as `3.1 of 9.9 MB`. */
function formatSent(bytes: number, of: number): string {
  const inMegabytes = (count: number) => (count / (1024 * 1024)).toFixed(1);
  return `${inMegabytes(bytes)} of ${inMegabytes(of)} MB`;
}
