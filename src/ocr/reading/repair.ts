/** Corrects look-alikes that the word itself shows to be wrong: O for 0, l for 1, a price torn in two. */
import type { Lexicon } from './lexicon.ts';
import { mendMarks } from './scripts.ts';

const DIGIT_FOR: Readonly<Record<string, string>> = { o: '0', O: '0', l: '1', I: '1', '|': '1' };
/** The capital that looks like a digit. */
export const LETTER_FOR: Readonly<Record<string, string>> = {
  0: 'O',
  1: 'I',
  5: 'S',
  8: 'B',
  2: 'Z',
  6: 'G',
};

/** The digit that looks like a capital. */
export const DIGIT_LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LETTER_FOR).map(([digit, letter]) => [letter, digit]),
);
/** The most frequent confusion of a digit or a capital. */
export const LOOK_ALIKE: Readonly<Record<string, string>> = { ...LETTER_FOR, ...DIGIT_LIKE };

/**
 * How much likelier one text is than another at a word's place, as a natural logarithm, over all recognizers with such a
 * measure. 0 without one.
 */
export type Advantage = (text: string, over: string) => number;

/**
 * The least advantage of a corrected text over the reading, by the kind of correction. Below it the picture clearly shows the
 * reading, as in a font that distinguishes look-alikes.
 */
const MIN_ADVANTAGE = { word: -8, amount: -6, abbreviation: -12, code: 0 };
/** A figure among so few capitals: it is more often a code than a misread word, and many such words are in the lexicon by chance. */
const SHORT_CODE = /^(?=\D*\d\D*$)[A-Z\d]{3,4}$/;

/**
 * A word with its look-alikes corrected, where the picture allows it. Returns the same text when nothing indicates an error.
 * Codes, which mix letters and digits, stay unchanged.
 */
