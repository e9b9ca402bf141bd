import type { LayoutTable } from '#contract/extraction';
import type { MappedText, Piece } from '#formats/pieces';
import { editText } from './text-mapping.ts';

/**
 * `lines`: as in the picture. `paragraphs`: the lines of each paragraph rejoined, words broken at a line's end healed and
 * those that show to be compounds left their hyphen. `page`: as it stands on the page, with its indentation and its columns.
 */
export type Layout = 'lines' | 'paragraphs' | 'page';

/** Everything about a text that a person changes, and that a step back brings back. */
export interface TextState {
  mapped: MappedText;
  layout: Layout;
  /** Of a text that stands as on the page: the lines that it was made of. */
  lines?: MappedText | null;
  /** Contents of cells that were empty: pieces behind those of the extraction. */
  filled?: readonly Piece[];
  /** Pieces of rejected tables. */
  notTables?: ReadonlySet<number>;
  /** The tables of the page once a person has changed their rows, columns or cells. */
  tables?: readonly LayoutTable[] | undefined;
  /** Doubtful pieces that were looked at and found right. */
  checked: ReadonlySet<number>;
}

/**
 * Undo and redo for a text. The browser's own history knows no marks, and is lost when hidden text is restored or the
 * layout changes, so the text area's undo is handled here.
 */
export interface TextHistory {
  present: TextState;
  past: readonly TextState[];
  future: readonly TextState[];
  /** The last step, so that a run of typing is undone at once; null after any other step. */
  run: { kind: 'typing' | 'deleting'; at: number; time: number } | null;
}

/** The work on a text: what is needed to continue it later. */
export interface TextWork {
  history: TextHistory;
}

export interface TypedEdit {
  text: string;
  /** Where the caret stands afterwards. */
  caret: number;
  /** Whether something was put in, perhaps in place of something else, or only taken out. */
  kind: 'typing' | 'deleting';
  /** Milliseconds on any steady clock. */
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

/** Records typed or deleted text. Letters within a second are one step, the first of which may replace a selection. */
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

/** The edit that was just typed into a text area. `event`: the browser's own. */
export const typedEdit = ({ value, selectionEnd }: HTMLTextAreaElement, event: Event): TypedEdit => ({
  text: value,
  caret: selectionEnd,
  kind: event instanceof InputEvent && event.inputType.startsWith('delete') ? 'deleting' : 'typing',
  time: performance.now(),
});
