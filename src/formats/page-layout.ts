import type { Box, Extraction } from '#contract/extraction';
import { median } from '#geometry/boxes';
import { firstOf, itemAt, lastOf, required } from './checked.ts';
import type { MappedText, Mark, Piece } from './pieces.ts';
import { isRightToLeft } from './positioned-text.ts';
import { type Unit, unitsOf } from './units.ts';
import { toUpright } from './upright.ts';

type Picture = Extraction['image'];

/** Adjacent words of a line without a wide gap between them. */
interface Segment {
  units: readonly Unit[];
  text: string;
  /** Its width in monospaced letters. */
  width: number;
  /** In pixels of the upright, deskewed picture; mirrored for a right-to-left page. */
  left: number;
  right: number;
}

/** A line of the picture, or the part of it on one line of the text. */
interface Run {
  segments: readonly Segment[];
  middle: number;
  height: number;
  /** Identifies the line of the picture. The parts of a line that a user split have the same one. */
  source: string;
  /** The user added text before its first word, so the run must start a line. */
  startsWithAddedText: boolean;
}

interface Row {
  runs: Run[];
  middle: number;
  height: number;
}

/** Minimum width of a gap between segments, in letters; a narrower gap is a word space. */
const MIN_COLUMN_GAP = 1.9;
/** Edges that differ by less, in letters, are aligned. */
const ALIGNMENT_TOLERANCE = 0.7;
/** Maximum number of blank lines between two rows. */
const MAX_BLANK = 2;
/** Minimum distance between rows for a blank line, in median row distances; the second one where a paragraph starts. */
const BLANK_LINE_DISTANCE = 1.7;
const PARAGRAPH_DISTANCE = 1.2;

/**
 * A text laid out as on the page, in monospaced letters: spaces make indentation, columns and empty cells. `lines` is the
 * text line by line. No text is lost, and added text stays beside its word.
 */
export function toPageLayout(lines: MappedText, pieces: readonly Piece[], picture: Picture): MappedText {
  const known = layoutCache.get(lines);
  if (known?.pieces === pieces && known.picture === picture) return known.layout;
  const layout = computePageLayout(lines, pieces, picture);
  layoutCache.set(lines, { pieces, picture, layout });
  return layout;
}

/** A cache, because change detection and `fromPageLayout` need the same layout repeatedly. */
const layoutCache = new WeakMap<
  MappedText,
  { pieces: readonly Piece[]; picture: Picture; layout: MappedText }
>();

function computePageLayout(lines: MappedText, pieces: readonly Piece[], picture: Picture): MappedText {
  const { units, free } = unitsOf(lines);
  if (units.length === 0) return lines;
  const mirrored = isRightToLeft(lines.text);
  const placed = placedOf(units, pieces, picture, mirrored);
  const pitch = pitchOf(lines.text, placed);
  const rows = rowsOf(runsOf(lines.text, placed, pieces, pitch));
  const columns = columnsOf(rows, pitch);
  const gaps = rows.slice(1).map((row, index) => row.middle - itemAt(rows, index).middle);
  const medianDistance = median(gaps.filter((gap) => gap > 0)) || 1;

  const parts: string[] = [];
  const marks: Mark[] = [];
  let length = 0;
  const write = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  const writeFree = (after: number) => {
    for (const line of free) if (line.after === after) write(`${line.text}\n`);
  };
  writeFree(0);
  rows.forEach((row, index) => {
    if (index > 0)
      write('\n'.repeat(blankLinesBetween(itemAt(rows, index - 1), row, medianDistance, pieces)));
    let at = 0;
    for (const segment of row.runs.flatMap(({ segments }) => segments)) {
      const least = at === 0 ? 0 : at + 1;
      const column = Math.max(least, columns.get(segment) ?? least);
      write(' '.repeat(column - at));
      const [first] = segment.units;
      for (const { mark } of segment.units) {
        const shift = length - required(first).start;
        marks.push({ ...mark, start: mark.start + shift, end: mark.end + shift });
      }
      write(segment.text);
      at = column + segment.width;
    }
    write('\n');
    for (const { segments } of row.runs) writeFree(lastOf(lastOf(segments).units).index + 1);
  });
  return { text: parts.join('').slice(0, -1), marks };
}

interface Placed {
  unit: Unit;
  left: number;
  right: number;
  middle: number;
  height: number;
  /** The line of the picture. */
  source: string;
}

const sourceOf = (piece: Piece, index: number) =>
  piece.hidden === 'line' ? `hidden ${index}` : `${piece.line}`;

