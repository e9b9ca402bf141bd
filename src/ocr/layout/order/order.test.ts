import { describe, expect, test } from 'vitest';
import type { TextBox } from './line-fragments.ts';
import { type OrderOptions, orderLines } from './order.ts';

/** A drawn page: boxes with a label each, 16 pixels high by default. */
class Page {
  readonly boxes: TextBox[] = [];
  readonly labels: string[] = [];

  box(label: string, x: number, y: number, width: number, height = 16, text?: string): this {
    this.boxes.push({ x, y, width, height, ...(text === undefined ? {} : { text }) });
    this.labels.push(label);
    return this;
  }

  /** Lines L1, L2, … that fill `width`, the last of each five a little short, as wrapped text is. */
  prose(label: string, x: number, y: number, width: number, lines: number, pitch = 20): this {
    for (let i = 0; i < lines; i++) {
      this.box(`${label}${i + 1}`, x, y + i * pitch, width * (i % 5 === 4 ? 0.7 : 1 - (i % 3) * 0.04));
    }
    return this;
  }

  row(label: string, y: number, cells: readonly (readonly [x: number, width: number])[]): this {
    for (const [i, [x, width]] of cells.entries()) this.box(`${label}.${i + 1}`, x, y, width);
    return this;
  }
}

/** Labels line by line. The boxes are passed in a scrambled order, which must not matter. */
function read(page: Page, options?: OrderOptions): string[] {
  const order = page.boxes.map((_, i) => (i * 7 + 3) % page.boxes.length);
  const scrambled = new Set(order).size === order.length ? order : order.map((_, i) => order.length - 1 - i);
  const boxes = scrambled.map((index) => page.boxes[index]!);
  return orderLines(boxes, options).map((line) =>
    line.boxes.map((index) => page.labels[scrambled[index]!]).join(' '),
  );
}

const numbered = (label: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `${label}${i + from}`);

