import { describe, expect, it } from 'vitest';
import { recordChange, recordTyping, redo, startHistory, type TextHistory, undo } from './text-history.ts';

const start = startHistory({
  mapped: { text: 'ab', marks: [{ piece: 0, start: 0, end: 2 }] },
  layout: 'lines',
  checked: new Set(),
});
const edit =
  (kind: 'typing' | 'deleting') => (history: TextHistory, text: string, caret: number, time: number) =>
    recordTyping(history, { text, caret, kind, time });
const type = edit('typing');
const remove = edit('deleting');
const textOf = (history: TextHistory) => history.present.mapped.text;

describe('text history', () => {
  it('undoes consecutive typing in one step, including marks, and redoes it', () => {
    const done = type(type(type(start, 'abc', 3, 0), 'abcd', 4, 200), 'abcde', 5, 400);
    expect(undo(done).present).toEqual(start.present);
    expect(redo(undo(done)).present).toEqual(done.present);
  });

  it('undoes typing over a selection in one step', () => {
    const selected = startHistory({ ...start.present, mapped: { text: 'two rye loaves', marks: [] } });
    const done = type(
      type(type(selected, 'two s loaves', 5, 0), 'two sp loaves', 6, 100),
      'two spe loaves',
      7,
      200,
    );
    expect(textOf(undo(done))).toBe('two rye loaves');
    const shorter = type(type(selected, 'two r loaves', 5, 0), 'two ru loaves', 6, 100);
    expect(textOf(undo(shorter)), 'with the same first letter').toBe('two rye loaves');
  });

  it('undoes consecutive deleting in one step', () => {
    const done = remove(remove(type(start, 'abc', 3, 0), 'ab', 2, 100), 'a', 1, 200);
    expect(textOf(undo(done))).toBe('abc');
  });

  it('starts a new step after a pause, elsewhere, or when deleting follows typing', () => {
    const typing = type(start, 'abc', 3, 0);
    expect(textOf(undo(type(typing, 'abcd', 4, 1500)))).toBe('abc');
    expect(textOf(undo(type(typing, 'xabc', 1, 100)))).toBe('abc');
    expect(textOf(undo(remove(typing, 'ab', 2, 100)))).toBe('abc');
  });

  it('text history: typing clears the redo steps', () => {
    const other = type(undo(type(start, 'abc', 3, 0)), 'abx', 3, 50);
    expect(redo(other)).toBe(other);
  });

  it('undoes a change that was not typed, including its layout', () => {
    const done = recordChange(start, {
      ...start.present,
      mapped: { text: 'AB', marks: [] },
      layout: 'paragraphs',
    });
    expect(undo(done).present).toEqual(start.present);
    expect(recordChange(start, start.present)).toBe(start);
  });

  it('undoes the confirmation of a word', () => {
    const done = recordChange(start, { ...start.present, checked: new Set([0]) });
    expect([...undo(done).present.checked]).toEqual([]);
    expect([...redo(undo(done)).present.checked]).toEqual([0]);
  });

  it('text history: there is no undo at the start, nor after a layout that does not change the text', () => {
    expect(undo(start)).toBe(start);
    const other = recordChange(start, { ...start.present, layout: 'paragraphs' });
    expect(other.present.layout).toBe('paragraphs');
    expect(undo(other)).toBe(other);
  });
});
