import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gridOf,
  LETTER,
  PAGE,
  PITCH,
  pageOf,
  type SyntheticPage,
  tablesOf,
  topOf,
} from '../../../tests/support/laid-pages.ts';
import { holds } from '../../../tests/support/properties.ts';
import type { Layout } from '../types.ts';
import { drawnOn, layoutOf } from './page-layout.ts';

const laid = (drawn: SyntheticPage) => {
  const page = pageOf(drawn);
  return { page, layout: layoutOf(page) };
};
const tablesIn = (drawn: SyntheticPage) => {
  const { page, layout } = laid(drawn);
  return tablesOf(page, layout);
};
/** Figures end where their column ends. */
const ending = (text: string, right: number) => [text, right - LETTER * text.length] as const;

describe('layoutOf: an unruled table', () => {
  it('has its figures under their heading, and its empty cell stays empty', () => {
    const tables = tablesIn({
      lines: [
        [
          ['Item', 40],
          ['Pieces', 300],
          ['Price', 480],
        ],
        [['Hinge', 40], ending('40', 354), ending('3.50', 525)],
        [['Board', 40], ending('18.25', 525)],
        [['Linseed oil', 40], ending('1,250', 354)],
        [['Total', 40], ending('1,290', 354), ending('21.75', 525)],
      ],
    });
    expect(tables).toEqual([
      [
        ['Item', 'Pieces', 'Price'],
        ['Hinge', '40', '3.50'],
        ['Board', '', '18.25'],
        ['Linseed oil', '1,250', ''],
        ['Total', '1,290', '21.75'],
      ],
    ]);
  });

  it('has each heading over its own column, however close headings stand', () => {
    const row = (part: string, order: string, pieces: string, each: string, sum: string) =>
      [[part, 40], [order, 200], [pieces, 312], ending(each, 389), ending(sum, 520)] as const;
    const tables = tablesIn({
      lines: [
        [
          ['Part', 40],
          ['Order no. Pieces Each', 200],
          ['Sum', 493],
        ],
        row('Bolt', 'SB-204', '4', '.35', '1.40'),
        row('Washer', 'CW-118', '9', '.08', '.72'),
        row('Seal', 'RS-031', '6', '.25', '1.50'),
        row('Hinge', 'HG-550', '4', '.90', '3.60'),
      ],
    });
    expect(tables[0]!.slice(0, 2)).toEqual([
      ['Part', 'Order no.', 'Pieces', 'Each', 'Sum'],
      ['Bolt', 'SB-204', '4', '.35', '1.40'],
    ]);
  });

  it('has headings over several columns, and those below them', () => {
    const { page, layout } = laid({
      lines: [
        [
          ['Fused oxide', 330],
          ['Silicon carbide', 610],
        ],
        [
          ['2009', 300],
          ['2010', 440],
          ['2009', 600],
          ['2010', 740],
        ],
        [
          ['Austria', 40],
          ['60,400', 300],
          ['60,400', 440],
          ['42,600', 600],
          ['42,600', 740],
        ],
        [
          ['Brazil', 40],
          ['50,000', 300],
          ['50,000', 440],
          ['43,000', 600],
          ['43,000', 740],
        ],
        [
          ['China', 40],
          ['70,000', 300],
          ['70,000', 440],
          ['45,000', 600],
          ['45,000', 740],
        ],
      ],
    });
    expect(tablesOf(page, layout)[0]?.slice(0, 3)).toEqual([
      ['', 'Fused oxide', '', 'Silicon carbide', ''],
      ['', '2009', '2010', '2009', '2010'],
      ['Austria', '60,400', '60,400', '42,600', '42,600'],
    ]);
    const [table] = layout.tables;
    expect(table?.headerRows).toBe(2);
    expect(table?.cells.find(({ row, column }) => row === 0 && column === 3)?.columnSpan).toBe(2);
  });

  it('has headings of several lines over their own columns, below the underlined ones', () => {
    const centered = (text: string, middle: number) => [text, middle - (LETTER * text.length) / 2] as const;
    const row = (name: string, ...figures: string[]) => [
      [name, 40] as const,
      ...figures.map((figure, i) => centered(figure, 300 + 90 * i)),
    ];
    const tables = tablesIn({
      tops: [40, 75, 97, 119, ...Array.from({ length: 20 }, (_, i) => 180 + 24 * i)],
      strokes: [
        [266, 64, 424, 64],
        [446, 64, 604, 64],
        [40, 160, 640, 160],
      ],
      lines: [
        [centered('Spring', 345), centered('Autumn', 525)],
        [centered('Share', 390), centered('Share', 570)],
        // As close as words of a line, each over its own column.
        [centered('Weight of all', 345), centered('Weight of all', 525)],
        [
          ['Dose', 40],
          centered('(g)', 300),
          centered('(%)', 390),
          centered('(g)', 480),
          centered('(%)', 570),
        ],
        row('none', '5.8', '100', '8.8', '100'),
        ...Array.from({ length: 19 }, (_, i) =>
          row(`${i + 1}0`, `5.${i}`, `${i + 90}`, `8.${i}`, `${i + 85}`),
        ),
      ],
    });
    expect(tables.map((table) => table.slice(0, 3))).toEqual([
      [
        ['Dose', 'Spring', '', 'Autumn', ''],
        ['', 'Weight (g)', 'Share of all (%)', 'Weight (g)', 'Share of all (%)'],
        ['none', '5.8', '100', '8.8', '100'],
      ],
    ]);
  });

  it('has a cell of two lines as one, and a section title as a row of its own', () => {
    const tables = tablesIn({
      lines: [
        [
          ['Statement', 40],
          ['agree', 420],
          ['disagree', 560],
        ],
        [['Men', 40]],
        [
          ['Most effective way to treat it', 40],
          ['7.1', 420],
          ['4', 560],
        ],
        [['in the long run', 40]],
        [
          ['A high risk', 40],
          ['45', 420],
          ['35', 560],
        ],
        [['Women', 40]],
        [
          ['A low risk', 40],
          ['1', 420],
          ['13', 560],
        ],
      ],
    });
    expect(tables).toEqual([
      [
        ['Statement', 'agree', 'disagree'],
        ['Men', '', ''],
        ['Most effective way to treat it in the long run', '7.1', '4'],
        ['A high risk', '45', '35'],
        ['Women', '', ''],
        ['A low risk', '1', '13'],
      ],
    ]);
  });

  it('counts its columns from the right where the text runs from right to left', () => {
    const tables = tablesIn({
      lines: [
        [
          ['الصنف', 700],
          ['الثمن', 300],
        ],
        [
          ['خبز', 718],
          ['12', 310],
        ],
        [
          ['زيت', 718],
          ['30', 310],
        ],
      ],
    });
    expect(tables).toEqual([
      [
        ['الصنف', 'الثمن'],
        ['خبز', '12'],
        ['زيت', '30'],
      ],
    ]);
  });

  it('has its place on a turned page', () => {
    const lines = [1, 2, 3, 4].map(
      (n) =>
        [
          [`row ${n}`, 300],
          [`${n}0`, 500],
          [`${n}5`, 640],
        ] as const,
    );
    const level = laid({ lines }).layout.tables[0]!;
    const turned = laid({ lines, angle: 0.1 }).layout.tables[0]!;
    const [cell] = level.cells;
    const [same] = turned.cells;
    expect(turned.cells).toHaveLength(12);
    expect(same!.box.x).toBeLessThan(cell!.box.x);
    expect(same!.box.y).toBeGreaterThan(cell!.box.y + 20);
  });
});

