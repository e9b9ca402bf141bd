/** How far words can be trusted, by what is known of their page: each word alone was judged as one of a printed page. */
import pageTrust from '../weights/page-trust.json' with { type: 'json' };
import { chanceOf, type Features, logOdds } from './logistic.ts';

/** So many words of such a chance are taken for granted on each page: one sign of one word says little. */
const EXPECTED = { words: 2, chance: 0.9 };
/**
 * What two readers' agreement is worth was learnt on today's print; in Fraktur they take the same letters for one another.
 * Fitted on every second page of newspapers of 1785 to 1925 and of a book of 1815, as log-odds.
 */
const BLACKLETTER = { word: 0.42, bias: 0.26 };

/**
 * From the chance that a word is right, as it was judged by itself, to that chance on this page.
 * @param words of the page, each as it was judged by itself
 */
export function trustOnPage(
  words: readonly { confidence: number }[],
  { blackletter }: { blackletter: boolean },
): (chance: number) => number {
  if (blackletter) return (chance) => chanceOf(BLACKLETTER.bias + BLACKLETTER.word * oddsOf(chance));
  const features = onPage(words);
  return (chance) => chanceOf(logOdds(pageTrust, features(chance)));
}

/**
 * What is weighed: a doubtful word on a page that is read well is right more often than one of the same looks on a page that
 * can hardly be read.
 */
export function onPage(words: readonly { confidence: number }[]): (chance: number) => Features {
  const sum = words.reduce((sum, { confidence }) => sum + confidence, EXPECTED.words * EXPECTED.chance);
  const page = oddsOf(sum / (words.length + EXPECTED.words));
  return (chance) => ({ word: oddsOf(chance), page, bias: 1 });
}

/** Of a chance that is neither nothing nor certainty. */
function oddsOf(chance: number): number {
  const within = Math.max(1e-6, Math.min(1 - 1e-6, chance));
  return Math.log(within / (1 - within));
}
