/**
 * Resolves look-alikes from the ink: a small o and a zero, an l and a figure 1, a hyphen and a dash, a wide sign and its parts.
 */

import { median } from '../page/geometry.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { spellingOf } from './evidence.ts';
import { INK, type InkBox, inkBoxesOf } from './ink-boxes.ts';
import { type Glyph, wordsOf } from './recognizer.ts';

/** As high as a small o, and as high as a zero, in fonts whose figures do not hang below the line. */
const LOW = /^[acemnrsuvwxz]$/;
const TALL = /^[A-Z1-9bdhkl]$/;
/** Fewest letters of each kind on the line. */
const MIN = 2;
/** The low letters of a line are at most this share of the tall ones; where they are higher, capitals are set as low letters. */
const MAX_LOW = 0.85;
/** Greatest deviation from the usual height, as a share of the tall letters. */
const SLACK = 0.07;
/**
 * A bar is at most this share of its height wide, and its edges are straight: in this share of its rows they are at most
 * `rough` pixels from their usual place.
 */
const BAR = { widest: 0.24, straight: 0.9, rough: 1 } as const;

/**
 * The glyphs of a line with context guesses of the recognizer corrected: "0.T1" for "o.T1" and "51 oil" for "5l oil".
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withLookAlikesResolved(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  if (!glyphs.some(({ text }) => /^[01]$/.test(text))) return [...glyphs];
  const boxOf = boxesOf(glyphs, crop);
  const isSmall = smallnessOn(glyphs, boxOf);
  const isBar = barsOn(glyphs, boxOf, crop);
  return wordsOf(glyphs).flatMap((word) => {
    const hasLetter = word.some(({ text }) => /\p{L}/u.test(text));
    return word.map((glyph, i) => {
      const [before, after] = [word[i - 1]?.text ?? '', word[i + 1]?.text ?? ''];
      // Several small figures together are old-style ones or an index.
      const isBesideFigure = /\p{N}/u.test(before + after);
      if (glyph.text === '0' && hasLetter && !isBesideFigure && isSmall(glyph))
        return { ...glyph, text: 'o' };
      if (glyph.text === '1' && /^\d$/.test(before) && !/\p{N}/u.test(after) && isBar(glyph))
        return { ...glyph, text: 'l' };
      return glyph;
    });
  });
}

/** The ink of each glyph that touches no other one. */
function boxesOf(glyphs: readonly Glyph[], crop: GrayImage): BoxOf {
  const boxes = inkBoxesOf(crop);
  const centers = glyphs.map(({ center }) => center * crop.height);
  return new Map(
    glyphs.map((glyph, i) => {
      const box = boxes.find(({ from, to }) => centers[i]! >= from - 1 && centers[i]! <= to + 1);
      const isAlone = box && centers.every((x, j) => j === i || x < box.from || x > box.to);
      return [glyph, isAlone ? box : undefined] as const;
    }),
  );
}

/**
 * Lengths in heights of a figure. Over 60 proportional fonts, hyphens have .29 to .54 and en dashes .55 to .87. In monospaced
 * fonts hyphens are as long as dashes.
 */
const DASH = { hyphen: 0.5, dash: 0.53, long: 1.05, thickest: 0.3 } as const;
/** Confidence of a dash that is too high for one, such as an arrow. */
const NO_DASH = 0.3;
/** An m is this many times as wide as the median small letter in a proportional font. */
const PROPORTIONAL = 1.3;

