/**
 * Accuracy of tables and indentation: compares cells and lines with the ground truth by position. All functions are pure.
 */
import { editDistance, type WordCounts } from './measure.ts';

/** Rows of cells; those without text are empty strings. */
export type Cells = readonly (readonly string[])[];

/** Parses CSV by RFC 4180. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const source = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  for (let i = 0; i < source.length; i++) {
    const sign = source[i]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (source[i + 1] === '"') cell += source[++i];
      else quoted = false;
    } else if (sign === '"') {
      quoted = true;
    } else if (sign === ',' || sign === '\n') {
      row.push(cell);
      cell = '';
      if (sign === '\n') {
        rows.push(row);
        row = [];
      }
    } else {
      cell += sign;
    }
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** The cells of a plain text: its lines, split at spaces. */
export const cellsOfText = (text: string): Cells =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));

/**
 * Counts cells with the right text at the right position. Rows and columns are aligned with the ground truth, so that a
 * surplus row makes only its own cells wrong.
 */
export function countCells(read: Cells, truth: Cells): WordCounts {
  const [actual, expected] = [read.map((row) => row.map(folded)), truth.map((row) => row.map(folded))];
  const filled = (cells: Cells) => cells.flat().filter((cell) => cell !== '').length;
  const width = Math.max(0, ...expected.map((row) => row.length));
  const readWidth = Math.max(0, ...actual.map((row) => row.length));
  // Rows are first aligned by their common cells in any column.
  let rows = alignedPairs(actual.length, expected.length, (i, j) => commonCells(actual[i]!, expected[j]!));
  let columns: [number, number][] = [];
  let hits = 0;
  for (let round = 0; round < 4; round++) {
    columns = alignedPairs(
      readWidth,
      width,
      (a, b) => rows.filter(([i, j]) => same(actual[i]![a], expected[j]![b])).length,
    );
    rows = alignedPairs(
      actual.length,
      expected.length,
      (i, j) => columns.filter(([a, b]) => same(actual[i]![a], expected[j]![b])).length,
    );
    const now = rows.reduce(
      (sum, [i, j]) => sum + columns.filter(([a, b]) => same(actual[i]![a], expected[j]![b])).length,
      0,
    );
    if (now <= hits) break;
    hits = now;
  }
  return { hits, read: filled(read), expected: filled(truth) };
}

/** Normalizes spaces, dashes, quotes and similar variants of a character. */
const folded = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/[\p{Pd}−]+/gu, '-')
    .replace(/[∼～]/g, '~')
    .replace(/[‘’`]/g, "'")
    .replace(/[“”]/g, '"');

const same = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one !== '' && one === other;

function commonCells(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  let found = 0;
  for (const cell of one) {
    const at = cell === '' ? -1 : left.indexOf(cell);
    if (at < 0) continue;
    left.splice(at, 1);
    found++;
  }
  return found;
}

/** Aligns two sequences in order, with the maximum total score of the pairs. */
function alignedPairs(
  length: number,
  other: number,
  score: (i: number, j: number) => number,
): [number, number][] {
  const best = Array.from({ length: length + 1 }, () => new Float64Array(other + 1));
  const gain = Array.from({ length }, (_, i) =>
    Float64Array.from({ length: other }, (_unused, j) => score(i, j)),
  );
  for (let i = length - 1; i >= 0; i--) {
    for (let j = other - 1; j >= 0; j--) {
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, best[i + 1]![j + 1]! + gain[i]![j]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < length && j < other; ) {
    if (gain[i]![j]! > 0 && best[i]![j] === best[i + 1]![j + 1]! + gain[i]![j]!) pairs.push([i++, j++]);
    else if (best[i]![j] === best[i + 1]![j]) i++;
    else j++;
  }
  return pairs;
}

/** A line of a text and its indentation steps relative to the outermost line. */
interface IndentedLine {
  text: string;
  steps: number;
}

/** A text's lines; a step is the smallest difference between two indentations. */
export function indentedLines(text: string): IndentedLine[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const blanks = lines.map((line) => line.replaceAll('\t', '    ').search(/\S/));
  const outer = Math.min(...blanks);
  const edges = [...new Set(blanks)].sort((a, b) => a - b);
  const step = Math.min(...edges.slice(1).map((edge, i) => edge - edges[i]!));
  return lines.map((line, i) => ({
    text: line.trim(),
    steps: edges.length < 2 ? 0 : Math.round((blanks[i]! - outer) / step),
  }));
}

/** Counts the lines of the ground truth that were read (exactly or nearly), and those of them with the right indentation. */
export function countIndents(
  read: readonly IndentedLine[],
  truth: readonly IndentedLine[],
): { right: number; lines: number } {
  const pairs = alignedPairs(read.length, truth.length, (i, j) => {
    const [one, other] = [folded(read[i]!.text), folded(truth[j]!.text)];
    const likeness = 1 - editDistance(one, other) / Math.max(one.length, other.length, 1);
    return likeness > 0.6 ? likeness : 0;
  });
  return { right: pairs.filter(([i, j]) => read[i]!.steps === truth[j]!.steps).length, lines: pairs.length };
}