describe('orderLines: rows', () => {
  test('no boxes make no lines, one box makes one', () => {
    expect(orderLines([])).toEqual([]);
    expect(orderLines([{ x: 5, y: 6, width: 70, height: 8 }])).toEqual([
      { boxes: [0], box: { x: 5, y: 6, width: 70, height: 8 }, block: 0 },
    ]);
  });

  test('a single column is read downwards, headings and indents included', () => {
    const page = new Page()
      .box('title', 60, 10, 300, 30)
      .prose('a', 60, 60, 400, 6)
      .box('sub', 60, 200, 120)
      .prose('b', 60, 230, 400, 4);
    expect(read(page)).toEqual(['title', ...numbered('a', 6), 'sub', ...numbered('b', 4)]);
  });

  test('a line that was detected in parts is joined from left to right', () => {
    const page = new Page()
      .prose('a', 0, 0, 400, 3)
      .box('x', 0, 60, 120)
      .box('y', 140, 61, 100)
      .box('z', 250, 59, 90);
    expect(read(page)).toEqual(['a1', 'a2', 'a3', 'x y z']);
  });

  test('a table is read row by row, whichever of its cells are empty', () => {
    const page = new Page();
    const left = '11110110110110110010';
    const right = '11110110010101110010';
    const rows = [...left].map((_, i) => {
      const cells = [`n${i}`, ...(left[i] === '1' ? [`l${i}`] : []), ...(right[i] === '1' ? [`r${i}`] : [])];
      for (const cell of cells)
        page.box(cell, { n: 0, l: 260, r: 380 }[cell[0]!]!, i * 17, cell[0] === 'n' ? 180 : 60);
      return cells.join(' ');
    });
    expect(read(page)).toEqual(rows);
  });

  test('a table with drawn cells is read across, however its cells break into lines', () => {
    const page = new Page();
    const rows: string[] = [];
    // As on a page: an item in the middle of a row is a little nearer to one of the lines beside it.
    for (let i = 0; i < 8; i++) {
      const y = i * 31;
      const middle = y + (i % 2 === 0 ? 7 : 8);
      page.box(`goal${i}`, 52, y, 70, 13).box(`more${i}`, 43, y + 16, 89, 13);
      page.box(`n${i}`, 14, middle, 4, 14).box(`kind${i}`, 171, middle, 56, 14);
      rows.push(`goal${i}`, `n${i} kind${i}`, `more${i}`);
    }
    expect(read(page, { tables: [{ x: 0, y: -5, width: 260, height: 260 }] })).toEqual(rows);
    expect(read(page)).not.toEqual(rows);
  });

  test('items and prices of a receipt make rows, however far apart', () => {
    const page = new Page().box('shop', 150, 0, 120);
    for (let i = 1; i <= 9; i++)
      page.row(`r${i}`, 20 + i * 20, [
        [0, 90 + (i % 4) * 25],
        [380 - (i % 2) * 9, 40],
      ]);
    expect(read(page)).toEqual(['shop', ...numbered('r', 9).map((row) => `${row}.1 ${row}.2`)]);
  });

  test('a receipt that was photographed at a slant keeps its rows', () => {
    const page = new Page();
    for (let i = 1; i <= 9; i++)
      page.box(`i${i}`, 0, i * 22, 100 + (i % 3) * 40).box(`p${i}`, 300, i * 22 + 6, 45);
    expect(read(page)).toEqual(numbered('i', 9).map((item, i) => `${item} p${i + 1}`));
  });

  test('a table with an empty cell is read row by row', () => {
    const page = new Page();
    const cells: [number, number][] = [
      [0, 120],
      [160, 70],
      [260, 20],
      [320, 50],
    ];
    for (let i = 1; i <= 6; i++)
      page.row(
        `r${i}`,
        i * 30,
        cells.filter((_, cell) => !(i === 4 && cell === 2)),
      );
    expect(read(page)[0]).toBe('r1.1 r1.2 r1.3 r1.4');
    expect(read(page)[3]).toBe('r4.1 r4.2 r4.3');
    expect(read(page)).toHaveLength(6);
  });

  test('a description of several lines has its price on its first line', () => {
    const page = new Page();
    for (let i = 0; i < 4; i++) {
      page
        .box(`d${i}a`, 0, i * 60, 200)
        .box(`p${i}`, 300, i * 60, 45)
        .box(`d${i}b`, 0, i * 60 + 20, 150);
    }
    expect(read(page).slice(0, 4)).toEqual(['d0a p0', 'd0b', 'd1a p1', 'd1b']);
  });

  test('labels and values of a form stay together', () => {
    const page = new Page();
    for (let i = 1; i <= 5; i++)
      page.row(`f${i}`, i * 34, [
        [0, 60 + i * 9],
        [160, 130 + (i % 2) * 60],
      ]);
    expect(read(page)).toEqual(numbered('f', 5).map((row) => `${row}.1 ${row}.2`));
  });

  test('names, times and messages of a chat alternate in their order', () => {
    const page = new Page();
    for (let i = 1; i <= 4; i++) {
      page
        .row(`n${i}`, i * 62, [
          [70, 90],
          [175, 50],
        ])
        .box(`m${i}`, 70, i * 62 + 21, 300 + i * 40);
    }
    expect(read(page)).toEqual(numbered('n', 4).flatMap((name, i) => [`${name}.1 ${name}.2`, `m${i + 1}`]));
  });
});

