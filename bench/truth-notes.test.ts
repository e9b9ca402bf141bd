import { expect, test } from 'vitest';
import { withoutNotes } from './truth-notes.ts';

const NOTHING_ELSE = { texts: [], failure: false, notices: [] };

test('withoutNotes: does not change a text without a note', () => {
  expect(withoutNotes('Total 1.20\n\nThank you\n')).toEqual({
    text: 'Total 1.20\n\nThank you\n',
    accepted: NOTHING_ELSE,
  });
});

test('withoutNotes: removes a free-form note, which accepts nothing else', () => {
  const file = 'Harbour lights\n\n(all the letters are in the part that arrived; with a notice)\n';
  expect(withoutNotes(file)).toEqual({ text: 'Harbour lights\n', accepted: NOTHING_ELSE });
});

test('withoutNotes: "or an error" accepts a failure', () => {
  const file = 'Harbour lights\n\n(or an error; never "no text")\n';
  expect(withoutNotes(file)).toEqual({
    text: 'Harbour lights\n',
    accepted: { ...NOTHING_ELSE, failure: true },
  });
});

test('withoutNotes: "or at least the notice CODE" accepts that notice', () => {
  const { text, accepted } = withoutNotes('SITE PLAN\nPier 4\n\n(or at least the notice scaled_down)');
  expect(text).toBe('SITE PLAN\nPier 4\n');
  expect(accepted).toEqual({ ...NOTHING_ELSE, notices: ['scaled_down'] });
});

test('withoutNotes: "or: TEXT" accepts another text, in square brackets too', () => {
  expect(withoutNotes('CO2\n\n[or: CO₂]\n').accepted).toEqual({ ...NOTHING_ELSE, texts: ['CO₂'] });
});

test('withoutNotes: keeps brackets inside the text or in its last line', () => {
  for (const text of [
    'Fee (net) 5\n\nTotal (gross) 6\n',
    'rgb\n(255, 90, 31)\n',
    '(a) first\n\n(b) second\n',
  ]) {
    expect(withoutNotes(text)).toEqual({ text, accepted: NOTHING_ELSE });
  }
});

test('withoutNotes: removes a first line about the format of the result', () => {
  const file = 'Plain text, head read cell by cell (as Markdown already has it):\nQuay section\n';
  expect(withoutNotes(file).text).toBe('Quay section\n');
  expect(withoutNotes('Plain text is safe\nTotal:\n').text).toBe('Plain text is safe\nTotal:\n');
});