describe('layoutOf: a ruled table', () => {
  const xs = [30, 200, 400, 600];
  const ys = [0, 1, 2, 3, 4].map((row) => topOf(row) - 6);

  it('has the cells between its rules, however close their words stand', () => {
    const tables = tablesIn({
      strokes: gridOf(xs, ys),
      lines: [
        [
          ['Name', 40],
          ['Reads well', 300],
          ['Writes', 410],
        ],
        [
          ['Ann', 40],
          ['yes', 210],
          ['no', 410],
        ],
        [
          ['Ben', 40],
          ['no', 410],
        ],
        [
          ['Cleo', 40],
          ['yes', 210],
        ],
      ],
    });
    expect(tables).toEqual([
      [
        ['Name', 'Reads well', 'Writes'],
        ['Ann', 'yes', 'no'],
        ['Ben', '', 'no'],
        ['Cleo', 'yes', ''],
      ],
    ]);
  });

  it('has cells over several columns and rows where a rule is left out', () => {
    const { page, layout } = laid({
      strokes: [
        ...ys.map((y, i) => (i === 2 ? ([200, y, 600, y] as const) : ([30, y, 600, y] as const))),
        [30, ys[0]!, 30, ys[4]!],
        [200, ys[1]!, 200, ys[4]!],
        [400, ys[1]!, 400, ys[4]!],
        [600, ys[0]!, 600, ys[4]!],
      ],
      lines: [
        [['Opening hours of both offices', 160]],
        [
          ['Monday', 40],
          ['seven', 210],
          ['nine', 410],
        ],
        [
          ['ten', 210],
          ['noon', 410],
        ],
        [
          ['Sunday', 40],
          ['never', 210],
          ['noon', 410],
        ],
      ],
    });
    expect(tablesOf(page, layout)).toEqual([
      [
        ['Opening hours of both offices', '', ''],
        ['Monday', 'seven', 'nine'],
        ['', 'ten', 'noon'],
        ['Sunday', 'never', 'noon'],
      ],
    ]);
    const spans = layout.tables[0]!.cells.filter(({ rowSpan, columnSpan }) => rowSpan * columnSpan > 1);
    expect(spans.map(({ row, column, rowSpan, columnSpan }) => [row, column, rowSpan, columnSpan])).toEqual([
      [0, 0, 1, 3],
      [1, 0, 2, 1],
    ]);
  });

  it('has columns without rules, and is one table with the rows below a title between its rules', () => {
    const bottom = topOf(6) - 6;
    const rows = [0, 1, 2, 3, 4, 5, 6].map((row) => topOf(row) - 6);
    const tables = tablesIn({
      strokes: [
        ...rows.map((y) => [30, y, 600, y] as const),
        [30, rows[0]!, 30, bottom],
        [600, rows[0]!, 600, bottom],
      ],
      lines: [1, 2, 3, 4, 5, 6].map(
        (n) =>
          [
            [`shelf ${n}`, 40],
            [`${n}2`, 300],
            [`${n}.50`, 480],
          ] as const,
      ),
    });
    expect(tables[0]?.[2]).toEqual(['shelf 3', '32', '3.50']);
  });

  it('has its rows where a rule between two of them is not detected and its columns have no rules', () => {
    const edges = [0, 1, 2, 4, 5, 6].map((row) => topOf(row) - 6);
    const tables = tablesIn({
      strokes: [
        ...edges.map((y) => [30, y, 600, y] as const),
        [30, edges[0]!, 30, edges.at(-1)!],
        [600, edges[0]!, 600, edges.at(-1)!],
      ],
      lines: ['Austria', 'Belgium', 'Cyprus', 'Denmark', 'Estonia', 'Finland'].map((name, i) => [
        [name, 40],
        [`${i}7.4`, 300],
        [`${i},120`, 480],
      ]),
    });
    expect(tables[0]?.slice(1, 4)).toEqual([
      ['Belgium', '17.4', '1,120'],
      ['Cyprus', '27.4', '2,120'],
      ['Denmark', '37.4', '3,120'],
    ]);
  });

  it('is not split where the first strokes of its figures are aligned', () => {
    const figures = ['96.35%', '99.01%', '96.12%', '97.44%'];
    const tables = tablesIn({
      strokes: [
        ...gridOf(
          [30, 200, 400],
          [0, 1, 2, 3, 4].map((row) => topOf(row) - 6),
        ),
        // A stem in the first letter of each, and the ink between touching figures.
        [249, topOf(0) + 2, 249, topOf(3) + 16],
      ],
      lines: figures.map((figure, i) => [
        [`shelf ${i}`, 40],
        [figure, 241],
      ]),
    });
    expect(tables).toEqual([figures.map((figure, i) => [`shelf ${i}`, figure])]);
  });

  it('drawnOn: is found before its text is ordered, with everything in it', () => {
    const lines = [
      [
        ['Item', 50],
        ['Price', 330],
      ],
      [
        ['Rope', 50],
        ['4.20', 330],
      ],
      [
        ['Sail', 50],
        ['99.00', 330],
      ],
    ] as const;
    const page = pageOf({ lines, strokes: gridOf([30, 300, 520], [36, 66, 96, 126]) });
    const words = page.lines.flatMap((line) => line.words);
    const { tables } = drawnOn(page, words);
    expect(tables).toHaveLength(1);
    const [left, top] = [tables[0]!.x, tables[0]!.y];
    const [right, bottom] = [left + tables[0]!.width, top + tables[0]!.height];
    for (const { box } of words) {
      expect([box.x > left, box.y > top, box.x + box.width < right, box.y + box.height < bottom]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
    expect(drawnOn(pageOf({ lines }), words).tables).toEqual([]);
  });

  it('is not found in a plot or an empty frame', () => {
    const bars = [100, 150, 200, 250, 300, 350].map((x) => [x, 100, x, 400] as const);
    expect(
      tablesIn({
        strokes: [[80, 80, 600, 80], [80, 400, 600, 400], [80, 80, 80, 400], [600, 80, 600, 400], ...bars],
        lines: [
          [['Share of boats', 200]],
          [['by length', 620]],
          [
            ['1990', 90],
            ['2000', 300],
          ],
        ],
        tops: [50, 200, 410],
      }),
    ).toEqual([]);
  });
});

describe('layoutOf: no table is found', () => {
  it('in columns of running text', () => {
    const left = [
      'The harbour office opens at',
      'seven on weekdays and at nine',
      'on Sundays when the weather',
      'allows it and nobody is ill',
    ];
    const right = [
      'Boats longer than twelve',
      'metres have to report before',
      'they enter the port or pay a',
      'fine of twenty crowns a day',
    ];
    expect(
      tablesIn({
        lines: left.map((text, i) => [
          [text, 40],
          [right[i]!, 450],
        ]),
      }),
    ).toEqual([]);
  });

  it('in code, lists and numbered lines', () => {
    expect(
      tablesIn({
        lines: [
          [['for (const one of all) {', 40]],
          [['if (one) {', 76]],
          [['keep(one);', 112]],
          [['}', 76]],
          [['}', 40]],
        ],
      }),
    ).toEqual([]);
    expect(
      tablesIn({
        lines: ['Bring a coat', 'Shut the gate', 'Pay the fee'].map((text) => [
          ['•', 40],
          [text, 80],
        ]),
      }),
    ).toEqual([]);
    expect(
      tablesIn({
        lines: ['let a = 1;', 'let b = 2;', 'go(a, b);'].map((text, i) => [
          [`${i + 1}`, 40],
          [text, 90],
        ]),
      }),
    ).toEqual([]);
  });
});

describe('layoutOf: besides tables there are', () => {
  const code = ['function go() {', 'for (;;) {', 'step();', '}', '}'];
  const depths = [0, 1, 2, 1, 0];

  it('indented lines in steps, with numbers before them or without', () => {
    const plain = laid({ lines: code.map((text, i) => [[text, 40 + 36 * depths[i]!]]) });
    const numbered = laid({
      lines: code.map((text, i) => [
        [`${i + 7}`, i + 7 < 10 ? 49 : 40],
        [text, 90 + 36 * depths[i]!],
      ]),
    });
    const expected = [
      { line: 1, steps: 1 },
      { line: 2, steps: 2 },
      { line: 3, steps: 1 },
    ];
    expect(plain.layout.indents).toEqual(expected);
    expect(numbered.layout.indents).toEqual(expected);
    expect(laid({ lines: code.map((text) => [[text, 40]]) }).layout.indents).toEqual([]);
  });

  it('headings by their size and their numbers', () => {
    const page = pageOf({
      lines: [
        [['Annual report', 40]],
        [['The harbour was open all year.', 40]],
        [['2.1 Boats and people', 40]],
        [['There were more than before.', 40]],
      ],
    });
    const places = new Map(page.lines[0]!.words.map((word) => [word, 34]));
    const { headings } = layoutOf({
      ...page,
      placeOf: (word) => {
        const place = page.placeOf(word)!;
        return { ...place, box: { ...place.box, height: places.get(word) ?? place.box.height } };
      },
    });
    expect(headings.map(({ level, lines }) => ({ level, lines }))).toEqual([
      { level: 1, lines: { from: 0, to: 1 } },
      { level: 3, lines: { from: 2, to: 3 } },
    ]);
  });

  it('list items with their marks and levels', () => {
    const { layout } = laid({
      lines: [
        [['Bring with you', 40]],
        [
          ['•', 40],
          ['a coat', 70],
        ],
        [
          ['–', 76],
          ['with a hood', 106],
        ],
        [
          ['–', 76],
          ['or a hat', 106],
        ],
        [
          ['•', 40],
          ['the fee', 70],
        ],
      ],
    });
    expect(layout.listItems.map(({ mark, level, lines }) => [mark, level, lines.from])).toEqual([
      ['•', 1, 1],
      ['–', 2, 2],
      ['–', 2, 3],
      ['•', 1, 4],
    ]);
  });

  it('form labels with their values, or without', () => {
    const { page, layout } = laid({
      lines: [
        [
          ['Invoice no.:', 40],
          ['2024-17', 200],
          ['Date:', 500],
          ['3 May', 570],
        ],
        [['Signature:', 40]],
        [['We thank you for the order', 40]],
      ],
    });
    const textOfRuns = (runs: { line: number; from: number; to: number }[]) =>
      runs
        .flatMap(({ line, from, to }) => page.lines[line]!.words.slice(from, to).map(({ text }) => text))
        .join(' ');
    expect(layout.fields.map(({ label, value }) => [textOfRuns(label), textOfRuns(value)])).toEqual([
      ['Invoice no.:', '2024-17'],
      ['Date:', '3 May'],
      ['Signature:', ''],
    ]);
  });

  it('no parts on a page without words', () => {
    expect(laid({ lines: [] }).layout).toEqual({
      tables: [],
      headings: [],
      listItems: [],
      fields: [],
      indents: [],
    });
  });
});

/** Words and strokes at arbitrary places. */
const anything: fc.Arbitrary<SyntheticPage> = fc.record({
  lines: fc.array(
    fc.array(
      fc.tuple(
        fc.constantFrom('12', 'a', 'Word', 'two words', '•', 'Label:', '3.50', 'خبز'),
        fc.integer({ min: 0, max: 800 }),
      ),
      { minLength: 1, maxLength: 7 },
    ),
    { maxLength: 16 },
  ),
  strokes: fc.array(
    fc
      .tuple(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 16 }),
        fc.integer({ min: 2, max: 20 }),
        fc.boolean(),
      )
      .map(([x, y, length, down]): readonly [number, number, number, number] =>
        down
          ? [40 * x, PITCH * y, 40 * x, PITCH * (y + length)]
          : [40 * x, PITCH * y, 40 * (x + length), PITCH * y],
      ),
    { maxLength: 30 },
  ),
});