function placedOf(
  units: readonly Unit[],
  pieces: readonly Piece[],
  picture: Picture,
  mirrored: boolean,
): Placed[] {
  const boxes = units.map(({ mark }) => toUpright(itemAt(pieces, mark.piece).box, picture));
  const sources = units.map(({ mark }) => sourceOf(itemAt(pieces, mark.piece), mark.piece));
  const slope = slopeOf(boxes, sources);
  return units.map((unit, index) => {
    const box = itemAt(boxes, index);
    const center = box.y + box.height / 2;
    const middle = center - slope * (box.x + box.width / 2);
    const x = box.x + slope * center;
    const [left, right] = mirrored ? [-x - box.width, -x] : [x, x + box.width];
    return { unit, left, right, middle, height: box.height, source: itemAt(sources, index) };
  });
}

/** Slope of the lines from left to right: the median over neighbors on a line. */
function slopeOf(boxes: readonly Box[], sources: readonly string[]): number {
  const slopes = boxes.slice(1).flatMap((box, index) => {
    const before = itemAt(boxes, index);
    const dx = box.x + box.width / 2 - before.x - before.width / 2;
    const dy = box.y + box.height / 2 - before.y - before.height / 2;
    const isNext = sources[index] === sources[index + 1];
    return isNext && Math.abs(dx) > box.height && Math.abs(dy) < 0.3 * Math.abs(dx) ? [dy / dx] : [];
  });
  return median(slopes);
}

/** Width of one letter in pixels, including letter spacing. */
function pitchOf(text: string, placed: readonly Placed[]): number {
  const ofWords = placed.map(({ unit, left, right }) => {
    const letters = widthOf(text.slice(unit.mark.start, unit.mark.end));
    return { letters, pitch: (right - left) / Math.max(1, letters) };
  });
  const long = ofWords.filter(({ letters }) => letters > 2);
  const rough = median((long.length > 0 ? long : ofWords).map(({ pitch }) => pitch)) || 1;
  // The distance between the starts of adjacent words, per character: exact for monospaced text.
  const steps = placed.slice(1).flatMap((next, index) => {
    const word = itemAt(placed, index);
    const isBeside = word.source === next.source && text.slice(word.unit.mark.end, next.unit.start) === ' ';
    const space = next.left - word.right;
    if (!isBeside || space < 0 || space > MIN_COLUMN_GAP * rough) return [];
    return [(next.left - word.left) / (itemAt(ofWords, index).letters + 1)];
  });
  return steps.length >= 5 ? median(steps) : rough;
}

const WIDE_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu;
const ASCII = /^[ -~]*$/;

/** Width of a text in monospaced columns; East Asian wide characters have two. */
function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  const counted = [...text.replaceAll(NO_WIDTH, '')].length;
  return counted + (text.match(WIDE_LETTER)?.length ?? 0);
}

/** Lines of the text, split where their words are on different lines of the picture. */
function runsOf(text: string, placed: readonly Placed[], pieces: readonly Piece[], pitch: number): Run[] {
  const parts: Placed[][] = [];
  for (const word of placed) {
    const last = parts.at(-1)?.at(-1);
    if (last?.source === word.source && last.unit.line === word.unit.line) lastOf(parts).push(word);
    else parts.push([word]);
  }
  return parts.map((words) => ({
    segments: segmentsOf(text, words, pitch),
    middle: words.reduce((sum, { middle }) => sum + middle, 0) / words.length,
    height: median(words.map(({ height }) => height)),
    source: sourceOf(itemAt(pieces, firstOf(words).unit.mark.piece), firstOf(words).unit.mark.piece),
    startsWithAddedText: firstOf(words).unit.start < firstOf(words).unit.mark.start,
  }));
}

function segmentsOf(text: string, words: readonly Placed[], pitch: number): Segment[] {
  const parts: Placed[][] = [];
  for (const word of words) {
    const last = parts.at(-1)?.at(-1);
    const touches = last !== undefined && last.unit.end === word.unit.start;
    if (last && (touches || word.left - last.right < MIN_COLUMN_GAP * pitch)) lastOf(parts).push(word);
    else parts.push([word]);
  }
  return parts.map((part) => {
    const units = part.map(({ unit }) => unit);
    const written = text.slice(firstOf(units).start, lastOf(units).end);
    return {
      units,
      text: written,
      width: widthOf(written),
      left: Math.min(...part.map(({ left }) => left)),
      right: Math.max(...part.map(({ right }) => right)),
    };
  });
}

