import { describe, expect, it } from 'vitest';
import { changed, redone, startHistory, type TextHistory, typed, undone } from './text-history.ts';

const start = startHistory({ text: 'ab', marks: [{ piece: 0, start: 0, end: 2 }] });
const type = (history: TextHistory, text: string, caret: number, time: number) =>
  typed(history, { text, caret, time });

describe('text history', () => {
  it('undoes a run of typing at once, marks included, and redoes it', () => {
    const done = type(type(type(start, 'abc', 3, 0), 'abcd', 4, 200), 'abcde', 5, 400);
    expect(undone(done).present).toEqual(start.present);
    expect(redone(undone(done)).present).toEqual(done.present);
  });

  it('starts a new step after a pause, elsewhere, or when deleting follows typing', () => {
    const typing = type(start, 'abc', 3, 0);
    expect(undone(type(typing, 'abcd', 4, 1500)).present.text).toBe('abc');
    expect(undone(type(typing, 'xabc', 1, 100)).present.text).toBe('abc');
    expect(undone(type(typing, 'ab', 2, 100)).present.text).toBe('abc');
  });

  it('forgets what could be redone once something else is typed', () => {
    const other = type(undone(type(start, 'abc', 3, 0)), 'abx', 3, 50);
    expect(redone(other)).toBe(other);
  });

  it('undoes a change that was not typed', () => {
    const done = changed(start, { text: 'AB', marks: [] });
    expect(undone(done).present).toEqual(start.present);
    expect(changed(start, start.present)).toBe(start);
  });

  it('has nothing to undo at the start', () => {
    expect(undone(start)).toBe(start);
  });
});
