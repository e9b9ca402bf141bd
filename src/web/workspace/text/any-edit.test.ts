import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MappedText, mapText, type Piece } from '#formats/pieces';
import { holds } from '../../../../tests/support/properties.ts';
import { hideRestored, layOut, restoreHidden } from './text-layout.ts';
import { editText } from './text-mapping.ts';

const word = fc.string({
  unit: fc.constantFrom('a', 'B', 'é', 'ß', '-', '.', '7', '字', '🜁'),
  minLength: 1,
  maxLength: 6,
});
/** Lines of words in paragraphs. Some words and some whole lines are hidden. */
const page = fc
  .array(
    fc.record({
      words: fc.array(fc.record({ text: word, hidden: fc.boolean() }), { minLength: 1, maxLength: 4 }),
      opensParagraph: fc.boolean(),
      hidden: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((lines) => {
    let paragraph = 0;
    let shown = 0;
    const texts: string[] = [];
    const pieces: Piece[] = [];
    const base = { confidence: 90, box: { x: 0, y: 0, width: 1, height: 1 }, readings: [] };
    for (const { words, opensParagraph, hidden } of lines) {
      if (opensParagraph && texts.length > 0) paragraph++;
      const isShown = !hidden && words.some((one) => !one.hidden);
      if (!isShown) {
        const text = words.map((one) => one.text).join(' ');
        pieces.push({ ...base, text, line: shown, paragraph, hidden: 'line' });
        continue;
      }
      for (const one of words) {
        pieces.push({ ...base, text: one.text, line: shown, paragraph, hidden: one.hidden ? 'word' : null });
      }
      const line = words.filter((one) => !one.hidden).map((one) => one.text);
      texts.push(`${texts.length === 0 ? '' : opensParagraph ? '\n\n' : '\n'}${line.join(' ')}`);
      shown++;
    }
    return { text: texts.join(''), pieces };
  });

function expectSound({ text, marks }: MappedText, pieces: readonly Piece[]): void {
  let end = 0;
  let piece = -1;
  for (const mark of marks) {
    expect(mark.start).toBeGreaterThanOrEqual(end);
    expect(mark.end).toBeGreaterThan(mark.start);
    expect(mark.piece).toBeGreaterThan(piece);
    ({ end, piece } = mark);
  }
  expect(end).toBeLessThanOrEqual(text.length);
  expect(piece).toBeLessThan(pieces.length);
}

const edit = fc.record({
  start: fc.nat(60),
  length: fc.nat(12),
  inserted: fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\n', '-', '🜁'), maxLength: 5 }),
});

describe('marks of a text', () => {
  it('any edit: marks stay valid, and the text is the typed one', () =>
    holds(
      fc.asyncProperty(page, fc.array(edit, { maxLength: 6 }), async ({ text, pieces }, edits) => {
        let mapped = mapText(text, pieces);
        expectSound(mapped, pieces);
        for (const { start, length, inserted } of edits) {
          const typed = mapped.text.slice(0, start) + inserted + mapped.text.slice(start + length);
          mapped = editText(mapped, typed, Math.min(start, mapped.text.length) + inserted.length);
          expect(mapped.text).toBe(typed);
          expectSound(mapped, pieces);
        }
      }),
      500,
    ));

  it('round-trip through paragraphs to lines', () =>
    holds(
      fc.asyncProperty(page, async ({ text, pieces }) => {
        const lines = mapText(text, pieces);
        const paragraphs = layOut(lines, pieces, 'paragraphs');
        expectSound(paragraphs, pieces);
        expect(layOut(paragraphs, pieces, 'lines')).toEqual(lines);
      }),
      500,
    ));

  it('are unchanged after restoring hidden pieces and hiding them again', () =>
    holds(
      fc.asyncProperty(page, fc.array(fc.nat(30), { maxLength: 5 }), async ({ text, pieces }, wanted) => {
        const before = mapText(text, pieces);
        let mapped = before;
        const back = [...new Set(wanted)].filter((index) => pieces[index]?.hidden);
        for (const index of back) {
          mapped = restoreHidden(mapped, pieces, index);
          expectSound(mapped, pieces);
        }
        for (const index of back.toReversed()) {
          mapped = hideRestored(mapped, pieces, index);
          expectSound(mapped, pieces);
        }
        expect(mapped).toEqual(before);
      }),
      500,
    ));
});