/**
 * The glyphs of a line with hyphens and en dashes between figures distinguished by their lengths: "8–18" for "8-18". Hyphens of
 * words are as long as dashes in some fonts.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withDashesResolved(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  const isAlone = (i: number) => glyphs[i]!.startsWord && glyphs[i + 1]?.startsWord !== false;
  const isBetween = (i: number) =>
    glyphs[i]!.startsWord === false &&
    glyphs[i + 1]?.startsWord === false &&
    /^\d$/.test(glyphs[i - 1]?.text ?? '') &&
    /^\d$/.test(glyphs[i + 1]!.text);
  const isMeasured = (i: number) => isAlone(i) || (isBetween(i) && glyphs[i]!.text !== '—');
  if (!glyphs.some(({ text }, i) => /^[-–—]$/.test(text) && isMeasured(i))) return [...glyphs];
  const boxOf = boxesOf(glyphs, crop);
  const talls = boxesOfKind(TALL, glyphs, boxOf).map(heightOf);
  if (talls.length < MIN) return [...glyphs];
  const tall = median(talls);
  const widthsOf = (kind: RegExp) => boxesOfKind(kind, glyphs, boxOf).map(({ from, to }) => to - from);
  const [wide, usual] = [widthsOf(/^[mwMW]$/), widthsOf(/^[acenosuvxz]$/)];
  const isProportional =
    wide.length > 0 && usual.length >= MIN && median(wide) >= PROPORTIONAL * median(usual);
  return glyphs.map((glyph, i) => {
    if (!/^[-–—]$/.test(glyph.text) || !isMeasured(i)) return glyph;
    const box = boxOf.get(glyph);
    if (!box) return glyph;
    if (heightOf(box) > DASH.thickest * tall)
      return isAlone(i) ? { ...glyph, confidence: Math.min(glyph.confidence, NO_DASH) } : glyph;
    const length = (box.to - box.from) / tall;
    if (isProportional && length >= DASH.long && isAlone(i)) return { ...glyph, text: '—' };
    if (isProportional && length >= DASH.dash) return { ...glyph, text: '–' };
    return length <= DASH.hyphen ? { ...glyph, text: '-' } : glyph;
  });
}

/** Figures as superscripts, by their value. */
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Of a superscript, in heights of a capital or a figure: its lower edge above the base line, and its height. */
const RAISED = { least: 0.28, lowest: 0.35, highest: 0.75 } as const;

/** What an exponent stands after: a figure, a closing parenthesis, a minus, a unit or a variable. */
const BASE = /(?:[\d)⁻]|(?<!\p{L})\p{L}{1,3})$/u;

/**
 * The glyphs of a line with exponents, small and raised figures, as superscripts: "10²" for "102". Numbers of footnotes after
 * a word, and figures of a fraction or a price, stay.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withRaisedFigures(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  if (!glyphs.some(({ text }) => /^\d$/.test(text))) return [...glyphs];
  const boxOf = boxesOf(glyphs, crop);
  const talls = boxesOfKind(TALL, glyphs, boxOf).map(heightOf);
  if (talls.length < MIN) return [...glyphs];
  const tall = median(talls);
  const isRaisedOver = (base: InkBox | undefined, glyph: Glyph) => {
    const box = boxOf.get(glyph);
    if (!box || !base || base.bottom - box.bottom < RAISED.least * tall) return false;
    const height = heightOf(box);
    return height >= RAISED.lowest * tall && height <= RAISED.highest * tall;
  };
  return wordsOf(glyphs).flatMap((word) => {
    if (word.some(({ text }) => /^[\p{Sc}/⁄]$/u.test(text))) return word;
    let end = word.length;
    while (end > 0 && /^[.,;:)\]]$/.test(word[end - 1]!.text)) end--;
    let start = end;
    while (start > 0 && /^\d$/.test(word[start - 1]!.text)) start--;
    // An exponent ends its word. The line may be bent, so that it is compared with the character before it.
    for (; start < end; start++) {
      const before = word.slice(0, start);
      const base = before.findLast(({ text }) => text !== '⁻');
      if (!base || !BASE.test(spellingOf(before))) continue;
      const exponent = word.slice(start, end);
      if (!exponent.every((glyph) => isRaisedOver(boxOf.get(base), glyph))) continue;
      const raised = exponent.map((glyph) => ({ ...glyph, text: SUPERSCRIPTS[Number(glyph.text)]! }));
      return [...before, ...raised, ...word.slice(end)];
    }
    return word;
  });
}

/** Wide signs, and the characters that their parts look like. */
const PARTS: Readonly<Record<string, string>> = {
  '¼': '14',
  '½': '12',
  '¾': '34',
  '⅓': '13',
  '⅔': '23',
  '№': 'No',
  '℃': '°C',
  '℉': '°F',
};
/**
 * In line heights: a glyph nearer to a sign's center than this is a part of it. A figure before a fraction stands farther
 * away.
 */