describe('orderLines: columns', () => {
  test('two columns of text on one grid of lines are read one after the other', () => {
    const page = new Page().prose('l', 0, 0, 300, 10).prose('r', 330, 0, 300, 10);
    expect(read(page)).toEqual([...numbered('l', 10), ...numbered('r', 10)]);
  });

  test('three columns with gutters narrower than a line are read one after the other', () => {
    const page = new Page().prose('a', 0, 0, 200, 9).prose('b', 212, 0, 200, 9).prose('c', 424, 0, 200, 9);
    expect(read(page)).toEqual([...numbered('a', 9), ...numbered('b', 9), ...numbered('c', 9)]);
  });

  test('a heading above and a footer below span both columns', () => {
    const page = new Page()
      .box('head', 100, 0, 420, 34)
      .prose('l', 0, 60, 300, 8)
      .prose('r', 330, 60, 300, 8)
      .box('foot', 200, 260, 220);
    expect(read(page)).toEqual(['head', ...numbered('l', 8), ...numbered('r', 8), 'foot']);
  });

  test('a heading in the middle of the page ends the columns above it', () => {
    const page = new Page()
      .prose('a', 0, 0, 300, 6)
      .prose('b', 330, 0, 300, 6)
      .box('head', 40, 150, 540, 26)
      .prose('c', 0, 200, 300, 6)
      .prose('d', 330, 200, 300, 6);
    expect(read(page)).toEqual([
      ...numbered('a', 6),
      ...numbered('b', 6),
      'head',
      ...numbered('c', 6),
      ...numbered('d', 6),
    ]);
  });

  test('columns whose paragraphs break at different heights stay whole', () => {
    const page = new Page()
      .prose('a', 0, 0, 300, 4)
      .prose('b', 0, 115, 300, 6)
      .prose('c', 330, 0, 300, 6)
      .prose('d', 330, 155, 300, 4);
    expect(read(page)).toEqual([
      ...numbered('a', 4),
      ...numbered('b', 6),
      ...numbered('c', 6),
      ...numbered('d', 4),
    ]);
  });

  test('a box that reaches into the gutter does not join its line to the next column', () => {
    const page = new Page().prose('l', 0, 0, 300, 10).prose('r', 312, 0, 300, 10);
    page.boxes[3]!.width = 308;
    page.boxes[6]!.width = 314;
    expect(read(page)).toEqual([...numbered('l', 10), ...numbered('r', 10)]);
  });

  test('a gutter may lean', () => {
    const page = new Page();
    for (let i = 1; i <= 20; i++) {
      page
        .box(`l${i}`, i * 0.6, i * 20, 300 - (i % 4) * 9)
        .box(`r${i}`, 310 + i * 0.6, i * 20, 300 - (i % 5) * 9);
    }
    expect(read(page)).toEqual([...numbered('l', 20), ...numbered('r', 20)]);
  });

  test('a caption that both columns flow around is read after them', () => {
    const page = new Page();
    for (let i = 1; i <= 14; i++) {
      const narrow = i > 4 && i < 11;
      page
        .box(`l${i}`, 0, i * 20, narrow ? 220 : 300)
        .box(`r${i}`, narrow ? 410 : 330, i * 20, narrow ? 220 : 300);
    }
    for (let i = 1; i <= 3; i++) page.box(`cap${i}`, 250, 110 + i * 18, 130, 12);
    expect(read(page)).toEqual([...numbered('l', 14), ...numbered('r', 14), ...numbered('cap', 3)]);
  });

  test('a caption in an indentation of a single column is read after the text', () => {
    const page = new Page();
    for (let i = 1; i <= 14; i++) page.box(`t${i}`, 0, i * 20, i > 4 && i < 11 ? 330 : 600);
    for (let i = 1; i <= 5; i++) page.box(`cap${i}`, 370, 106 + i * 17, 150, 12);
    expect(read(page)).toEqual([...numbered('t', 14), ...numbered('cap', 5)]);
  });

  test('a heading hardly larger than the text and close above it still spans both columns', () => {
    const page = new Page()
      .box('head', 0, 0, 420, 20)
      .prose('l', 0, 26, 300, 8)
      .prose('r', 330, 26, 300, 12)
      .box('sub', 0, 200, 120, 18)
      .prose('m', 0, 224, 300, 2);
    expect(read(page)).toEqual(['head', ...numbered('l', 8), 'sub', 'm1', 'm2', ...numbered('r', 12)]);
  });

  test('a title across the page is grouped with the lines just above it', () => {
    const page = new Page()
      .prose('l', 0, 0, 300, 8)
      .prose('r', 330, 0, 300, 16)
      .box('over1', 20, 272, 200, 22)
      .box('over2', 20, 298, 180, 22)
      .box('title', 20, 340, 560, 50);
    expect(read(page)).toEqual([...numbered('l', 8), ...numbered('r', 16), 'over1', 'over2', 'title']);
  });

  test('a table under two columns is still read across', () => {
    const page = new Page().prose('l', 0, 0, 300, 8).prose('r', 330, 0, 300, 8);
    for (let i = 1; i <= 4; i++)
      page.row(`t${i}`, 200 + i * 28, [
        [0, 90],
        [180, 60],
        [380, 50],
        [560, 40],
      ]);
    expect(read(page).slice(16)).toEqual(
      numbered('t', 4).map((row) => [1, 2, 3, 4].map((i) => `${row}.${i}`).join(' ')),
    );
  });

  test('a list at the side with its own spacing is not mixed into the text', () => {
    const page = new Page().prose('t', 200, 0, 400, 12);
    for (let i = 1; i <= 8; i++) page.box(`n${i}`, 0, i * 27, 60 + (i % 3) * 30);
    expect(read(page)).toEqual([...numbered('n', 8), ...numbered('t', 12)]);
  });

  test('wrapped text with ragged lines is distinguished from a table by the starts of its lines', () => {
    const ragged = (label: string, x: number, texts: readonly string[]) => (page: Page) => {
      for (const [i, text] of texts.entries())
        page.box(`${label}${i + 1}`, x, i * 20, text.length * 9, 16, text);
    };
    const prose = new Page();
    ragged('l', 0, ['We left before', 'dawn and saw the', 'fields', 'white with frost'])(prose);
    ragged('r', 200, ['The driver spoke', 'of his', 'daughters and of', 'the coming war.'])(prose);
    expect(read(prose)).toEqual([...numbered('l', 4), ...numbered('r', 4)]);

    const table = new Page();
    ragged('l', 0, ['Wireless mouse', 'Laptop stand for', 'Webcam', 'Graphics tablet'])(table);
    ragged('r', 200, ['In stock, Berlin', 'Ordered', 'In stock, Turin', 'Sold out, Berlin'])(table);
    expect(read(table)).toEqual(['l1 r1', 'l2 r2', 'l3 r3', 'l4 r4']);
  });

  test('on a right-to-left page the right column comes first, and a row’s right box', () => {
    const page = new Page()
      .box('head.1', 330, 0, 200)
      .box('head.2', 60, 0, 200)
      .prose('l', 0, 60, 300, 8)
      .prose('r', 330, 60, 300, 8);
    expect(read(page, { rightToLeft: true })).toEqual([
      'head.1 head.2',
      ...numbered('r', 8),
      ...numbered('l', 8),
    ]);
  });

  test('each column is a block of its own', () => {
    const page = new Page().box('head', 0, 0, 600, 30).prose('l', 0, 60, 300, 6).prose('r', 330, 60, 300, 6);
    expect(orderLines(page.boxes).map((line) => line.block)).toEqual([
      0,
      ...Array(6).fill(1),
      ...Array(6).fill(2),
    ]);
  });
});

