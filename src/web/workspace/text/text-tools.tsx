import { clsx } from 'clsx';
import { memo, startTransition, useOptimistic } from 'react';
import { firstOf, itemAt } from '#formats/checked';
import { Button } from '../../ui/basics/button.tsx';
import { afterPaint } from '../../ui/basics/events.ts';
import { Icon } from '../../ui/basics/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Layout } from './text-history.ts';
import type { TextDocument } from './use-text-document.ts';

interface TextViewsProps extends Pick<TextDocument, 'layout' | 'layOut'> {
  /** It is known where on a page the words stood. */
  hasPlaces: boolean;
  /** The tables are shown in place of the text; undefined where there are none. */
  showsTables?: boolean | undefined;
  onShowsTables: (shows: boolean) => void;
}

interface View {
  value: Layout | 'table';
  label: string;
  hint: string;
}

const TABLE: View = { value: 'table', label: 'Table', hint: 'Its cells, beside the picture' };

const LAYOUTS: ReadonlyArray<View> = [
  { value: 'lines', label: 'Lines', hint: 'As they stand in the picture' },
  { value: 'paragraphs', label: 'Paragraphs', hint: 'Lines rejoined, broken words healed' },
  { value: 'page', label: 'Layout', hint: 'As on the page, with indentation and columns' },
];

/** Of a text alone: where its words stood is not known. */
const LAYOUTS_WITHOUT_POSITIONS: typeof LAYOUTS = [
  { ...firstOf(LAYOUTS), hint: 'As they were saved' },
  itemAt(LAYOUTS, 1),
];

export const TextViews = memo(function TextViews(tools: TextViewsProps) {
  const { hasPlaces, showsTables, onShowsTables } = tools;
  const current = showsTables ? TABLE.value : tools.layout;
  // The press is painted first: laying out a long text takes a slow device longer than a press may.
  const [chosen, showChosen] = useOptimistic(current);
  const choose = (next: View['value']) =>
    startTransition(async () => {
      showChosen(next);
      await afterPaint();
      onShowsTables(next === 'table');
      if (next !== 'table') tools.layOut(next);
    });
  const views = hasPlaces ? LAYOUTS : LAYOUTS_WITHOUT_POSITIONS;
  return (
    <fieldset className="my-1.5 flex rounded-control border border-rule-strong">
      <legend className="sr-only">Text as</legend>
      {(showsTables === undefined ? views : [...views, TABLE]).map(({ value, label, hint }) => (
        <Tooltip key={value} label={hint}>
          <label
            className={clsx(
              'flex min-h-8 cursor-pointer items-center px-1.5 text-sm font-medium min-[23rem]:max-lg:px-2',
              'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-ink',
              chosen === value ? 'bg-ink text-paper' : 'hover:bg-sunk',
            )}
          >
            <input
              type="radio"
              name="text-layout"
              value={value}
              checked={chosen === value}
              onChange={() => choose(value)}
              className="sr-only"
            />
            {label}
          </label>
        </Tooltip>
      ))}
    </fieldset>
  );
});

type EditActions = Pick<TextDocument, 'edited' | 'canUndo' | 'canRedo' | 'resetEdits' | 'undo' | 'redo'>;

interface EditToolsProps extends EditActions {
  className?: string;
}

/** The edits of a document; undo also puts the focus back on a doubtful word. */
export const editActionsOf = (
  { edited, canUndo, canRedo, resetEdits, redo }: TextDocument,
  { doubt }: { doubt: Pick<TextDocument, 'undo'> },
): EditActions => ({ edited, canUndo, canRedo, resetEdits, undo: doubt.undo, redo });

export const EditTools = memo(function EditTools({
  edited,
  canUndo,
  canRedo,
  resetEdits,
  undo,
  redo,
  className = '-mr-2',
}: EditToolsProps) {
  return (
    <div className={clsx('flex items-center', className)}>
      <Button variant="ghost" size="small" disabled={!edited} onClick={resetEdits}>
        <Icon name="again" className="min-[23rem]:hidden" />
        <span className="max-[23rem]:sr-only">Reset edits</span>
      </Button>
      <Tooltip label="Undo">
        <Button variant="ghost" size="icon" aria-label="Undo" disabled={!canUndo} onClick={undo}>
          <Icon name="undo" />
        </Button>
      </Tooltip>
      <Tooltip label="Redo">
        <Button variant="ghost" size="icon" aria-label="Redo" disabled={!canRedo} onClick={redo}>
          <Icon name="redo" />
        </Button>
      </Tooltip>
    </div>
  );
});
