/**
 * Machine-readable zones of passports, identity cards and visas (ICAO 9303). Recognizers confuse O with 0 and I with 1; the
 * type of each field and its check digit resolve that.
 */
import { itemAt, lastOf } from '../checked.ts';
import { DIGIT_LIKE, LETTER_FOR, LOOK_ALIKE } from '../reading/repair.ts';
import type { Line, Word } from '../types.ts';
import { lineOf } from './lines.ts';

/**
 * `letters`: no digits. `digits`: no letters. `any`: both, with look-alikes resolved by a check digit only. `check`: that of
 * the field before it. `composite`: that of the parts of the zone that `Format.composite` names.
 */
type FieldKind = 'letters' | 'digits' | 'any' | 'check' | 'composite';
type Field = readonly [kind: FieldKind, length: number];

interface Format {
  /** Characters per line. */
  width: number;
  isVisa: boolean;
  lines: readonly (readonly Field[])[];
  /** Line, first place and the place after the last. */
  composite: readonly (readonly [line: number, from: number, to: number])[];
}

/** Number, nationality, birth, sex and expiry in the second line of all two-line formats. */
const HOLDER: readonly Field[] = [
  ['any', 9],
  ['check', 1],
  ['letters', 3],
  ['digits', 6],
  ['check', 1],
  ['letters', 1],
  ['digits', 6],
  ['check', 1],
];
const inTwoLines = (width: number, isVisa: boolean, rest: readonly Field[]): Format => ({
  width,
  isVisa,
  lines: [[['letters', width]], [...HOLDER, ...rest]],
  composite: isVisa
    ? []
    : [
        [1, 0, 10],
        [1, 13, 20],
        [1, 21, width - 1],
      ],
});
const FORMATS: readonly Format[] = [
  inTwoLines(44, false, [
    ['any', 14],
    ['check', 1],
    ['composite', 1],
  ]),
  inTwoLines(36, false, [
    ['any', 7],
    ['composite', 1],
  ]),
  inTwoLines(44, true, [['any', 16]]),
  inTwoLines(36, true, [['any', 8]]),
  {
    width: 30,
    isVisa: false,
    lines: [
      [
        ['letters', 5],
        ['any', 9],
        ['check', 1],
        ['any', 15],
      ],
      [
        ['digits', 6],
        ['check', 1],
        ['letters', 1],
        ['digits', 6],
        ['check', 1],
        ['letters', 3],
        ['any', 11],
        ['composite', 1],
      ],
      [['letters', 30]],
    ],
    composite: [
      [0, 5, 30],
      [1, 0, 7],
      [1, 8, 15],
      [1, 18, 29],
    ],
  },
];

/** Where a letter is impossible, more letters are replaced by digits. */
const DIGIT_FOR: Readonly<Record<string, string>> = { ...DIGIT_LIKE, Q: '0', D: '0', L: '1' };

/** Greatest miscount of the fillers at the end of a line of names. */
const MISCOUNTED_FILLERS = 6;
/** Confidence of a line whose check digits are all right. */
const CONFIRMED = 0.98;
/** Greatest confidence of a line with a wrong check digit. */
const CONTRADICTED = 0.5;

/**
 * The lines with the look-alikes of machine-readable zones corrected, in the same word objects, so that other references see
 * the change. Unchanged where the check digits contradict a zone.
 */
export function withRepairedZones(lines: readonly Line[]): Line[] {
  const repaired = [...lines];
  for (let at = 0; at < lines.length; at++) {
    for (const format of FORMATS) {
      const read = lines.slice(at, at + format.lines.length);
      const zone = read.length === format.lines.length ? repairZone(read.map(lettersOf), format) : undefined;
      if (!zone) continue;
      for (const [place, line] of read.entries()) repaired[at + place] = written(line, itemAt(zone, place));
      at += read.length - 1;
      break;
    }
  }
  return repaired;
}

/** The characters of each word that can stand in a zone. */
const lettersOf = ({ words }: Line): string => words.map(zoneText).join('');
const zoneText = ({ text }: Word): string =>
  text
    .replaceAll('«', '<<')
    .replaceAll(/[‹≤]/g, '<')
    .replaceAll(/[|l!]/g, 'I')
    .replaceAll(/\s/g, '')
    .toUpperCase();

interface ZoneLine {
  text: string;
  /** True where all of its check digits are right, false where one is wrong, undefined where it has none. */
  confirmed: boolean | undefined;
}