test('orderLines: every box is in exactly one line for any set of boxes', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const boxes = Array.from({ length: random(60) }, () => ({
      x: random(600),
      y: random(400),
      width: 1 + random(300),
      height: 1 + random(40),
    }));
    const seen = orderLines(boxes).flatMap((line) => line.boxes);
    expect(seen.toSorted((a, b) => a - b)).toEqual(boxes.map((_, i) => i));
  }
});

describe('orderLines: a note below columns', () => {
  /** Two justified columns, the last line of the right one indented, and below them the fragments of a one-line note. */
  function columnsOver(note: readonly (readonly [x: number, width: number])[]): Page {
    const page = new Page();
    for (let i = 0; i < 8; i++) {
      page.box(`l${i + 1}`, 60, 40 + i * 20, 330);
      page.box(`r${i + 1}`, i === 7 ? 442 : 420, 40 + i * 20, i === 7 ? 308 : 330);
    }
    return page.row('note', 204, note);
  }
  const columns = [...numbered('l', 8), ...numbered('r', 8)];

  test('that runs across both is one line after them, though its word spaces stand in the gutter and at its edge', () => {
    const page = columnsOver([
      [70, 332],
      [408, 26],
      [442, 300],
    ]);
    expect(read(page)).toEqual([...columns, 'note.1 note.2 note.3']);
  });

  test('under each column stays with its own column', () => {
    const page = columnsOver([
      [60, 330],
      [420, 330],
    ]);
    expect(read(page)).toEqual([...numbered('l', 8), 'note.1', ...numbered('r', 8), 'note.2']);
  });
});
