/** Cuts a line into words, by what both recognisers say and by the ink. */
import type { Glyph, LineReading } from '../engines/recogniser.ts';
import { align } from './align.ts';

/** One word of a line as each recogniser read it. Distances are in line heights from the line's left edge. */
export interface Segment {
  /** The first recogniser's characters; empty where it read nothing. */
  first: Glyph[];
  second: Glyph[];
  from: number;
  to: number;
}

/** An interval without ink, in line heights. */
export interface Blank {
  from: number;
  to: number;
}

/** Tesseract parts letters that stand less than this apart; a true space is wider. */
const NARROWEST_SPACE = 0.12;
/** Readings less alike than this do not speak of the same text: only the second one is kept, whole. */
const LEAST_SIMILARITY = 0.35;

/**
 * Words of a line that both recognisers read. A word begins where either begins one,
 * unless the first one alone does and the ink has no gap there.
 */
export function segmentLine(
  first: LineReading,
  second: LineReading,
  blanks: readonly Blank[],
  length: number,
): Segment[] {
  const { pairs, similarity } = align(first.glyphs, second.glyphs);
  const words: { first: Glyph[]; second: Glyph[] }[] = [];
  let word = { first: [] as Glyph[], second: [] as Glyph[] };
  const close = () => {
    if (word.first.length + word.second.length > 0) words.push(word);
    word = { first: [], second: [] };
  };
  if (similarity < LEAST_SIMILARITY && second.glyphs.length > 0) {
    for (const glyph of second.glyphs) {
      if (glyph.startsWord) close();
      word.second.push(glyph);
    }
  } else {
    for (const [i, j] of pairs) {
      const a = first.glyphs[i];
      const b = second.glyphs[j];
      if (b?.startsWord || (a?.startsWord && !joinedByInk(second.glyphs, j, blanks))) close();
      if (a) word.first.push(a);
      if (b) word.second.push(b);
    }
  }
  close();
  return placed(words, blanks, length);
}

/** Words of a line that one recogniser read. */
export function segmentsOf(reading: LineReading, blanks: readonly Blank[], length: number): Segment[] {
  const words: { first: Glyph[]; second: Glyph[] }[] = [];
  for (const glyph of reading.glyphs) {
    if (glyph.startsWord || words.length === 0) words.push({ first: [], second: [] });
    words.at(-1)!.first.push(glyph);
  }
  return placed(words, blanks, length);
}

function joinedByInk(glyphs: readonly Glyph[], index: number, blanks: readonly Blank[]): boolean {
  const before = glyphs[index - 1];
  const after = glyphs[index];
  if (!before || !after) return false;
  const widest = widestBlank(before.centre, after.centre, blanks);
  return !widest || widest.to - widest.from < NARROWEST_SPACE;
}

/** How far a glyph's stated centre may be off, in line heights. */
const SLACK = 0.08;

function widestBlank(from: number, to: number, blanks: readonly Blank[]): Blank | undefined {
  let widest: Blank | undefined;
  for (const blank of blanks) {
    const middle = (blank.from + blank.to) / 2;
    if (middle <= from - SLACK || middle >= to + SLACK) continue;
    if (!widest || blank.to - blank.from > widest.to - widest.from) widest = blank;
  }
  return widest;
}

/** Sets each word's edges in the widest gap of ink between it and its neighbour on the line, whichever is read first. */
function placed(
  words: readonly { first: Glyph[]; second: Glyph[] }[],
  blanks: readonly Blank[],
  length: number,
): Segment[] {
  const segments = words.map((word) => {
    const centres = [...word.first, ...word.second].map((glyph) => glyph.centre);
    return { ...word, from: Math.min(...centres), to: Math.max(...centres) };
  });
  const lead = blanks.find((blank) => blank.from <= SLACK);
  const trail = blanks.findLast((blank) => blank.to >= length - SLACK);
  const leftToRight = segments.toSorted((a, b) => a.from + a.to - b.from - b.to);
  let from = Math.min(lead?.to ?? 0, leftToRight[0]?.from ?? 0);
  for (const [index, segment] of leftToRight.entries()) {
    const next = leftToRight[index + 1];
    segment.from = from;
    if (!next) {
      segment.to = Math.max(trail?.from ?? length, segment.to);
      break;
    }
    const gap = widestBlank(segment.to, next.from, blanks);
    const middle = (segment.to + next.from) / 2;
    segment.to = gap?.from ?? middle;
    from = gap?.to ?? middle;
  }
  return segments;
}