/** @returns undefined where the lines are no zone of that format */
function repairZone(read: readonly string[], format: Format): ZoneLine[] | undefined {
  const [first = ''] = read;
  if (!/^[PIACV1]/.test(first) || first.startsWith('V') !== format.isVisa) return undefined;
  if (!read.every((line) => /^[A-Z0-9<]+$/.test(line)) || !read.some((line) => line.includes('<<')))
    return undefined;
  const lines = format.lines.map((fields, i) => ({
    fields,
    line: withWidth(itemAt(read, i), format.width, fields),
  }));
  if (lines.some(({ line }) => line.length !== format.width)) return undefined;
  const typed = lines.map(({ fields, line }) => ({ fields, ...typedLine(line, fields) }));
  const over = format.composite.map(([line, from, to]) => itemAt(typed, line).text.slice(from, to)).join('');
  const zone = typed.map(({ fields, text, checks }): ZoneLine => {
    const all = [...checks];
    if (lastOf(fields)[0] === 'composite') all.push(text.at(-1) === checkDigitOf(over));
    return { text, confirmed: all.length === 0 ? undefined : all.every(Boolean) };
  });
  return typed.some(({ checks }) => checks.filter(Boolean).length >= 2) ? zone : undefined;
}

/** A line of names padded with fillers to its width; any other line unchanged. */
function withWidth(line: string, width: number, fields: readonly Field[]): string {
  if (fields.length > 1 || !line.endsWith('<<<') || Math.abs(line.length - width) > MISCOUNTED_FILLERS)
    return line;
  const text = line.slice(0, [...line].findLastIndex((character) => character !== '<') + 1);
  return text.length <= width ? text.padEnd(width, '<') : line;
}

/** Each character as its field allows, and for each check digit whether it is right. */
function typedLine(line: string, fields: readonly Field[]): { text: string; checks: boolean[] } {
  let text = '';
  let before = '';
  const checks: boolean[] = [];
  for (const [at, [kind, length]] of fields.entries()) {
    const start = text.length;
    const raw = line.slice(start, start + length);
    if (kind === 'letters') before = mapped(raw, LETTER_FOR);
    else if (kind === 'any') {
      const isChecked = fields[at + 1]?.[0] === 'check';
      before = isChecked ? withCheck(raw, mapped(line.charAt(start + length), DIGIT_FOR)) : raw;
    } else if (kind === 'digits') before = mapped(raw, DIGIT_FOR);
    else {
      const digit = mapped(raw, DIGIT_FOR);
      if (kind === 'check') checks.push(isRight(before, digit));
      before = digit;
    }
    text += before;
  }
  return { text, checks };
}

const mapped = (text: string, by: Readonly<Record<string, string>>) =>
  text.replaceAll(/./g, (character) => by[character] ?? character);

/** The text with one or two look-alikes exchanged, where that makes the check digit right; else unchanged. */
function withCheck(text: string, digit: string): string {
  if (isRight(text, digit)) return text;
  const places = [...text].flatMap((character, at) => (LOOK_ALIKE[character] ? [at] : []));
  const exchanged = (...at: number[]) =>
    [...text].map((character, i) => (at.includes(i) ? LOOK_ALIKE[character] : character)).join('');
  const one = places.map((at) => exchanged(at));
  const two = places.flatMap((a, i) => places.slice(i + 1).map((b) => exchanged(a, b)));
  for (const candidates of [one, two]) {
    const [right, ...others] = candidates.filter((candidate) => isRight(candidate, digit));
    if (right !== undefined) return others.length === 0 ? right : text;
  }
  return text;
}

/** An empty field may have a filler for its check digit. */
const isRight = (text: string, digit: string): boolean =>
  digit === checkDigitOf(text) || (digit === '<' && /^<*$/.test(text));

/** Weighted 7, 3, 1; letters count from 10, fillers are 0. */
function checkDigitOf(text: string): string {
  const weights = [7, 3, 1];
  const sum = [...text].reduce(
    (total, character, at) =>
      total + (character === '<' ? 0 : Number.parseInt(character, 36)) * itemAt(weights, at % 3),
    0,
  );
  return String(sum % 10);
}

/** The line with the zone's text, in the same words. The last word takes the surplus. */
function written({ words, paragraph }: Line, { text, confirmed }: ZoneLine): Line {
  let from = 0;
  for (const [at, word] of words.entries()) {
    const to = at === words.length - 1 ? text.length : from + zoneText(word).length;
    const now = text.slice(from, to);
    if (confirmed || now !== word.text) delete word.readings;
    word.text = now;
    if (confirmed !== undefined)
      word.confidence = confirmed ? CONFIRMED : Math.min(word.confidence, CONTRADICTED);
    from = to;
  }
  return lineOf(words, paragraph);
}
