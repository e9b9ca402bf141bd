import type { Piece } from '#formats/pieces';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Zoom } from './use-zoom.ts';

interface ZoomBarProps {
  zoom: Zoom;
  word: Piece | undefined;
}

export function ZoomBar({ zoom, word }: ZoomBarProps) {
  return (
    <div
      className="flex items-center gap-1 border-t border-rule px-2 py-1.5"
      role="toolbar"
      aria-label="Zoom"
    >
      <Tooltip label="Zoom out (−)">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Zoom out"
          onClick={zoom.zoomOut}
          disabled={zoom.isWhole}
        >
          <Icon name="minus" />
        </Button>
      </Tooltip>
      <output aria-label="Zoom" className="w-14 text-center font-mono text-sm tabular-nums">
        {Math.round(zoom.scale * 100)}%
      </output>
      <Tooltip label="Zoom in (+)">
        <Button variant="ghost" size="icon" aria-label="Zoom in" onClick={zoom.zoomIn}>
          <Icon name="plus" />
        </Button>
      </Tooltip>
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-rule" />
      <Button variant="ghost" size="small" aria-pressed={zoom.isFit} onClick={zoom.fit}>
        Fit
      </Button>
      <Button
        variant="ghost"
        size="small"
        className="whitespace-nowrap!"
        aria-pressed={zoom.scale === 1}
        onClick={zoom.actualSize}
      >
        100 %
      </Button>
      {word && <WordNote piece={word} />}
    </div>
  );
}

/** The pressed word and its confidence, for small screens, which show picture and text in tabs. */
function WordNote({ piece }: { piece: Piece }) {
  return (
    <p className="ml-auto flex min-w-0 items-baseline gap-2 pr-2 pl-4 text-sm lg:hidden">
      <bdi className="highlighted min-w-0 truncate font-mono">{piece.text}</bdi>
      <span className="whitespace-nowrap text-ink-soft tabular-nums">{piece.confidence}% sure</span>
    </p>
  );
}
