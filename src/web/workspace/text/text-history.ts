import type { LayoutTable } from '#contract/extraction';
import type { MappedText, Piece } from '#formats/pieces';
import { editText } from './text-mapping.ts';

/**
 * `lines`: the lines of the picture. `paragraphs`: the lines of each paragraph joined, with hyphenated words rejoined;
 * compounds keep their hyphen. `page`: with the indentation and the columns of the page.
 */
export type Layout = 'lines' | 'paragraphs' | 'page';

/** The editable state of a text, which undo restores. */
export interface TextState {
  mapped: MappedText;
  layout: Layout;
  /** For the layout `page`: the text in lines that it was made of. */
  lines?: MappedText | null;
  /** Pieces of formerly empty cells, after the pieces of the extraction. */
  filled?: readonly Piece[];
  /** Indices of the pieces in rejected tables. */
  notTables?: ReadonlySet<number>;
  /** The tables of the page, if the user has edited their structure. */
  tables?: readonly LayoutTable[] | undefined;
  /** Doubtful pieces that the user has confirmed. */
  checked: ReadonlySet<number>;
}

/**
 * Undo and redo for a text. The browser's undo history has no marks, and is lost when hidden text is restored or the layout
 * changes, so the text area's undo is handled here.
 */
export interface TextHistory {
  present: TextState;
  past: readonly TextState[];
  future: readonly TextState[];
  /** The last typing step, which the next keystroke may extend; null after any other step. */
  run: { kind: 'typing' | 'deleting'; at: number; time: number } | null;
}

/** The edits of a text, which are stored to continue later. */
export interface TextWork {
  history: TextHistory;
}

export interface TypedEdit {
  text: string;
  /** The caret after the edit. */
  caret: number;
  /** `typing` if text was inserted or replaced; `deleting` if it was only removed. */
  kind: 'typing' | 'deleting';
  /** Milliseconds of a monotonic clock. */
  time: number;
}

const TYPING_PAUSE_MS = 1000;
const MAX_STEPS = 200;

export const startHistory = (present: TextState): TextHistory => ({
  present,
  past: [],
  future: [],
  run: null,
});

/** Records typed or deleted text. Keystrokes within a second are one step; the first one may replace a selection. */
export function recordTyping(history: TextHistory, { text, caret, kind, time }: TypedEdit): TextHistory {
  const { present, run } = history;
  const growth = text.length - present.mapped.text.length;
  if (text === present.mapped.text) return history;
  const continues =
    run?.kind === kind &&
    growth === (kind === 'typing' ? 1 : -1) &&
    time - run.time < TYPING_PAUSE_MS &&
    (kind === 'typing' ? caret === run.at + 1 : caret === run.at || caret === run.at - 1);
  return {
    present: { ...present, mapped: editText(present.mapped, text, caret) },
    past: continues ? history.past : pastWithPresent(history),
    future: [],
    run: { kind, at: caret, time },
  };
}

/**
 * Records any other step: layout, restoring, resetting, choosing a reading, confirming a word. A step that changes
 * neither the text nor its doubtful words and tables is not recorded.
 */
export function recordChange(history: TextHistory, next: TextState): TextHistory {
  const { mapped, checked, notTables, tables } = history.present;
  const isSame = next.checked === checked && next.notTables === notTables && next.tables === tables;
  if (next.mapped.text === mapped.text && isSame) {
    return next.layout === history.present.layout ? history : { ...history, present: next };
  }
  return { present: next, past: pastWithPresent(history), future: [], run: null };
}

const pastWithPresent = ({ past, present }: TextHistory) => [...past, present].slice(-MAX_STEPS);

export function undo(history: TextHistory): TextHistory {
  const previous = history.past.at(-1);
  if (!previous) return history;
  return {
    present: previous,
    past: history.past.slice(0, -1),
    future: [history.present, ...history.future],
    run: null,
  };
}

export function redo(history: TextHistory): TextHistory {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { present: next, past: [...history.past, history.present], future, run: null };
}

/** The edit of an `input` event of a text area. */
export const typedEdit = ({ value, selectionEnd }: HTMLTextAreaElement, event: Event): TypedEdit => ({
  text: value,
  caret: selectionEnd,
  kind: event instanceof InputEvent && event.inputType.startsWith('delete') ? 'deleting' : 'typing',
  time: performance.now(),
});
