import type { Piece } from '#formats/pieces';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { counted } from '../../words.ts';

interface DoubtBarProps {
  /** How many words nobody has looked at yet. */
  count: number;
  /** The doubtful word that is being looked at. */
  current: Piece | null;
  onStep: (direction: 1 | -1) => void;
  onConfirm: () => void;
}

/** Leads through the words that are probably misread, one at a time. */
export function DoubtBar({ count, current, onStep, onConfirm }: DoubtBarProps) {
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-rule bg-paper px-4 py-1">
      <p className="min-w-0 text-sm" aria-live="polite">
        {current ? (
          <>
            <span className="highlighted font-mono">{current.text}</span>{' '}
            <span className="whitespace-nowrap text-ink-soft">{current.confidence}% sure</span>
          </>
        ) : (
          <DoubtCount count={count} />
        )}
      </p>
      {count > 0 && (
        <div className="-mr-2 flex items-center">
          {current && (
            <Tooltip label="Alt+Enter">
              <Button variant="ghost" size="small" className="min-h-11" onClick={onConfirm}>
                <Icon name="check" />
                <span className="max-sm:sr-only">Looks right</span>
              </Button>
            </Tooltip>
          )}
          <Tooltip label="Previous doubtful word (Shift+F2)">
            <Button
              variant="ghost"
              size="icon"
              aria-label="Previous doubtful word"
              onClick={() => onStep(-1)}
            >
              <Icon name="chevron" className="rotate-180" />
            </Button>
          </Tooltip>
          <Tooltip label="Next doubtful word (F2)">
            <Button variant="ghost" size="icon" aria-label="Next doubtful word" onClick={() => onStep(1)}>
              <Icon name="chevron" />
            </Button>
          </Tooltip>
        </div>
      )}
    </div>
  );
}

function DoubtCount({ count }: { count: number }) {
  if (count === 0) return <span className="text-ink-soft">No doubtful words left</span>;
  return (
    <>
      <span className="tabular-nums">{counted(count, 'doubtful word')}</span>
      <span className="text-ink-soft max-sm:hidden">, underlined in the text</span>
    </>
  );
}
