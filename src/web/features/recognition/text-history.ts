import type { MappedText } from '#formats/pieces';
import { editText } from './text-mapping.ts';

/**
 * Undo and redo for a mapped text. The browser's own history knows nothing of marks, and forgets
 * everything when text is brought back or laid out anew, so the text area's undo is answered from here.
 */
export interface TextHistory {
  present: MappedText;
  past: readonly MappedText[];
  future: readonly MappedText[];
  /** What the last step was, to let a run of typing be undone at once; null after any other step. */
  run: { kind: 'typing' | 'deleting'; at: number; time: number } | null;
}

export interface TypedEdit {
  text: string;
  /** Where the caret stands afterwards. */
  caret: number;
  /** Milliseconds on any steady clock. */
  time: number;
}

const PAUSE_MS = 1000;
const DEPTH = 200;

export const startHistory = (present: MappedText): TextHistory => ({
  present,
  past: [],
  future: [],
  run: null,
});

/** Records what a person typed or deleted. Neighbouring letters within a second are one step. */
export function typed(history: TextHistory, edit: TypedEdit): TextHistory {
  const { present, run } = history;
  const grown = edit.text.length - present.text.length;
  if (edit.text === present.text) return history;
  const kind = grown > 0 ? 'typing' : 'deleting';
  const continues =
    run?.kind === kind &&
    Math.abs(grown) === 1 &&
    edit.time - run.time < PAUSE_MS &&
    (kind === 'typing' ? edit.caret === run.at + 1 : edit.caret === run.at || edit.caret === run.at - 1);
  const next = editText(present, edit.text, edit.caret);
  return {
    present: next,
    past: continues ? history.past : [...history.past, present].slice(-DEPTH),
    future: [],
    run: { kind, at: edit.caret, time: edit.time },
  };
}

/** Records any other step: laying out, bringing back, resetting. A step that changes nothing leaves no trace. */
export function changed(history: TextHistory, next: MappedText): TextHistory {
  if (next.text === history.present.text) return history;
  return { present: next, past: [...history.past, history.present].slice(-DEPTH), future: [], run: null };
}

export function undone(history: TextHistory): TextHistory {
  const previous = history.past.at(-1);
  if (!previous) return history;
  return {
    present: previous,
    past: history.past.slice(0, -1),
    future: [history.present, ...history.future],
    run: null,
  };
}

export function redone(history: TextHistory): TextHistory {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { present: next, past: [...history.past, history.present], future, run: null };
}
