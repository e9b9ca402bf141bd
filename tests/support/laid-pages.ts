/** Synthetic pages for tests of the layout stages: words and ruling lines at given positions. */
import { drawnOn, type LaidPage } from '../../src/ocr/layout/page-layout.ts';
import type { Box, Layout, LayoutTable, Line, Point, Word } from '../../src/ocr/types.ts';

export const PAGE = { width: 900, height: 700 } as const;
/** Height of a word, and distance of two lines. Pixels. */
const HEIGHT = 20;
export const PITCH = 30;
/** Width of a letter. Pixels. */
export const LETTER = 9;

/** Chunks of words with their left edges. Words of a chunk are separated by one blank. */
type PlacedWords = readonly (readonly [text: string, x: number])[];

export interface SyntheticPage {
  lines: readonly PlacedWords[];
  /** Tops of the lines, if they do not have the usual distance. */
  tops?: readonly number[];
  /** End points of strokes, which are three pixels thick. */
  strokes?: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
  /** Clockwise rotation of the page. Radians. */
  angle?: number;
}

export const topOf = (line: number) => 40 + PITCH * line;

export function pageOf({
  lines,
  tops = lines.map((_, i) => topOf(i)),
  strokes = [],
  angle = 0,
}: SyntheticPage): LaidPage {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const gray = new Uint8Array(PAGE.width * PAGE.height).fill(250);
  const dot = (x: number, y: number, value: number) => {
    const [px, py] = [Math.round(x * cos - y * sin), Math.round(x * sin + y * cos)];
    if (px >= 0 && py >= 0 && px < PAGE.width && py < PAGE.height) gray[py * PAGE.width + px] = value;
  };
  for (const [x1, y1, x2, y2] of strokes) {
    for (let x = x1; x <= x2 + 2; x += 0.5) for (let y = y1; y <= y2 + 2; y += 0.5) dot(x, y, 40);
  }
  const places = new Map<Word, { box: Box; block: number }>();
  const read = lines.map((chunks, line): Line => {
    const words = chunks.flatMap(([text, from]) => {
      let x = from;
      return text.split(' ').map((each): Word => {
        const box = { x, y: tops[line]!, width: LETTER * [...each].length, height: HEIGHT };
        x += box.width + LETTER;
        // Letter strokes, which a stage must not mistake for ruling lines.
        for (let at = box.x; at < box.x + box.width; at += LETTER) {
          for (let y = box.y + 4; y < box.y + HEIGHT - 4; y += 0.5) dot(at + 2, y, 30);
        }
        const word = { text: each, confidence: 0.95, box };
        places.set(word, { box, block: 0 });
        return word;
      });
    });
    return {
      text: words.map(({ text }) => text).join(' '),
      confidence: 0.95,
      box: words[0]!.box,
      paragraph: line,
      words,
    };
  });
  const page = {
    picture: { ...PAGE, gray, rgb: new Uint8Array(0), original: PAGE, scale: 1, notices: [] },
    flat: {
      boxOf: () => ({ x: 0, y: 0, width: 0, height: 0 }),
      onPicture: ({ x, y }: Point) => ({ x: x * cos - y * sin, y: x * sin + y * cos }),
      inPerspective: false,
    },
  };
  const { rules } = drawnOn(
    page,
    read.flatMap(({ words }) => words),
  );
  return { ...page, rules, lines: read, placeOf: (word) => places.get(word) };
}

/** The texts of a table's cells, by row. */
function rowsOf({ lines }: LaidPage, { rows, columns, cells }: LayoutTable): string[][] {
  const texts = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  for (const { row, column, words } of cells) {
    texts[row]![column] = words
      .flatMap(({ line, from, to }) => lines[line]!.words.slice(from, to).map(({ text }) => text))
      .join(' ');
  }
  return texts;
}

export const tablesOf = (page: LaidPage, { tables }: Layout) => tables.map((table) => rowsOf(page, table));

/** Strokes of a grid with these column and row edges. */
export const gridOf = (
  xs: readonly number[],
  ys: readonly number[],
): NonNullable<SyntheticPage['strokes']> => [
  ...ys.map((y) => [xs[0]!, y, xs.at(-1)!, y] as const),
  ...xs.map((x) => [x, ys[0]!, x, ys.at(-1)!] as const),
];