export function repairWord(text: string, lexicon: Lexicon, advantage: Advantage): string {
  // A part of a word with other letters is not a word: the rules for English words do not apply to it.
  if (/[^\P{L}A-Za-z]/u.test(text)) return mendMarks(text);
  // A radical stands before its number.
  if (/^√+$/.test(text)) return '✓'.repeat(text.length);
  if (/^,,(?=\p{L})/u.test(text)) return `„${text.slice(2)}`;
  // A comma starts no word, and the mark after the word is the other one of its pair.
  if (/^,(?=\p{L}+[‘’']\P{L}*$)/u.test(text)) return `‚${text.slice(1)}`;
  // One of a pair of marks determines the other one.
  const paired = /^(?:‹([^<>‹›]+)>|<([^<>‹›]+)›)(\P{L}*)$/u.exec(text);
  if (paired) return `‹${paired[1] ?? paired[2]}›${paired[3]}`;
  const outwards = /^>(\p{L}+)[<‹](\P{L}*)$|^›(\p{L}+)<(\P{L}*)$/u.exec(text);
  if (outwards) {
    const quoted = `›${outwards[1] ?? outwards[3]}‹${outwards[2] ?? outwards[4]}`;
    if (advantage(quoted, text) >= MIN_ADVANTAGE.word) return quoted;
  }
  const asWord = text.replace(/[A-Za-z0-9|!]+/g, (run) => repairRun(run, lexicon));
  const least = leastAdvantageOf(text, asWord);
  const word = asWord !== text && advantage(asWord, text) >= least ? asWord : text;
  const asAmount = repairAmounts(word);
  return asAmount !== word && advantage(asAmount, word) >= MIN_ADVANTAGE.amount ? asAmount : word;
}

function leastAdvantageOf(text: string, word: string): number {
  if (isAbbreviation(word.replace(/\W/g, ''))) return MIN_ADVANTAGE.abbreviation;
  return SHORT_CODE.test(text.replace(/\W/g, '')) ? MIN_ADVANTAGE.code : MIN_ADVANTAGE.word;
}

/**
 * A run that is a word of the lexicon except for one digit ("T0TAL", "rec1eve"), or a number except for one letter ("2O24").
 */
function repairRun(run: string, lexicon: Lexicon): string {
  const digits = run.replace(/\D/g, '').length;
  const letters = run.replace(/[^A-Za-z]/g, '').length;
  if (digits === 1 && letters > 0) return withoutLoneDigit(run, lexicon) ?? numberOf(run);
  if (digits > 0 && letters > 0) return numberOf(run);
  const abbreviation = run.replace(/^I/, 'l');
  if (isAbbreviation(abbreviation)) return abbreviation;
  if (letters < 2 || lexicon.has(run)) return run;
  // A capital I and a small l are the same stroke in many fonts.
  const capital = run.replace(/^l/, 'I');
  if (capital !== run) return lexicon.has(capital) ? capital : run;
  const small = run.replace(/^I(?=[a-z])/, 'l');
  return lexicon.has(small) ? small : run;
}

/** In lower case; with a capital I they are not words. */
const ABBREVIATIONS = new Set(['lb', 'lbs', 'ltd', 'llc', 'llp', 'lcd', 'lng', 'lpg', 'ltr', 'lvl']);
const isAbbreviation = (run: string): boolean => ABBREVIATIONS.has(run);

/** A number with a letter in its middle that was read for a digit. */
const numberOf = (run: string): string =>
  /^\d+[oOlI|]\d+$/.test(run) ? run.replace(/\D/, (letter) => DIGIT_FOR[letter] ?? letter) : run;

function withoutLoneDigit(run: string, lexicon: Lexicon): string | undefined {
  const at = run.search(/\d/);
  const capital = LETTER_FOR[run[at]!];
  if (capital === undefined) return undefined;
  const isCapitals = run === run.toUpperCase();
  const letter = isCapitals || at === 0 ? capital : run[at] === '1' ? 'l' : capital.toLowerCase();
  const mended = run.slice(0, at) + letter + run.slice(at + 1);
  if (run.length < 3) return /^n0$/i.test(run) ? mended : undefined;
  return lexicon.has(mended) ? mended : undefined;
}

/** Zeros of amounts that were read as the letter: "RMO.50", "12.OO"; and the last dot of a leader before one: ".17.80". */
function repairAmounts(text: string): string {
  return text
    .replace(/^\.(?=\d+\.\d\d$)/, '')
    .replace(/^(RM|\$|USD)[Oo](?=[.,]\d)/, '$10')
    .replace(/(?<=\d)[oO](?=[.,]\d)/g, '0')
    .replace(/(?<=\d[.,])[oO]{2}\b/g, '00')
    .replace(/(?<=\d[.,]\d)[oO]\b/g, '0')
    .replace(/(?<=\d[.,])[oO](?=\d)/g, '0')
    .replace(/(^|[^A-Za-z0-9])[oO](?=[.,]\d\d\b)/g, '$10');
}

/** A code: capitals and figures in one word. */
const CODE = /^(?=.*\d)(?=.*\p{Lu})[\p{Lu}\d\P{L}]{3,}$/u;
/**
 * The least lead of a code over its look-alikes, as an advantage. Where it trails by more than `shape`, the shape of a zero
 * has decided, which recognizers do not see.
 */
const LEAD = { clear: 9, shape: -6 } as const;

/**
 * A code's likeliest other reading with one letter for a figure or a figure for a letter, where the picture hardly
 * distinguishes them. Undefined for any other word, and for a code that was read clearly.
 */
export function likeliestLookAlike(text: string, advantage: Advantage): string | undefined {
  if (!CODE.test(text)) return undefined;
  let closest: { text: string; lead: number } | undefined;
  for (const [at, character] of [...text].entries()) {
    const other = LOOK_ALIKE[character];
    if (other === undefined) continue;
    const swapped = [...text].with(at, other).join('');
    const lead = advantage(text, swapped);
    if (lead > LEAD.shape && lead < LEAD.clear && (!closest || lead < closest.lead))
      closest = { text: swapped, lead };
  }
  return closest?.text;
}

/**
 * True when two neighboring words are one torn amount: "7." and "42", "7" and ".42".
 * @param gap between them, in line heights: a space of the text is wider than a tear
 * @param space the usual gap between words of the line; undefined where it has too few words
 */
export function isTornAmount(before: string, after: string, gap: number, space?: number): boolean {
  if (gap > Math.min(WIDEST_TEAR, TEAR_OF_SPACE * (space ?? Number.POSITIVE_INFINITY))) return false;
  if (/\d[.,]$/.test(before) && /^\d\d(?!\d)/.test(after)) return true;
  return /\d$/.test(before) && /^[.,]\d\d(?!\d)/.test(after);
}

/** The widest gap inside a torn amount, in line heights. */
const WIDEST_TEAR = 0.45;
/** The widest one as a share of the line's usual space. */
const TEAR_OF_SPACE = 0.8;
