import { describe, expect, test } from 'vitest';
import { type PlacedLine, paragraphNumbers } from './paragraphs.ts';

interface Set {
  x?: number;
  /** Space above the line; lines touch otherwise. */
  gap?: number;
  height?: number;
  width?: number;
  block?: number;
}

/** Stacks lines downwards, 16 high with 4 between them, 9 pixels a character. */
function stack(lines: readonly (readonly [text: string, set?: Set])[]): PlacedLine[] {
  let y = 0;
  let block = 0;
  return lines.map(
    ([text, { x = 0, gap = 4, height = 16, width = text.length * 9, block: next = block } = {}]) => {
      if (next !== block) y = 0;
      block = next;
      const box = { x, y: y + gap, width, height };
      y += gap + height;
      return { text, box, block };
    },
  );
}

const numbers = (lines: Parameters<typeof stack>[0]) => paragraphNumbers(stack(lines));

describe('paragraphNumbers: a paragraph starts', () => {
  test('after more space than lies between the other lines', () => {
    expect(
      numbers([
        ['The harbour office opens at seven'],
        ['on weekdays and at nine on Sundays'],
        ['when the weather allows it at all.'],
        ['Boats longer than twelve metres', { gap: 20 }],
        ['report before they enter the port.'],
      ]),
    ).toEqual([0, 0, 0, 1, 1]);
  });

  test('at an indented line of running text', () => {
    expect(
      numbers([
        ['“I have never forgotten that day,” he'],
        ['said to the others, who were listening'],
        ['without a word while the rain went on.'],
        ['Then a door opened and a child came', { x: 24 }],
        ['in with a lamp that was much too big'],
        ['for it, so that everybody had to smile.'],
      ]),
    ).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test('after a sentence that ended early enough for the next word to fit', () => {
    expect(
      numbers([
        ['the long way round by the river and'],
        ['then over the hill to the old mill.'],
        ['nobody was at home.'],
        ['Later that year the mill was sold to'],
        ['a family that wanted to bake bread'],
        ['for the whole of the upper valley.'],
      ]),
    ).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test('where the font size changes', () => {
    expect(
      numbers([
        ['Council weighs options', { height: 30 }],
        ['The committee met on Tuesday'],
        ['to review the budget of the year'],
      ]),
    ).toEqual([0, 1, 1]);
  });

  test('at every list mark', () => {
    expect(
      numbers([
        ['• flour, sugar and a little salt'],
        ['• two eggs, or three if they are'],
        ['small'],
        ['1. Mix everything'],
        ['(b) bake'],
      ]),
    ).toEqual([0, 1, 1, 2, 3]);
  });

  test('with a new column, unless a sentence continues into it', () => {
    expect(
      numbers([['questioned her until he learned the'], ['cause of her sadness.', { block: 1 }]]),
    ).toEqual([0, 0]);
    expect(numbers([['until he learned it.'], ['Gently, he talked with her', { block: 1 }]])).toEqual([0, 1]);
    expect(numbers([['A caption without an end'], ['the text', { block: 1, height: 30 }]])).toEqual([0, 1]);
  });
});

describe('paragraphNumbers: no paragraph starts', () => {
  test('within the rows of a receipt, although each is a statement of its own', () => {
    expect(
      numbers([
        ['MILK 1.29', { width: 300 }],
        ['BREAD WHOLE WHEAT 6.58', { width: 300 }],
        ['EGGS 11.86', { width: 300 }],
        ['TOTAL 19.73', { width: 300 }],
      ]),
    ).toEqual([0, 0, 0, 0]);
  });

  test('at the indents of a program', () => {
    expect(
      numbers([
        ['export function load(path) {'],
        ['const raw = read(path);', { x: 20 }],
        ['if (!raw) {', { x: 20 }],
        ['throw new Error(path);', { x: 40 }],
        ['}', { x: 20 }],
        ['}'],
      ]),
    ).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('in a text with few lines', () => {
    expect(paragraphNumbers([])).toEqual([]);
  });
});
