import { memo, useId } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { counted } from '../../ui/basics/words.ts';
import type { TextDocument } from './use-text-document.ts';

interface HiddenPiecesProps
  extends Pick<TextDocument, 'pieces' | 'hidden' | 'stillHidden' | 'restoreHidden' | 'hideRestored'> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onHover: (piece: number | null) => void;
}

/** The list of pieces that Smart Text Filtering has hidden, with buttons to restore them. */
export const HiddenPieces = memo(function HiddenPieces(props: HiddenPiecesProps) {
  const { pieces, hidden, stillHidden, restoreHidden, hideRestored, open, onOpenChange, onHover } = props;
  const panel = useId();
  if (hidden.length === 0) return null;
  return (
    <div className="border-t border-rule bg-paper">
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-4 py-1">
        <p className="text-sm">
          {counted(stillHidden.length, 'piece')} hidden{' '}
          <span className="text-ink-soft">by Smart Text Filtering</span>
        </p>
        <div className="-mr-2 flex">
          {stillHidden.length > 1 && (
            <Button variant="ghost" size="small" onClick={() => restoreHidden(...stillHidden)}>
              Bring all back
            </Button>
          )}
          <Button
            variant="ghost"
            size="small"
            aria-expanded={open}
            aria-controls={panel}
            onClick={() => onOpenChange(!open)}
          >
            {open ? 'Close' : 'Show'}
          </Button>
        </div>
      </div>
      <ul id={panel} hidden={!open} className="max-h-56 overflow-y-auto border-t border-rule">
        {hidden.map((index) => {
          const text = pieces[index]?.text ?? '';
          const isHidden = stillHidden.includes(index);
          return (
            <li
              key={index}
              className="flex items-center justify-between gap-4 py-0.5 pr-2 pl-4 hover:bg-sunk"
              onPointerEnter={() => onHover(index)}
              onPointerLeave={() => onHover(null)}
            >
              <bdi className="min-w-0 truncate font-mono text-sm">{text}</bdi>
              <Button
                variant="ghost"
                size="small"
                className="shrink-0"
                aria-label={isHidden ? `Bring back: ${text}` : `Hide again: ${text}`}
                onClick={() => (isHidden ? restoreHidden(index) : hideRestored(index))}
              >
                <Icon name={isHidden ? 'plus' : 'minus'} />
                {isHidden ? 'Bring back' : 'Hide again'}
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
});
