import type { RefObject } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { PictureIcon } from './picture-icon.tsx';
import type { PictureSelection } from './use-picture-selection.ts';

interface PictureToolsProps {
  selection: PictureSelection;
  hasWords: boolean;
  viewport: RefObject<HTMLElement | null>;
  /** Puts a part on the picture to begin with. */
  onRegion: () => void;
  /** The picture is turned and straightened. */
  isAsRead: boolean;
  /** Shows it as it was chosen, or as it was read again; null where that is the same. */
  onTurn: (() => void) | null;
}

/** The function of a pointer that is drawn over the picture. Words are selected by mouse without any of it. */
export function PictureTools(props: PictureToolsProps) {
  const { selection, hasWords, viewport, onRegion, isAsRead, onTurn } = props;
  const { tool, take } = selection;
  const look = { variant: 'ghost', size: 'small', className: 'aria-pressed:bg-sunk' } as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div
      role="group"
      aria-label="On the picture"
      className="flex items-center gap-1 border-b border-rule px-2 py-1.5"
    >
      <Tooltip label="Drag over words to select them. With a mouse begin on any word, with a finger press one long, and it works without this button.">
        <Button
          {...look}
          aria-pressed={tool === 'text'}
          disabled={!hasWords}
          onClick={() => {
            take('text');
            if (tool !== 'text') viewport.current?.focus({ preventScroll: true });
          }}
        >
          <PictureIcon name="select" />
          Select text
        </Button>
      </Tooltip>
      <Tooltip label="Drag a frame around a part to copy or read only that">
        <Button
          {...look}
          aria-pressed={tool === 'region'}
          onClick={(event) => {
            take('region');
            // Pressed by a key: there is no pointer to draw with.
            if (tool !== 'region' && event.detail === 0) onRegion();
          }}
        >
          <PictureIcon name="region" />
          Region
        </Button>
      </Tooltip>
      {onTurn && (
        <Tooltip label="The picture as it was chosen, neither turned nor straightened">
          <Button
            {...look}
            aria-pressed={!isAsRead}
            onClick={() => {
              selection.clear();
              onTurn();
            }}
          >
            <Icon name="picture" />
            Original
          </Button>
        </Tooltip>
      )}
      <p className="ml-auto truncate pr-2 text-sm text-ink-soft max-xl:hidden">{HINTS[tool]}</p>
    </div>
  );
}

const HINTS = {
  move: 'Drag over words to select them',
  text: 'Drag over words to select them',
  region: 'Drag a frame around a part',
} as const;