function expectSound({ tables, headings, listItems }: Layout, lines: number): void {
  const held = new Set<string>();
  for (const { rows, columns, cells, box } of tables) {
    const places = new Set<string>();
    for (const cell of cells) {
      for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
        for (let column = cell.column; column < cell.column + cell.columnSpan; column++) {
          expect(places.has(`${row} ${column}`), 'no cell lies on another').toBe(false);
          places.add(`${row} ${column}`);
          expect(row < rows && column < columns, 'no cell lies outside').toBe(true);
        }
      }
      for (const { line, from, to } of cell.words) {
        for (let word = from; word < to; word++) {
          expect(held.has(`${line} ${word}`), 'no word stands in two cells').toBe(false);
          held.add(`${line} ${word}`);
        }
      }
    }
    expect(places.size, 'cells fill their table').toBe(rows * columns);
    expect(box.x + box.width).toBeLessThanOrEqual(PAGE.width);
  }
  for (const { lines: own } of [...headings, ...listItems]) {
    expect(own.from < own.to && own.to <= lines).toBe(true);
  }
}

it('layoutOf: on any page, the cells of a table fill it, and every word stands in one of them at most', async () => {
  await holds(
    fc.asyncProperty(anything, async (drawn) => {
      const { layout } = laid(drawn);
      expectSound(layout, drawn.lines.length);
    }),
    150,
  );
});