const PART_WITHIN = 0.45;
/** The same for a numero sign, the widest of them. */
const PART_OF_NUMERO = 0.8;

/** The glyphs of a line without parts of a wide sign that were read as characters of their own: "1¼4" for "¼". */
export function withoutParts(glyphs: readonly Glyph[]): Glyph[] {
  const isPart = (glyph: Glyph, sign: Glyph | undefined) =>
    sign !== undefined &&
    PARTS[sign.text]?.includes(glyph.text) === true &&
    Math.abs(glyph.center - sign.center) < (sign.text === '№' ? PART_OF_NUMERO : PART_WITHIN);
  return glyphs.flatMap((glyph, i) => {
    const [before, after] = [glyphs[i - 1], glyphs[i + 1]];
    if (isPart(glyph, after) || (isPart(glyph, before) && !glyph.startsWord)) return [];
    return before && isPart(before, glyph) ? [{ ...glyph, startsWord: before.startsWord }] : [glyph];
  });
}

type BoxOf = ReadonlyMap<Glyph, InkBox | undefined>;

const boxesOfKind = (kind: RegExp, glyphs: readonly Glyph[], boxOf: BoxOf): InkBox[] =>
  glyphs.flatMap((glyph) => (kind.test(glyph.text) ? (boxOf.get(glyph) ?? []) : []));

const heightOf = ({ top, bottom }: InkBox): number => bottom - top;

/** Whether a sign is as high as the low letters of the line; false where the line has too few letters. */
function smallnessOn(glyphs: readonly Glyph[], boxOf: BoxOf): (glyph: Glyph) => boolean {
  const lows = boxesOfKind(LOW, glyphs, boxOf).map(heightOf);
  const talls = boxesOfKind(TALL, glyphs, boxOf).map(heightOf);
  if (lows.length < MIN || talls.length < MIN) return () => false;
  const [low, tall] = [median(lows), median(talls)];
  if (low > MAX_LOW * tall) return () => false;
  return (glyph) => {
    const box = boxOf.get(glyph);
    return Math.abs((box ? heightOf(box) : tall) - low) <= SLACK * tall;
  };
}

/** Whether the ink of a box is one upright stroke without a flag or a foot. */
function isBarIn({ gray, width }: GrayImage, { from, to, top, bottom }: InkBox): boolean {
  const lefts: number[] = [];
  const rights: number[] = [];
  for (let y = top; y < bottom; y++) {
    const row = gray.subarray(y * width + from, y * width + to);
    const left = row.findIndex((level) => level < INK);
    if (left === -1) continue;
    lefts.push(left);
    rights.push(row.findLastIndex((level) => level < INK) + 1);
  }
  if (lefts.length === 0) return false;
  const [left, right] = [median(lefts), median(rights)];
  if (right - left > BAR.widest * (bottom - top)) return false;
  const straight = lefts.filter(
    (at, i) => Math.abs(at - left) <= BAR.rough && Math.abs(rights[i]! - right) <= BAR.rough,
  );
  return straight.length >= BAR.straight * (bottom - top);
}

/** A bare stroke that is as wide as this share of a figure 1 or more may be one. */
const NARROWER = 0.7;
/** Confidence of a figure below which the recognizer hesitated. */
const UNSURE = 0.9;

/**
 * Whether a sign read as a figure 1 is a bare stroke: on a line with figures 1 that have a flag or a foot, or without any
 * other one where the recognizer hesitated.
 */
function barsOn(glyphs: readonly Glyph[], boxOf: BoxOf, crop: GrayImage): (glyph: Glyph) => boolean {
  const isBar = (box: InkBox) => isBarIn(crop, box);
  const ones = glyphs.filter(({ text }) => text === '1');
  const flagged = boxesOfKind(/^1$/, glyphs, boxOf).filter((box) => !isBar(box));
  return (glyph) => {
    const box = boxOf.get(glyph);
    if (!box || !isBar(box)) return false;
    if (flagged.length === 0) return ones.length === 1 && glyph.confidence < UNSURE;
    return box.to - box.from <= NARROWER * median(flagged.map(({ from, to }) => to - from));
  };
}
