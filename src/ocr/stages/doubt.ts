/** Where a line deserves a second look. */
import type { Glyph, LineReading } from '../engines/recogniser.ts';
import type { Blank } from './segments.ts';

/** A part of a line, in line heights from its left edge. */
export interface Stretch {
  from: number;
  to: number;
}

/** A word that the first recogniser is less sure of is doubtful. */
const SURE = 0.9;
/** Characters for each line height of length below which the first recogniser has left something out. */
const SPARSE = 0.8;
/** A line can be cut where the ink has a gap of at least this, in line heights: it lies between words, not letters. */
const CUT = 0.2;
/** Stretches nearer than this are looked at together: what lies between them costs less than another look. */
const NEAR = 1.5;
/** A line is looked at whole when the doubtful share of its length is larger. */
const MOST = 0.6;

/** Every word is sure, and the line is as full as print is. */
export function isBeyondDoubt({ glyphs }: LineReading, length: number): boolean {
  return (
    glyphs.length > 0 && glyphs.length >= length * SPARSE && glyphs.every((glyph) => glyph.confidence >= SURE)
  );
}

/** The parts to look at again, left to right: doubtful words, each up to the gaps in the ink around it. */
export function doubtfulStretches(
  { glyphs }: LineReading,
  blanks: readonly Blank[],
  length: number,
): Stretch[] {
  const whole = [{ from: 0, to: length }];
  if (glyphs.length < length * SPARSE) return whole;
  const cuts = blanks.filter((blank) => blank.to - blank.from >= CUT).map(({ from, to }) => (from + to) / 2);
  const stretches: Stretch[] = [];
  for (const { confidence, centre } of glyphs.toSorted(byPlace)) {
    if (confidence >= SURE) continue;
    const from = cuts.findLast((cut) => cut <= centre) ?? 0;
    const to = cuts.find((cut) => cut > centre) ?? length;
    const last = stretches.at(-1);
    if (last && from - last.to < NEAR) last.to = Math.max(last.to, to);
    else stretches.push({ from, to });
  }
  const doubtful = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  return doubtful > length * MOST ? whole : stretches;
}

const byPlace = (a: Glyph, b: Glyph): number => a.centre - b.centre;
