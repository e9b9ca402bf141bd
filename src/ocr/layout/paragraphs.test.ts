import { describe, expect, test } from 'vitest';
import { joinParagraph, type PlacedLine, paragraphNumbers } from './paragraphs.ts';

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

describe('a paragraph begins', () => {
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

  test('after a sentence that ended early enough for the next word to fit in', () => {
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

  test('where the size of the writing changes', () => {
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

  test('with a new column, unless a sentence runs on into it', () => {
    expect(
      numbers([['questioned her until he learned the'], ['cause of her sadness.', { block: 1 }]]),
    ).toEqual([0, 0]);
    expect(numbers([['until he learned it.'], ['Gently, he talked with her', { block: 1 }]])).toEqual([0, 1]);
    expect(numbers([['A caption without an end'], ['the text', { block: 1, height: 30 }]])).toEqual([0, 1]);
  });
});

describe('no paragraph begins', () => {
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

  test('for lack of lines', () => {
    expect(paragraphNumbers([])).toEqual([]);
  });
});

describe('joining a paragraph', () => {
  test('wrapped lines become one', () => {
    expect(
      joinParagraph(['The ferry came from two', 'towns down the river and', 'Anna rowed it herself.']),
    ).toBe('The ferry came from two towns down the river and Anna rowed it herself.');
  });

  test('a divided word is put together, a compound keeps its hyphen', () => {
    expect(joinParagraph(['How could she ex-', 'plain it?'])).toBe('How could she explain it?');
    expect(joinParagraph(['for his then-four-', 'year-old son'])).toBe('for his then-four-year-old son');
    const words = new Set(['well', 'known', 'some', 'thing', 'something']);
    const isWord = (word: string) => words.has(word);
    expect(joinParagraph(['a well-', 'known fact'], isWord)).toBe('a well-known fact');
    expect(joinParagraph(['there is some-', 'thing here'], isWord)).toBe('there is something here');
    expect(joinParagraph(['a well\u00ad', 'known fact'], isWord)).toBe('a wellknown fact');
  });

  test('a hyphen before a capital or a number is left alone', () => {
    expect(joinParagraph(['the line Berlin-', 'Prague was closed for', 'repairs'])).toContain('Berlin-');
  });

  test('a dash needs no space', () => {
    expect(joinParagraph(['variations of this theme—', 'children longing'])).toBe(
      'variations of this theme—children longing',
    );
  });

  test('rows, addresses and lists keep their line breaks', () => {
    const receipt = ['MILK 2% 1GAL 1.29', 'BREAD WHOLE WHEAT 6.58', 'EGGS LARGE 11.86'];
    expect(joinParagraph(receipt)).toBe(receipt.join('\n'));
    const address = ['Corner Market', '218 Maple Avenue', 'Springfield'];
    expect(joinParagraph(address)).toBe(address.join('\n'));
    expect(joinParagraph(['• one thing and', 'its explanation', '• another'])).toBe(
      '• one thing and its explanation\n• another',
    );
  });

  test('a column that grows narrower on the way is joined all the same', () => {
    const lines = [
      'the Adriatic Sea sparkling far below the old city walls',
      'when the boats come back in the evening from the islands',
      'and those of Lopud',
      'Mljet and all the',
      'others lie in mist',
    ];
    expect(joinParagraph(lines)).toBe(lines.join(' '));
  });

  test('a program keeps its lines', () => {
    const program = ['for (const key of keys) {', 'copy[key] = expand(copy[key]);', '}', 'return copy;'];
    expect(joinParagraph(program)).toBe(program.join('\n'));
  });

  test('scripts without spaces are joined without', () => {
    expect(joinParagraph(['委員会は火曜日に会合を開き', '年間予算を検討した'])).toBe(
      '委員会は火曜日に会合を開き年間予算を検討した',
    );
  });

  test('nothing joined is nothing', () => {
    expect(joinParagraph([])).toBe('');
    expect(joinParagraph(['', '  '])).toBe('');
  });
});
