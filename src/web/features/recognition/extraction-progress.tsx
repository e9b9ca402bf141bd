import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';

interface ExtractionProgressProps {
  percent: number;
  /** What the server is doing, in its own words; null until it says so. */
  stage: string | null;
  onCancel: () => void;
}

/** How far the reading is. Spoken at the start, halfway and when the text is there, not at every step. */
export function ExtractionProgress({ percent, stage, onCancel }: ExtractionProgressProps) {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed is disabled now and would swallow the keys.
    region.current?.focus({ preventScroll: true });
  }, []);
  const spoken =
    percent >= 100 ? 'Picture read' : percent >= 50 ? 'Halfway through' : 'Processing your image';
  return (
    <div ref={region} tabIndex={-1} className="outline-none">
      <div className="mb-2 flex min-h-8 items-center justify-between gap-4">
        <p className="min-w-0 text-sm">
          Processing your image...
          {stage && <span className="block truncate text-ink-soft">{stage}</span>}
        </p>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <Progress value={percent} label="Processing your image..." />
      <p className="sr-only" role="status">
        {spoken}
      </p>
    </div>
  );
}
