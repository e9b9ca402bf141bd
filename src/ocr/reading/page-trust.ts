/** Confidence calibration by page: each word was judged by itself as part of a printed page. */
import pageTrust from '../weights/page-trust.json' with { type: 'json' };
import { chanceOf, type Features, logOdds } from './logistic.ts';

/** Prior words of this chance on each page, so that a single word changes little. */
const EXPECTED = { words: 2, chance: 0.9 };
/**
 * The weight of agreement between the recognizers was learned on modern print; in Fraktur both confuse the same letters.
 * Fitted on every second page of newspapers of 1785 to 1925 and of a book of 1815, as log-odds.
 */
const BLACKLETTER = { word: 0.42, bias: 0.26 };

/**
 * Maps the chance that a word is right, judged by itself, to the chance on this page.
 * @param words of the page, each with its own chance
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
 * The features: a doubtful word on a page that is read well is right more often than a similar word on a page that can hardly
 * be read.
 */
export function onPage(words: readonly { confidence: number }[]): (chance: number) => Features {
  const sum = words.reduce((sum, { confidence }) => sum + confidence, EXPECTED.words * EXPECTED.chance);
  const page = oddsOf(sum / (words.length + EXPECTED.words));
  return (chance) => ({ word: oddsOf(chance), page, bias: 1 });
}

/** The odds of a probability, kept away from 0 and 1. */
function oddsOf(chance: number): number {
  const within = Math.max(1e-6, Math.min(1 - 1e-6, chance));
  return Math.log(within / (1 - within));
}
