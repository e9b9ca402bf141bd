/** The layout of a page: tables, headings, lists, form fields, indentation. */
import { median } from '../page/geometry.ts';
import { boxInOriginal, type Picture } from '../picture/picture.ts';
import { directionOf } from '../reading/scripts.ts';
import type { Box, Layout, LayoutCell, LayoutTable, Line, Word, WordRun } from '../types.ts';
import type { DewarpedPage } from './dewarped-page.ts';
import { fieldsIn, headingsIn, indentsIn, listItemsIn, type PlacedLine } from './outline.ts';
import { ruledTables } from './tables/ruled-tables.ts';
import { findRules, type Rules } from './tables/rules.ts';
import { bottomOf, type FoundCell, type FoundTable, type PlacedWord, rightOf } from './tables/table-parts.ts';
import { certaintyOf, findTables } from './tables/tables.ts';

/** The place of a word on the dewarped page, in pixels of the picture's own scale, and the text column of its line. */
export interface WordPlace {
  box: Box;
  block: number;
}

export interface LaidPage {
  /** As in the result. */
  lines: readonly Line[];
  placeOf(word: Word): WordPlace | undefined;
  picture: Picture;
  flat: DewarpedPage;
  rules: Rules;
}

export const NO_LAYOUT: Layout = { tables: [], headings: [], listItems: [], fields: [], indents: [] };

/** More words than on any page for reading: its layout is not analyzed. */
const MAX_WORDS = 12_000;
/** Margin around the text in which rules are searched, by line height: a frame stands outside its content. */
const MARGIN = 2;
/** Most tables of a page; the rest is left as text. */
const MAX_TABLES = 60;

/** The drawn parts of a page. */
export interface Drawn {
  rules: Rules;
  /** Ruled tables on the dewarped page: their rows are read across, however their cells break into lines. */
  tables: Box[];
}

export const NOTHING_DRAWN: Drawn = { rules: { across: [], down: [] }, tables: [] };

/** @param words of the dewarped page, in the order of their lines */
export function drawnOn(
  { picture, flat }: Pick<LaidPage, 'picture' | 'flat'>,
  words: readonly Omit<PlacedWord, 'line' | 'index'>[],
): Drawn {
  if (words.length === 0 || words.length > MAX_WORDS) return NOTHING_DRAWN;
  const { scale } = picture;
  const boxes = words.map(({ box }) => box);
  const height = median(boxes.map((box) => box.height));
  const onPage = {
    image: picture,
    onPicture: ({ x, y }: { x: number; y: number }) => flat.onPicture({ x: x * scale, y: y * scale }),
  };
  const rules = findRules(onPage, around(boxes, MARGIN * height), boxes, height);
  const placed = words.map((word, index) => ({ ...word, line: 0, index }));
  return { rules, tables: ruledTables(rules, placed, height).map(extentOf) };
}

export function layoutOf({ lines, placeOf, picture, flat, rules }: LaidPage): Layout {
  // A right-to-left page is mirrored and laid out like all others.
  const leftwards = directionOf(lines.map(({ text }) => text).join(' ')) === 'rtl';
  const mirrored = (box: Box): Box => (leftwards ? { ...box, x: -box.x - box.width } : box);
  const blocks: number[] = [];
  const placed = lines.map(({ words }, line) =>
    words.flatMap((word, index): PlacedWord[] => {
      const place = placeOf(word);
      if (!place) return [];
      blocks[line] ??= place.block;
      return [{ text: word.text, confidence: word.confidence, box: mirrored(place.box), line, index }];
    }),
  );
  const words = placed.flat();
  if (words.length === 0 || words.length > MAX_WORDS) return NO_LAYOUT;
  const boxOf = (box: Box) => onOriginal(mirrored(box), flat, picture);
  const columns = lines.map((_, line) => blocks[line] ?? -1 - line);
  const found = findTables(placed, columns, inDirection(rules, leftwards)).slice(0, MAX_TABLES);
  const inTable = new Set(found.flatMap(({ cells }) => cells.flatMap((cell) => cell.words)));
  const laid = placed.flatMap((own, line): PlacedLine[] => {
    if (own.length === 0) return [];
    return [
      {
        line,
        words: own,
        box: around(own.map(({ box }) => box)),
        block: columns[line]!,
        paragraph: lines[line]!.paragraph,
        text: lines[line]!.text,
        isInTable: own.some((word) => inTable.has(word)),
      },
    ];
  });
  return {
    tables: found.map((table) => tableOf(table, boxOf)),
    headings: headingsIn(laid).map((each) => ({ ...each, box: boxOf(each.box) })),
    listItems: listItemsIn(laid).map((each) => ({ ...each, box: boxOf(each.box) })),
    fields: fieldsIn(laid).map(({ label, value, confidence }) => ({
      label: runsOf(label),
      value: runsOf(value),
      box: boxOf(around([...label, ...value].map(({ box }) => box))),
      confidence,
    })),
    indents: indentsIn(laid),
  };
}

