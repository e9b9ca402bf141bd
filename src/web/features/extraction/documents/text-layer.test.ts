import { describe, expect, it } from 'vitest';
import { type PositionedCharacter, textLayerOf } from './text-layer.ts';

const PAGE = { width: 1000, height: 1400 };
/** The size of every letter and space. */
const LETTER = { width: 10, height: 20 };

/** The characters of a line from a position on. `gaps`: the widths of spaces by their index. */
function charactersOf(text: string, x: number, y: number, gaps: Readonly<Record<number, number>> = {}) {
  let left = x;
  const letters = [...text].map((letter, index): PositionedCharacter => {
    const width = letter === ' ' ? (gaps[index] ?? LETTER.width) : LETTER.width;
    const box = { x: left, y, width, height: LETTER.height };
    left += width;
    return { text: letter, box: letter === ' ' ? null : box };
  });
  return [...letters, { text: '\r', box: null }, { text: '\n', box: null }];
}

/** The characters of a paragraph's lines, from a position downwards. */
const block = (lines: readonly string[], x: number, y: number) =>
  lines.flatMap((line, index) => charactersOf(line, x, y + 24 * index));

const textOf = (characters: readonly PositionedCharacter[]) => textLayerOf(characters, PAGE)?.extractedText;

const LEFT = ['left one runs on', 'left two runs on', 'left three ends'];
const RIGHT = ['right one runs on', 'right two runs on', 'right three ends'];

describe('textLayerOf', () => {
  it('text layer: has lines, paragraphs and words with boxes, and confidence 100', () => {
    const found = textLayerOf(
      [...block(['Paid in full', 'on Tuesday.'], 100, 100), ...charactersOf('Thank you', 100, 220)],
      PAGE,
    );
    expect(found).toMatchObject({
      extractedText: 'Paid in full\non Tuesday.\n\nThank you',
      wordCount: 7,
      confidence: 100,
      image: { ...PAGE, rotation: 0 },
    });
    expect(found?.lines.map(({ paragraph }) => paragraph)).toEqual([0, 0, 1]);
    expect(found?.lines[1]?.words[1]).toEqual({
      text: 'Tuesday.',
      confidence: 100,
      box: { x: 130, y: 124, width: 80, height: 20 },
    });
  });

  it('text layer: is null without letters', () => {
    expect(textLayerOf(charactersOf('   ', 100, 100), PAGE)).toBeNull();
  });

  it('text layer: drops a soft hyphen inside a line, keeps the hyphen of a word broken over two lines', () => {
    // PDFium returns U+0002 for the hyphen of a broken word.
    const [softHyphen, pdfiumHyphen] = ['\u00ad', '\u0002'].map((text) => ({ text, box: null }));
    const line = charactersOf('recog', 100, 100);
    expect(
      textOf(
        [...line.slice(0, 2), softHyphen!, ...line.slice(2, 5), pdfiumHyphen!, ...line.slice(5)].concat(
          charactersOf('nition', 100, 124),
        ),
      ),
    ).toBe('recog-\nnition');
  });
});

describe('reading order', () => {
  it('reading order: keeps the document’s order, also for rows of a table and for labels beside lines', () => {
    const rows = [
      ...charactersOf('Bread 2 4.20', 100, 100, { 5: 300, 7: 300 }),
      ...charactersOf('Milk 1 1.10', 100, 124, { 4: 310, 6: 300 }),
      ...charactersOf('Tea 3 9.00', 100, 148, { 3: 320, 5: 300 }),
      ...charactersOf('Salt 1 0.80', 100, 172, { 4: 310, 6: 300 }),
    ];
    expect(textOf(rows)).toBe('Bread 2 4.20\nMilk 1 1.10\nTea 3 9.00\nSalt 1 0.80');
    const labels = [
      ...charactersOf('2019', 100, 100),
      ...block(['baker in Harbour Lane', 'for two years'], 300, 100),
      ...charactersOf('2021', 100, 200),
      ...block(['ferry hand', 'since then'], 300, 200),
    ];
    expect(textOf(labels)?.replaceAll(/\s+/g, ' ')).toBe(
      '2019 baker in Harbour Lane for two years 2021 ferry hand since then',
    );
  });

  it('reading order: moves the header to the start and the footer to the end', () => {
    const characters = [
      ...charactersOf('Page 7', 400, 1300),
      ...block(['It rained all day', 'and nobody came.'], 100, 300),
      ...charactersOf('Harbour news', 300, 60),
    ];
    expect(textOf(characters)).toBe('Harbour news\n\nIt rained all day\nand nobody came.\n\nPage 7');
  });

  it('reading order: moves the left column before a right column that is stored first', () => {
    const characters = [
      ...block(RIGHT, 520, 200),
      ...charactersOf('A title across both of the columns of this page and on', 100, 100),
      ...block(LEFT, 100, 200),
      ...charactersOf('A foot across both of the columns of this page and on', 100, 600),
    ];
    expect(textOf(characters)?.split(/\n+/)).toEqual([
      'A title across both of the columns of this page and on',
      ...LEFT,
      ...RIGHT,
      'A foot across both of the columns of this page and on',
    ]);
  });

  it('reading order: reads a column with paragraphs to its end before the next column', () => {
    const characters = [
      ...block(RIGHT, 520, 200),
      ...block(['right again and', 'right for longer', 'right at last'], 520, 320),
      ...block(LEFT, 100, 200),
      ...block(['left again and', 'left for longer', 'left at last'], 100, 320),
    ];
    expect(
      textOf(characters)
        ?.split(/\n+/)
        .map((line) => line.split(' ')[0]),
    ).toEqual([...Array(6).fill('left'), ...Array(6).fill('right')]);
  });

  it('reading order: splits columns that the document stores line by line', () => {
    const lines = [...LEFT, 'left four goes on'].map((left, index) => {
      const right = [...RIGHT, 'right four goes on'][index]!;
      return charactersOf(`${left} ${right}`, 100, 200 + 24 * index, {
        [left.length]: 300 - LETTER.width * left.length,
      });
    });
    expect(textOf(lines.flat())?.split(/\n+/)).toEqual([
      ...LEFT,
      'left four goes on',
      ...RIGHT,
      'right four goes on',
    ]);
  });

  it('reading order: reads the right column first in right-to-left text', () => {
    const characters = [
      ...block(['שלוש', 'ארבע', 'חמש'], 100, 200),
      ...block(['אחת', 'שתיים', 'עוד'], 520, 200),
    ];
    expect(textOf(characters)?.split(/\n+/)).toEqual(['אחת', 'שתיים', 'עוד', 'שלוש', 'ארבע', 'חמש']);
  });
});