/** Groups runs at the same height into rows, from top to bottom. */
function rowsOf(runs: readonly Run[]): Row[] {
  const rows: Row[] = [];
  for (const run of runs.toSorted((one, other) => one.middle - other.middle)) {
    const row = rows.at(-1);
    if (row && fitsInRow(run, row)) {
      row.runs.push(run);
      row.middle += (run.middle - row.middle) / row.runs.length;
      row.height = Math.max(row.height, run.height);
    } else {
      rows.push({ runs: [run], middle: run.middle, height: run.height });
    }
  }
  for (const row of rows) {
    row.runs.sort((one, other) => firstOf(one.segments).left - firstOf(other.segments).left);
  }
  return rows;
}

function fitsInRow(run: Run, row: Row): boolean {
  if (run.middle - row.middle >= 0.5 * Math.min(row.height, run.height)) return false;
  const [from, to] = [firstOf(run.segments).left, lastOf(run.segments).right];
  return row.runs.every((other) => {
    const free = to <= firstOf(other.segments).left + 1 || from >= lastOf(other.segments).right - 1;
    // Line breaks that a user inserted stay, and so does text added at the start of a line.
    return free && other.source !== run.source && !run.startsWithAddedText && !other.startsWithAddedText;
  });
}

interface Edge {
  at: number;
  isRight: boolean;
  segments: Segment[];
}

/** The column at which each segment starts, counted from 0; segments aligned on the page are aligned here. */
function columnsOf(rows: readonly Row[], pitch: number): Map<Segment, number> {
  const inRows = rows.map((row) => row.runs.flatMap(({ segments }) => segments));
  const all = inRows.flat();
  const origin = Math.min(...all.map(({ left }) => left));
  const lefts = edgesOf(all, ({ left }) => left, false, pitch);
  const rights = edgesOf(all, ({ right }) => right, true, pitch);
  const chosen = new Set<Edge>();
  const edgeOf = new Map<Segment, Edge>();
  for (const segments of inRows) {
    segments.forEach((segment, index) => {
      const [left, right] = [required(lefts.get(segment)), required(rights.get(segment))];
      const most = right.segments.length > left.segments.length;
      const edge = most && right.segments.length > (index === 0 ? 2 : 1) ? right : left;
      chosen.add(edge);
      edgeOf.set(segment, edge);
    });
  }
  const before = new Map<Segment, Segment>();
  for (const segments of inRows) {
    segments.forEach((segment, index) => {
      if (index > 0) before.set(segment, itemAt(segments, index - 1));
    });
  }
  const columns = new Map<Segment, number>();
  const leftOf = ({ segments }: Edge) => Math.min(...segments.map(({ left }) => left));
  for (const edge of [...chosen].sort((one, other) => leftOf(one) - leftOf(other))) {
    const members = edge.segments.filter((segment) => edgeOf.get(segment) === edge);
    const least = members.map((segment) => {
      const neighbor = before.get(segment);
      const column = neighbor && columns.get(neighbor);
      if (neighbor === undefined || column === undefined) return 0;
      const space = segment.left - neighbor.right < (MIN_COLUMN_GAP + 1) * pitch ? 1 : 2;
      return column + neighbor.width + space + (edge.isRight ? segment.width : 0);
    });
    const place = Math.max(Math.round((edge.at - origin) / pitch), ...least);
    for (const segment of members) {
      columns.set(segment, Math.max(0, edge.isRight ? place - segment.width : place));
    }
  }
  return columns;
}

/** Groups segments by a common left or right edge. */
function edgesOf(
  segments: readonly Segment[],
  of: (segment: Segment) => number,
  isRight: boolean,
  pitch: number,
): Map<Segment, Edge> {
  const edges = new Map<Segment, Edge>();
  let edge: Edge | undefined;
  for (const segment of segments.toSorted((one, other) => of(one) - of(other))) {
    const at = of(segment);
    if (!edge || at - edge.at > ALIGNMENT_TOLERANCE * pitch) edge = { at, isRight, segments: [] };
    edge.segments.push(segment);
    edge.at += (at - edge.at) / edge.segments.length;
    edges.set(segment, edge);
  }
  return edges;
}

function blankLinesBetween(above: Row, below: Row, medianDistance: number, pieces: readonly Piece[]): number {
  const rows = (below.middle - above.middle) / medianDistance;
  if (rows >= BLANK_LINE_DISTANCE) return Math.min(MAX_BLANK, Math.max(1, Math.round(rows) - 1));
  const paragraphOf = (row: Row) =>
    itemAt(pieces, firstOf(firstOf(firstOf(row.runs).segments).units).mark.piece).paragraph;
  return rows >= PARAGRAPH_DISTANCE && paragraphOf(above) !== paragraphOf(below) ? 1 : 0;
}
