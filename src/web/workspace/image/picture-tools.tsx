import type { RefObject } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon, PathIcon } from '../../ui/basics/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { PictureSelection } from './use-picture-selection.ts';

interface PictureToolsProps {
  selection: PictureSelection;
  hasWords: boolean;
  viewport: RefObject<HTMLElement | null>;
  /** Places an initial region on the picture. */
  onRegion: () => void;
  /** Whether the picture is shown upright and deskewed. */
  isDeskewed: boolean;
  /** Switches between the original and the deskewed picture; null if they are the same. */
  onToggleOriginal: (() => void) | null;
}

/** The tools for dragging on the picture. With a mouse, words can be selected without a tool. */
export function PictureTools(props: PictureToolsProps) {
  const { selection, hasWords, viewport, onRegion, isDeskewed, onToggleOriginal } = props;
  const { tool, take } = selection;
  const style = { variant: 'ghost', size: 'small', className: 'aria-pressed:bg-sunk' } as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      role="group"
      aria-label="On the picture"
      className="flex items-center gap-1 border-b border-rule px-2 py-1.5"
    >
      <Tooltip label="Drag over words to select them. With a mouse begin on any word, with a finger press one long, and it works without this button.">
        <Button
          {...style}
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
          {...style}
          aria-pressed={tool === 'region'}
          onClick={(event) => {
            take('region');
            // The button was pressed by keyboard, so there is no pointer to draw with.
            if (tool !== 'region' && event.detail === 0) onRegion();
          }}
        >
          <PictureIcon name="region" />
          Region
        </Button>
      </Tooltip>
      {onToggleOriginal && (
        <Tooltip label="The picture as it was chosen, neither turned nor straightened">
          <Button
            {...style}
            aria-pressed={!isDeskewed}
            onClick={() => {
              selection.clear();
              onToggleOriginal();
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

/** Icons for work on a picture. Separate from `Icon`, because only these components need them. */
const PATHS = {
  mail: 'M4 6h16v12H4zM4 7l8 6.5L20 7',
  phone:
    'M5 4h4l1.5 4.5-2.3 1.7a12 12 0 0 0 5.6 5.6l1.7-2.3L20 15v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8',
  link: 'M13 5h6v6M19 5l-9 9M16 14v5H5V8h5',
  text: 'M5 6.5V5h14v1.5M12 5v14M9.5 19h5',
  code: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5z',
  select: 'M4.5 5h4M6.5 5v14M4.5 19h4M11.5 8.5H20M11.5 12H20M11.5 15.5H17',
  region: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4',
  crop: 'M7 2.5V17h14.5M2.5 7H17v14.5',
  turnLeft: 'M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4 9.2M4 4.5v4.7h4.7',
  turnRight: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.2M20 4.5v4.7h-4.7',
} as const;

export type PictureIconName = keyof typeof PATHS;

export function PictureIcon({ name, className }: { name: PictureIconName; className?: string }) {
  return <PathIcon path={PATHS[name]} {...(className !== undefined && { className })} />;
}
