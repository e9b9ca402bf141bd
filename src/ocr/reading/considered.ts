/** Candidate ranking: the other readings that were considered for a word. */
import type { Evidence } from './evidence.ts';
import type { Lexicon } from './lexicon.ts';
import { neighborsOf } from './lexicon-correction.ts';
import { readingSpan, type Segment } from './segments.ts';

/** With more candidates, typing is faster than choosing. */
export const MAX_READINGS = 3;

interface Choice {
  evidence: Evidence;
  /** The reading that was chosen. */
  chosen: string;
  /** The final text. */
  text: string;
}

/**
 * Other readings of a word, at most three, the likeliest first: the secondary recognizer's reading, words of the lexicon one
 * letter away, and the reading before correction. They carry no confidence, because none is calibrated.
 * @param mend corrects a reading's errors, as it did for the word itself
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
  const near = new Set([text, other].flatMap((reading) => [...neighborsOf(reading, lexicon)]));
  const byChance = [...near]
    .map((reading) => ({ reading, chance: chanceOf(reading) }))
    .sort((one, two) => two.chance - one.chance)
    .map(({ reading }) => reading);
  const readings = new Set([mend(other), ...byChance, chosen, other]);
  readings.delete(text);
  readings.delete('');
  return [...readings].slice(0, MAX_READINGS);
}
