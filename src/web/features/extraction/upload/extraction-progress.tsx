import { useLayoutEffect, useRef } from 'react';
import { lazyComponent } from '../../../hydration/lazy.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { Progress } from '../../../ui/basics/display.tsx';
import type { Sending } from '../tool/extraction-state.ts';
import type { SilenceNoticeProps } from './silence.tsx';

/** Loaded with the upload code. If it cannot be loaded, the user can still cancel. */
export const SilenceNotice = lazyComponent<SilenceNoticeProps>(
  async () => (await import('./silence.tsx')).SilenceNotice,
);

interface ExtractionProgressProps {
  percent: number;
  /** Upload progress; null if the upload takes only one step. */
  sending: Sending | null;
  /** The text of the server's current stage; null before the first report. */
  stage: string | null;
  silent: boolean;
  onCancel: () => void;
  /** Sends the request again in parallel with the pending one. */
  onTryAgain: () => void;
}

/** The progress of an extraction. Announced at the start, halfway and at the end, not at every step. */
export function ExtractionProgress(props: ExtractionProgressProps) {
  const { percent, sending, stage, silent, onCancel, onTryAgain } = props;
  const region = useRef<HTMLDivElement>(null);
  // A layout effect, because a later effect would take the focus from an element that was clicked meanwhile.
  useLayoutEffect(() => {
    // The clicked button is disabled now and would not receive keys.
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
      <div role="status">{silent && <SilenceNotice isSending={isSending} onTryAgain={onTryAgain} />}</div>
    </div>
  );
}

/** The upload progress until the picture is sent, then the stage. The server reports its first stage during the upload. */
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

/** The sent and the total megabytes, such as `3.1 of 9.9 MB`. */
function formatSent(bytes: number, of: number): string {
  const inMegabytes = (count: number) => (count / (1024 * 1024)).toFixed(1);
  return `${inMegabytes(bytes)} of ${inMegabytes(of)} MB`;
}
