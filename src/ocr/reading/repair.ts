/** Mends what recognisers get wrong in ways that the word itself gives away: O for 0, l for 1, a price torn in two. */
import type { Lexicon } from './lexicon.ts';
import { mendMarks } from './scripts.ts';

const DIGIT_FOR: Readonly<Record<string, string>> = {
  o: '0',
  O: '0',
  D: '0',
  Q: '0',
  l: '1',
  I: '1',
  i: '1',
  '|': '1',
  '!': '1',
  S: '5',
  s: '5',
  B: '8',
  Z: '2',
  z: '2',
  b: '6',
};
const LETTER_FOR: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 5: 'S', 8: 'B', 2: 'Z', 6: 'G' };
/** Letters that stand for a digit only by accident: real codes are full of them. */
const SELDOM_DIGITS = 'bzZDQ';

/** A word with its look-alikes put right. Returns the same text when nothing gives an error away. */
export function repairWord(text: string, lexicon: Lexicon): string {
  // Part of a word with other letters is no word: what holds for English ones says nothing about it.
  const mended = /[^\P{L}A-Za-z]/u.test(text)
    ? mendMarks(text)
    : text.replace(/[A-Za-z0-9|!]+/g, (run) => repairRun(run, lexicon));
  return repairAmounts(mended);
}

function repairRun(run: string, lexicon: Lexicon): string {
  const digits = run.replace(/\D/g, '').length;
  const letters = run.replace(/[^A-Za-z]/g, '').length;
  if (digits === 1 && letters > 0) {
    const mended = withoutLoneDigit(run, lexicon);
    if (mended !== undefined) return mended;
  }
  if (digits > 0 && letters > 0) {
    // A capital in front may well be one: B12, S21.
    const [head, body] = /^[BS]/.test(run) ? [run.charAt(0), run.slice(1)] : ['', run];
    const allAlike = [...body].every((c) => /\d/.test(c) || (c in DIGIT_FOR && !SELDOM_DIGITS.includes(c)));
    if (allAlike && digits >= letters && run.length >= 3) {
      return head + body.replace(/\D/g, (c) => DIGIT_FOR[c] ?? c);
    }
    return run
      .replace(/(?<=\d)[oO](?=\d)/g, '0')
      .replace(/(?<=\d\d)[oO]\b/g, '0')
      .replace(/(?<=\d)[lI|](?=\d)/g, '1');
  }
  // No English word begins with a small l and a consonant; some of other languages do.
  if (lexicon.has(run)) return run;
  return run.replace(/^l(?=[bcdfghjkmnpqrstvwxz][a-z])/, 'I');
}

/** "T0TAL", "rec1eve": one digit among letters that is a letter in truth. */
function withoutLoneDigit(run: string, lexicon: Lexicon): string | undefined {
  const at = run.search(/\d/);
  const capital = LETTER_FOR[run[at]!];
  if (capital === undefined) return undefined;
  const isCapitals = run === run.toUpperCase();
  const letter = isCapitals ? capital : run[at] === '1' ? 'l' : capital.toLowerCase();
  const mended = run.slice(0, at) + letter + run.slice(at + 1);
  const between = /[A-Za-z]/.test(run[at - 1] ?? '') && /[A-Za-z]/.test(run[at + 1] ?? '');
  if (run.length < 4) return /^n0$/i.test(run) ? mended : undefined;
  return between || lexicon.has(mended) ? mended : undefined;
}

/** Zeros of amounts that were read as the letter: "RMO.50", "12.OO". */
function repairAmounts(text: string): string {
  return text
    .replace(/^(RM|\$|USD)[Oo](?=[.,]\d)/, '$10')
    .replace(/(?<=\d)[oO](?=[.,]\d)/g, '0')
    .replace(/(?<=\d[.,])[oO]{2}\b/g, '00')
    .replace(/(?<=\d[.,]\d)[oO]\b/g, '0')
    .replace(/(?<=\d[.,])[oO](?=\d)/g, '0')
    .replace(/(^|[^A-Za-z0-9])[oO](?=[.,]\d\d\b)/g, '$10');
}

/** True when two neighbouring words are one torn amount: "7." and "42", "7" and ".42". */
export function isTornAmount(before: string, after: string): boolean {
  if (/\d[.,]$/.test(before) && /^\d\d(?!\d)/.test(after)) return true;
  return /\d$/.test(before) && /^[.,]\d\d(?!\d)/.test(after);
}
