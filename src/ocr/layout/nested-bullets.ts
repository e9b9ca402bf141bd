/** Distinguishes hollow bullets from the letter o: recognizers see the same ring. */
import type { Line } from '../types.ts';
import { lineOf } from './lines.ts';

/** In heights of the line: horizontal spread of the marks of one level. */
const DRIFT = 0.5;
const FILLED = /^[•●▪■]$/u;

/**
 * Lines with "◦" in place of a leading "o", on a page whose lists have filled bullets further left. The words of a line are
 * changed in place.
 */
export function withNestedBullets(lines: readonly Line[]): Line[] {
  const opened = lines.filter(({ words }) => words.length > 1);
  const filled = opened
    .filter(({ words }) => FILLED.test(words[0]!.text))
    .map(({ words }) => words[0]!.box.x);
  if (filled.length === 0) return [...lines];
  const rings = opened.map(({ words }) => words[0]!).filter(({ text }) => text === 'o');
  for (const word of rings) {
    const { x, height } = word.box;
    const isNested = filled.some((left) => left < x - height);
    const hasPeer = rings.some((other) => other !== word && Math.abs(other.box.x - x) < DRIFT * height);
    if (isNested && hasPeer) word.text = '◦';
  }
  return lines.map((line) => (rings.includes(line.words[0]!) ? lineOf(line.words, line.paragraph) : line));
}
