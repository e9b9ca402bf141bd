import { firstOf, itemAt, lastOf, required } from './checked.ts';
import { isRightToLeft, type PositionedText, type PositionedTextWord } from './positioned-text.ts';
import type { Table } from './tables.ts';
import { toUpright } from './upright.ts';

/** Heading level; 1 for the largest headings. */
type Level = 1 | 2 | 3;

/** The blocks of a text, for formats with more structure than lines. */
export type Block =
  | { kind: 'heading'; level: Level; text: string }
  /** `start`: the first number of a numbered list; null for a bulleted list. */
  | { kind: 'list'; start: number | null; items: readonly string[] }
  | { kind: 'table'; table: Table }
  | { kind: 'paragraph'; lines: readonly string[] };

/** A line of the text without its words in tables. */
interface Line {
  text: string;
  words: readonly PositionedTextWord[];
}

/** Minimum font size of a heading relative to the text: geometric mean of both dimensions, and each dimension. */
const MIN_HEADING_RATIO = 1.25;
const MIN_RATIO_PER_DIMENSION = 1.08;
const MAX_HEADING_WORDS = 14;
/** Headings whose sizes differ by a smaller ratio have the same level. */
const MAX_SAME_LEVEL_RATIO = 1.12;

/**
 * A text as headings, lists, tables and paragraphs. Everything but clear cases is a paragraph. Headings are lines larger than
 * the text, or a single line above the table that fills the page; lists have two or more items with equal marks or consecutive
 * numbers; tables are given.
 */
export function blocksOf(positionedText: PositionedText, tables: readonly Table[]): Block[] {
  const parts = partsOf(positionedText, tables);
  const sizeOf = sizesOf(positionedText, parts);
  const levelOf = levelsOf(parts, sizeOf);
  const blocks: Block[] = [];
  let waiting: (readonly Line[])[] = [];
  const close = () => {
    blocks.push(...listsAndParagraphs(waiting));
    waiting = [];
  };
  for (const part of parts) {
    if ('table' in part) {
      close();
      blocks.push({ kind: 'table', table: part.table });
      continue;
    }
    let { lines } = part;
    for (let level = levelOf(lines[0]); level; level = levelOf(lines[0])) {
      const other = lines.findIndex((line) => levelOf(line) !== level);
      const own = other < 0 ? lines : lines.slice(0, other);
      close();
      blocks.push({ kind: 'heading', level, text: joinLines(own.map(({ text }) => text)) });
      lines = lines.slice(own.length);
    }
    if (lines.length > 0) waiting.push(lines);
  }
  close();
  return blocks;
}

type Part = { lines: readonly Line[] } | { table: Table };

/** Paragraphs, separated by the text's blank lines, and tables at the position of their first word. */
function partsOf({ text, paragraphs }: PositionedText, tables: readonly Table[]): Part[] {
  const words = paragraphs.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const tableOf = new Map<PositionedTextWord, Table>();
  for (const table of tables) {
    for (const cell of table.cells) for (const word of cell.words) tableOf.set(word, table);
  }
  const placed = new Set<Table>();
  const parts: Part[] = [];
  let lines: Line[] = [];
  const close = () => {
    if (lines.length > 0) parts.push({ lines });
    lines = [];
  };
  let next = 0;
  let from = 0;
  for (const whole of text.split('\n')) {
    const end = from + whole.length;
    const own: PositionedTextWord[] = [];
    for (; next < words.length && itemAt(words, next).start < end; next += 1) own.push(itemAt(words, next));
    const free = own.filter((word) => !tableOf.has(word));
    if (own.length === 0) close();
    for (const word of own) {
      const table = tableOf.get(word);
      if (!table || placed.has(table)) continue;
      close();
      placed.add(table);
      parts.push({ table });
    }
    if (free.length > 0) {
      const kept = free.length === own.length ? whole : writtenOf(free, text);
      lines.push({ text: kept.trim(), words: free });
    }
    from = end + 1;
  }
  close();
  return parts;
}

/** The text of words, with the spaces between them. */
const writtenOf = (words: readonly PositionedTextWord[], text: string) =>
  words.map(({ start, end, spaced }) => text.slice(start, end) + (spaced ? ' ' : '')).join('');

/** Font size of a line: median height of its boxes and mean width of its letters, in pixels. */
interface Size {
  height: number;
  width: number;
}

function sizesOf({ picture }: PositionedText, parts: readonly Part[]): (line: Line) => Size | null {
  const measured = new Map<Line, Size>();
  for (const part of parts) {
    if ('table' in part) continue;
    for (const line of part.lines) {
      const boxes = line.words.filter(({ placed }) => placed).map(({ box }) => toUpright(box, picture));
      const letters = line.words.reduce((sum, word) => sum + (word.placed ? word.text.length : 0), 0);
      if (boxes.length === 0) continue;
      const heights = boxes.map(({ height }) => height).sort((one, other) => one - other);
      measured.set(line, {
        height: itemAt(heights, Math.floor(heights.length / 2)),
        width: boxes.reduce((sum, { width }) => sum + width, 0) / letters,
      });
    }
  }
  return (line) => measured.get(line) ?? null;
}

