/** How far words can be trusted, by what is known of their page: each word alone was judged as one of a printed page. */
import type { FusedWord } from './fuse.ts';
import { chanceOf } from './logistic.ts';

/**
 * Where both readers differ on more words than this, they guess: on handwriting on four of five, on the worst receipts on
 * half. Past it the chances fall by so much, in log-odds, for the share of all words. Both found on every second labelled
 * picture, and so that no receipt is less sure of itself.
 */
const GUESSING = { above: 0.65, slope: 7 };
/** So many words that nobody disputes are taken for granted on each page: one sign of one word says little. */
const UNDISPUTED = 2;
/**
 * What two readers' agreement is worth was learnt on today's print; in Fraktur they take the same letters for one another.
 * Fitted on every second page of newspapers of 1785 to 1925 and of a book of 1815, as log-odds.
 */
const BLACKLETTER = { bias: 0.26, weight: 0.42 };

/** From the chance that a word is right, as it was judged by itself, to that chance on this page. */
export function trustOnPage(
  words: readonly Pick<FusedWord, 'disputed'>[],
  { blackletter }: { blackletter: boolean },
): (chance: number) => number {
  const disputed = words.filter((word) => word.disputed).length / (words.length + UNDISPUTED);
  const less = GUESSING.slope * Math.max(0, disputed - GUESSING.above);
  if (less === 0 && !blackletter) return (chance) => chance;
  const { bias, weight } = blackletter ? BLACKLETTER : { bias: 0, weight: 1 };
  return (chance) => chanceOf(bias - less + weight * oddsOf(chance));
}

/** Of a chance that is neither nothing nor certainty. */
function oddsOf(chance: number): number {
  const within = Math.max(1e-6, Math.min(1 - 1e-6, chance));
  return Math.log(within / (1 - within));
}