function tableOf(table: FoundTable, boxOf: (box: Box) => Box): LayoutTable {
  const { rows, columns } = table;
  const certainty = certaintyOf(table);
  const cells = table.cells
    .toSorted((a, b) => a.row - b.row || a.column - b.column)
    .map((cell): LayoutCell => {
      const { row, column, rowSpan, columnSpan, words } = cell;
      return {
        row,
        column,
        rowSpan,
        columnSpan,
        box: boxOf(placeOfCell(cell, table)),
        confidence: words.reduce((chance, word) => chance * word.confidence, certainty),
        words: runsOf(words),
      };
    });
  const full = cells.filter(({ words }) => words.length > 0);
  return {
    box: boxOf(extentOf(table)),
    confidence: full.reduce((sum, { confidence }) => sum + confidence, 0) / full.length,
    rows: rows.length - 1,
    columns: columns.length - 1,
    headerRows: table.headerRows,
    cells,
  };
}

const extentOf = ({ rows, columns }: FoundTable): Box => ({
  x: columns[0]!,
  y: rows[0]!,
  width: columns.at(-1)! - columns[0]!,
  height: rows.at(-1)! - rows[0]!,
});

function placeOfCell({ row, column, rowSpan, columnSpan }: FoundCell, { rows, columns }: FoundTable): Box {
  const [x, y] = [columns[column]!, rows[row]!];
  return { x, y, width: columns[column + columnSpan]! - x, height: rows[row + rowSpan]! - y };
}

/** Consecutive words of a line, together. */
function runsOf(words: readonly PlacedWord[]): WordRun[] {
  const runs: WordRun[] = [];
  for (const { line, index } of words) {
    const last = runs.at(-1);
    if (last && last.line === line && last.to === index) last.to++;
    else runs.push({ line, from: index, to: index + 1 });
  }
  return runs;
}

function inDirection({ across, down }: Rules, leftwards: boolean): Rules {
  if (!leftwards) return { across, down };
  return {
    across: across.map(({ from, to, at }) => ({ from: -to, to: -from, at })),
    down: down.map((rule) => ({ ...rule, at: -rule.at })).reverse(),
  };
}

/** The upright box around a box of the dewarped page, in whole pixels of the original picture. */
function onOriginal({ x, y, width, height }: Box, flat: DewarpedPage, picture: Picture): Box {
  const { scale } = picture;
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([across, down]) => flat.onPicture({ x: across! * scale, y: down! * scale }));
  const [left, right] = [Math.min(...corners.map((one) => one.x)), Math.max(...corners.map((one) => one.x))];
  const [top, bottom] = [Math.min(...corners.map((one) => one.y)), Math.max(...corners.map((one) => one.y))];
  return boxInOriginal({ x: left, y: top }, { x: right, y: bottom }, picture);
}

function around(boxes: readonly Box[], margin = 0): Box {
  let [left, top] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [right, bottom] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, rightOf(box));
    bottom = Math.max(bottom, bottomOf(box));
  }
  return {
    x: left - margin,
    y: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}
