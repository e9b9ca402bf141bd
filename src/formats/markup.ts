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
/** Text without a value, such as a dash in an empty cell. */
const NOTHING = /^[^\p{L}\d]*$/u;
const AMOUNT = /^[\d\s.,%€$£]*$/u;
const TELEPHONE = /^[\d\s.,()/-]*$/u;
/** Two numbers separated by only a space: not an expression that a spreadsheet evaluates. */
const GAP = /\d\s\d/u;
const WORDS = /^[\p{L}\p{M}\d\s.,%€$£’/–-]*[:!?]?$/u;
/** A cell (`A1`, `R1C1`), which has a value. */
const REFERENCE = /\p{L}\d/u;

/**
 * A cell's text in a form that is safe for a spreadsheet: text that it would evaluate starts with an apostrophe, because an
 * image may come from an untrusted source.
 *
 * - `=`, `@`, a tab and a line break at the start always make a formula.
 * - `+` and `-` start a formula only with certain texts: not with a single number, not with groups of digits as in telephone
 * numbers, and not with words, because a word has no value (`- PMN` stays unchanged). Words with brackets, other operators or
 * cell references (`-SUM(A1)`, `+cmd|…`, `-A1`) are formulas.
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
 * `escapeFormula` for a file that may be read with any separator. With a semicolon, as in spreadsheets with a decimal comma,
 * the quotes of a cell after a comma are not recognized, so each part of the text could start a formula.
 */
export function escapeFormulas(text: string): string {
  let [written, rest] = ['', text];
  for (const piece of text.split(/(?<=[;|\t\r\n])/)) {
    written += startsFormula(piece.replace(/[;|\t\r\n]$/, '')) || startsFormula(rest) ? `'${piece}` : piece;
    rest = rest.slice(piece.length);
  }
  return written;
}

/** Ignores quotes at the start, because a spreadsheet may remove them with the end of the quoted field. */
const startsFormula = (text: string) => isFormula(text) || isFormula(text.replace(/^["\s]+/, ''));
