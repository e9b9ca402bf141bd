/** What else a word could say: the readings that were weighed against the one that it got. */
import type { Evidence } from './evidence.ts';
import type { Lexicon } from './lexicon.ts';
import { neighboursOf } from './lexicon-correction.ts';
import { readingSpan, type Segment } from './segments.ts';

/** More to choose from is more to read than to type. */
export const MOST_READINGS = 3;

interface Choice {
  evidence: Evidence;
  /** The reading of the two that was taken. */
  chosen: string;
  /** What became of it. */
  text: string;
}

/**
 * Other readings of a word, at most three, the likelier ones first: what the other recogniser saw, words of the language one
 * letter away, and what was seen before it was mended. How likely each is nobody has calibrated, so none says it.
 * @param mend puts a reading's errors right, as the word's own were
 */
export function otherReadings(
  { evidence, chosen, text }: Choice,
  segment: Segment,
  lexicon: Lexicon,
  mend: (reading: string) => string,
): string[] {
  const other = chosen === evidence.first ? evidence.second : evidence.first;
  const { from, to } = readingSpan(segment);
  const judges = [segment.firstLikelihood, segment.check?.reading.likelihood];
  const chanceOf = (reading: string) =>
    judges.reduce((sum, judge) => sum + reading.length * (judge?.(reading, from, to) ?? 0), 0);
  const near = new Set([text, other].flatMap((reading) => [...neighboursOf(reading, lexicon)]));
  const byChance = [...near]
    .map((reading) => ({ reading, chance: chanceOf(reading) }))
    .sort((one, two) => two.chance - one.chance)
    .map(({ reading }) => reading);
  const readings = new Set([mend(other), ...byChance, chosen, other]);
  readings.delete(text);
  readings.delete('');
  return [...readings].slice(0, MOST_READINGS);
}
