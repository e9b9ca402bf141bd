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
  /** Whether the words have positions on a page. */
  hasWordBoxes: boolean;
  /** Whether the tables replace the text; undefined without tables. */
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
  { value: 'lines', label: 'Lines', hint: 'As in the picture' },
  { value: 'paragraphs', label: 'Paragraphs', hint: 'Lines joined, hyphenated words rejoined' },
  { value: 'page', label: 'Layout', hint: 'As on the page, with indentation and columns' },
];

/** The layouts of a text without word positions. */
const LAYOUTS_WITHOUT_POSITIONS: typeof LAYOUTS = [
  { ...firstOf(LAYOUTS), hint: 'As they were saved' },
  itemAt(LAYOUTS, 1),
];

export const TextViews = memo(function TextViews(tools: TextViewsProps) {
  const { hasWordBoxes, showsTables, onShowsTables } = tools;
  const current = showsTables ? TABLE.value : tools.layout;
  // The choice is painted first, because laying out a long text takes long on a slow device.
  const [chosen, showChosen] = useOptimistic(current);
  const choose = (next: View['value']) =>
    startTransition(async () => {
      showChosen(next);
      await afterPaint();
      onShowsTables(next === 'table');
      if (next !== 'table') tools.layOut(next);
    });
  const views = hasWordBoxes ? LAYOUTS : LAYOUTS_WITHOUT_POSITIONS;
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

/** The edit actions of a document. During a review, undo also steps back to the doubtful word. */
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