/** The heading level of each line; null for other lines. */
function levelsOf(
  parts: readonly Part[],
  sizeOf: (line: Line) => Size | null,
): (line: Line | undefined) => Level | null {
  const paragraphs = parts.flatMap((part) => ('lines' in part ? [part.lines] : []));
  const tableWords = parts.flatMap((part) =>
    'table' in part ? part.table.cells.flatMap((cell) => cell.words) : [],
  );
  const lines = paragraphs.flat();
  // The size of most letters of the page.
  const weighed = [
    ...lines.flatMap((line) => {
      const size = sizeOf(line);
      return size ? [{ ...size, letters: line.text.length }] : [];
    }),
    ...tableWords
      .filter(({ placed }) => placed)
      .map(({ box, text }) => ({ height: box.height, width: box.width / text.length, letters: text.length })),
  ];
  const usual = { height: weightedMedian(weighed, 'height'), width: weightedMedian(weighed, 'width') };
  const headingRatio = (line: Line) => {
    const size = sizeOf(line);
    if (!size || !isShort(line)) return 0;
    const [height, width] = [size.height / usual.height, size.width / usual.width];
    const isLarger =
      Math.min(height, width) >= MIN_RATIO_PER_DIMENSION && Math.sqrt(height * width) >= MIN_HEADING_RATIO;
    // The width of letters compares headings better, because descenders make a box higher.
    return isLarger ? width : 0;
  };
  const found = new Map<Line, number>();
  for (const paragraph of paragraphs) {
    for (const line of paragraph) {
      const ratio = headingRatio(line);
      // A large word in the middle of a paragraph is an emphasis.
      if (ratio === 0) break;
      found.set(line, ratio);
    }
  }
  if (found.size === 0) {
    const title = titleOf(parts);
    return (line) => (line && line === title ? 1 : null);
  }
  const steps: number[] = [];
  for (const ratio of [...found.values()].sort((one, other) => other - one)) {
    if (steps.length === 0 || lastOf(steps) / ratio > MAX_SAME_LEVEL_RATIO) steps.push(ratio);
  }
  return (line) => {
    const ratio = line && found.get(line);
    if (ratio === undefined) return null;
    const step = steps.findLastIndex((largest) => ratio <= largest);
    return step === 0 ? 1 : step === 1 ? 2 : 3;
  };
}

/** A single line at the top of the page right above a table is the page's title, whatever its size. */
function titleOf([first, second]: readonly Part[]): Line | undefined {
  if (!first || !second || 'table' in first || !('table' in second)) return undefined;
  const [line, ...others] = first.lines;
  const isTitle = others.length === 0 && line && isShort(line) && /\p{L}{2}/u.test(line.text);
  return isTitle ? line : undefined;
}

/** Short enough for a heading, and not a sentence. */
const isShort = ({ words, text }: Line) => words.length <= MAX_HEADING_WORDS && !/[.,;]$/.test(text);

function weightedMedian<Key extends string>(
  values: readonly ({ [key in Key]: number } & { letters: number })[],
  key: Key,
): number {
  const sorted = values.toSorted((one, other) => one[key] - other[key]);
  const half = sorted.reduce((sum, { letters }) => sum + letters, 0) / 2;
  let passed = 0;
  for (const value of sorted) {
    passed += value.letters;
    if (passed >= half) return value[key];
  }
  return 1;
}

const MARKED = /^[•·▪◦‣●○■□*–—-] +(?=\S)/;
const NUMBERED = /^(\d{1,3})[.)] +(?=\S)/;

/** The start of a list item: its number (null for a bullet) and the index at which its text starts. */
function itemOf({ text }: Line): { number: number | null; from: number } | null {
  const mark = MARKED.exec(text);
  if (mark) return { number: null, from: mark[0].length };
  const number = NUMBERED.exec(text);
  return number && { number: Number(number[1]), from: number[0].length };
}

/** Whether `line` is indented relative to `below`. */
function isIndented(line: Line, below: Line): boolean {
  const [own, other] = [firstOf(line.words).box, firstOf(below.words).box];
  const indentation = isRightToLeft(below.text) ? other.x + other.width - own.x - own.width : own.x - other.x;
  return indentation > 0.3 * Math.min(own.height, other.height);
}

/** Finds the lists in consecutive paragraphs; a list may span several paragraphs. */
function listsAndParagraphs(paragraphs: readonly (readonly Line[])[]): Block[] {
  const lines = paragraphs.flatMap((paragraph) =>
    paragraph.map((line, index) => ({ ...line, startsParagraph: index === 0 })),
  );
  const blocks: Block[] = [];
  let open: string[] | null = null;
  let at = 0;
  while (at < lines.length) {
    const line = itemAt(lines, at);
    const list = listFrom(lines, at);
    if (list) {
      blocks.push({ kind: 'list', start: list.start, items: list.items });
      at = list.end;
      open = null;
      continue;
    }
    if (line.startsParagraph || !open) {
      open = [];
      blocks.push({ kind: 'paragraph', lines: open });
    }
    open.push(line.text);
    at += 1;
  }
  return blocks;
}

/** The list that starts at line `first`, and the index of the line after it; null for fewer than two items. */
function listFrom(lines: readonly (Line & { startsParagraph: boolean })[], first: number) {
  const opening = itemAt(lines, first);
  const item = itemOf(opening);
  if (!item) return null;
  const items = [opening.text.slice(item.from)];
  let end = first + 1;
  for (; end < lines.length; end += 1) {
    const line = itemAt(lines, end);
    const next = itemOf(line);
    if (next) {
      const expected = item.number === null ? null : item.number + items.length;
      if (next.number !== expected) break;
      items.push(line.text.slice(next.from));
    } else if (!line.startsParagraph && isIndented(line, opening)) {
      items.push(joinLines([required(items.pop()), line.text]));
    } else {
      break;
    }
  }
  return items.length > 1 ? { start: item.number, items, end } : null;
}

/** Joins lines, and rejoins words hyphenated at line ends. */
const joinLines = (lines: readonly string[]) =>
  lines.reduce((before, line) =>
    /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`,
  );
