import { required } from './checked.ts';

/** Characters that XML cannot represent: control characters, unpaired surrogates, and two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const INVALID_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text escaped for XML, between tags and in attributes. */
export const xml = (text: string) =>
  withoutInvalidXmlCharacters(text).replaceAll(/[&<>"]/g, (character) => required(ENTITIES[character]));

/** A text without the characters that XML cannot represent. */
export const withoutInvalidXmlCharacters = (text: string) => text.replaceAll(INVALID_XML, '');

/** Always starts a formula; the full-width forms do so in Japanese and Chinese spreadsheets. */
const FORMULA = /^\s*[=@＝＠]|^[\t\r\n]/u;
const SIGNED = /^\s*[+\-＋－](?<rest>.*)$/su;
/** Has no value, like a dash in an empty cell. */
const NOTHING = /^[^\p{L}\d]*$/u;
const AMOUNT = /^[\d\s.,%€$£]*$/u;
const TELEPHONE = /^[\d\s.,()/-]*$/u;
/** Digits separated by a space only are no operand. */
const GAP = /\d\s\d/u;
const WORDS = /^[\p{L}\p{M}\d\s.,%€$£’/–-]*[:!?]?$/u;
/** A cell (`A1`, `R1C1`), which has a value. */
const REFERENCE = /\p{L}\d/u;

/**
 * A cell's text in a form that is safe for a spreadsheet: text that it would evaluate starts with an apostrophe, because a
 * image may come from an untrusted source.
 *
 * - `=`, `@`, a tab and a line break at the start always make a formula.
 * - `+` and `-` make one only with certain texts. Not with one number, which stays a number; not with groups of digits, as in
 * telephone numbers; and not with words, because a word alone has no value: `- PMN` stays unchanged. Words with brackets,
 * other operators or cells in them (`-SUM(A1)`, `+cmd|…`, `-A1`) are formulas.
 */
export const escapeFormula = (text: string) => (isFormula(text) ? `'${text}` : text);

function isFormula(text: string): boolean {
  if (FORMULA.test(text)) return true;
  const rest = SIGNED.exec(text)?.groups?.rest;
  if (rest === undefined || NOTHING.test(rest) || AMOUNT.test(rest)) return false;
  if (TELEPHONE.test(rest) && GAP.test(rest)) return false;
  return !WORDS.test(rest) || !/\p{L}/u.test(rest) || REFERENCE.test(rest);
}

/**
 * The same for a file whose reader may use any separator: with a semicolon, as in spreadsheets with a decimal comma, the quotes
 * of a cell after a comma are not recognized, so each part could start a formula.
 */
export function escapeFormulas(text: string): string {
  let [written, rest] = ['', text];
  for (const piece of text.split(/(?<=[;|\t\r\n])/)) {
    written += startsFormula(piece.replace(/[;|\t\r\n]$/, '')) || startsFormula(rest) ? `'${piece}` : piece;
    rest = rest.slice(piece.length);
  }
  return written;
}

/** Quotes in front of a formula may be dropped with the field they enclosed. */
const startsFormula = (text: string) => isFormula(text) || isFormula(text.replace(/^["\s]+/, ''));
