/**
 * Smart Text Filtering: hides icons that were read as letters, and noise, without losing them.
 * Nothing is deleted: hidden words keep their place.
 */
import { pairwise, required } from '../checked.ts';
import { median } from '../page/geometry.ts';
import { isStackedWord, writesPhrases } from '../reading/scripts.ts';
import type { HiddenText, Line, Word } from '../types.ts';
import { lineOf } from './lines.ts';

/** The evidence about a word besides its text. */
export interface WordEvidence {
  /** In the lexicon of a language that was read. */
  known: boolean;
  /** Of the region that the word was detected in, in a frame where text is horizontal; any unit. */
  width: number;
  height: number;
  /** No other word was read in that region. */
  alone: boolean;
  /** A glyph found by the search for isolated glyphs, not by the text detector. */
  fromSign?: boolean;
  /** Its ink reaches further above and below the line than that of characters. */
  mark?: boolean;
}

export interface Filtered {
  lines: Line[];
  hidden: HiddenText[];
}

/**
 * Greatest confidence of noise. Most doubtful readings of true words lie above it: of Latin letters, which two recognizers
 * read. Other letters are read by one recognizer, which gives many right readings a low confidence.
 */
const NOISE_CONFIDENCE = { latin: 0.3, other: 0.1 } as const;
/** The same on a halftone ground, whose dots read as figures and signs, and seldom as letters. */
const NOISE_ON_HALFTONE = { signs: 0.7, letters: 0.5 } as const;
/** Greatest confidence of an icon's reading. */
const ICON_CONFIDENCE = 0.85;
/** An icon's box is this much lower or higher than those of the text beside it. */
const ICON_SIZE = { lower: 0.72, higher: 1.4 };
/** A row of icons has a lower mean confidence than this. */
const TOOLBAR_CONFIDENCE = 0.5;
/** Icons of one row are further apart than this many of their heights, unlike the characters of a line. */
const TOOLBAR_GAP = 3;
/** Width over height of a box that may hold one icon. */
const ICON_SHAPE = { narrowest: 0.5, widest: 2.2 };

/**
 * Hides words that are neither text nor likely to be. A word without evidence stays, and so do every word with a digit, every
 * lexicon word longer than a letter or two, and every reading with enough confidence.
 */
export function filterLines(
  lines: readonly Line[],
  evidenceOf: (word: Word) => WordEvidence | undefined,
  { onHalftone = false, monospaced = false } = {},
): Filtered {
  const kept: Line[] = [];
  const hidden: HiddenText[] = [];
  for (const line of lines) {
    const reasons = isToolbar(line, evidenceOf)
      ? line.words.map(() => 'icon' as const)
      : line.words.map((word) =>
          onHalftone && isDots(word, evidenceOf(word)) ? 'noise' : reasonToHide(word, line, evidenceOf),
        );
    if (!onHalftone) keepInsideText(line, reasons, evidenceOf, monospaced ? 1 : MIN_INSIDE);
    const words = line.words.filter((_, i) => reasons[i] === undefined);
    if (words.length === line.words.length) {
      kept.push(line);
    } else if (words.length === 0) {
      const reason =
        reasons.length > 1 && reasons.every((each) => each === 'icon') ? 'interface' : required(reasons[0]);
      const { text, confidence, box } = line;
      hidden.push({ text, confidence, box, reason, at: { line: kept.length, word: null } });
    } else {
      let remaining = 0;
      for (const [i, word] of line.words.entries()) {
        const reason = reasons[i];
        if (reason === undefined) remaining++;
        else hidden.push({ ...asRun(word), reason, at: { line: kept.length, word: remaining } });
      }
      kept.push(lineOf(words, line.paragraph));
    }
  }
  return { lines: kept, hidden };
}

/** Least confidence of the words on both sides of a doubtful one, for it to be text. */
const TEXT_CONFIDENCE = 0.8;

/** Characters that are text between such words. A single one may be an icon, except in code. */
const MIN_INSIDE = 2;
/** Icons and specks are hardly ever read as so many letters in a row. */
const LETTERS = /\p{L}{3}/u;

/**
 * Keeps noise between two words that are surely text, and a run of letters beside one, where all were detected in one region:
 * noise lies beside a text or in a region of its own. It stays in doubt.
 * @param least fewest characters between two words that are text
 */
function keepInsideText(
  { words }: Line,
  reasons: (HiddenText['reason'] | undefined)[],
  evidenceOf: (word: Word) => WordEvidence | undefined,
  least: number,
): void {
  const isNoise = (i: number) => {
    const word = words[i];
    return word !== undefined && reasons[i] === 'noise' && evidenceOf(word)?.alone === false;
  };
  const isText = (i: number) => {
    const word = words[i];
    return word !== undefined && reasons[i] === undefined && word.confidence >= TEXT_CONFIDENCE;
  };
  for (let from = 0; from < words.length; from++) {
    if (!isNoise(from)) continue;
    let to = from + 1;
    while (to < words.length && isNoise(to)) to++;
    const run = words.slice(from, to);
    const isInside = isText(from - 1) && isText(to);
    const isLong = run.reduce((sum, { text }) => sum + text.length, 0) >= least;
    const isBeside = (isText(from - 1) || isText(to)) && run.some(({ text }) => LETTERS.test(text));
    if ((isInside && isLong) || isBeside) reasons.fill(undefined, from, to);
    from = to;
  }
}

/** What dots read as, however surely. */
const DOTS = /^[.:;·•,'’"°…]+$/;

function isDots({ text, confidence }: Word, evidence: WordEvidence | undefined): boolean {
  if (evidence?.known !== false) return false;
  if (evidence.alone && DOTS.test(text)) return true;
  return confidence < NOISE_ON_HALFTONE[/\p{L}/u.test(text) ? 'letters' : 'signs'];
}

const asRun = ({ text, confidence, box }: Word) => ({ text, confidence, box });

function reasonToHide(
  word: Word,
  line: Line,
  evidenceOf: (word: Word) => WordEvidence | undefined,
): 'icon' | 'noise' | undefined {
  const evidence = evidenceOf(word);
  // The text detector would have found letters.
  if (evidence?.fromSign && /[\p{L}\p{N}]/u.test(word.text)) return 'noise';
  if (evidence?.mark && isReadInto(word) && !isOfAmount(word, line)) return 'icon';
  if (!evidence || /\p{N}/u.test(word.text) || isOfAmount(word, line)) return undefined;
  if (isIcon(word, evidence, line, evidenceOf) || isStraySign(word, line) || isMagnifier(word, line))
    return 'icon';
  return evidence.known || word.confidence >= noiseBelow(word.text) ? undefined : 'noise';
}

/**
 * Whether the reading of a mark is hidden. A figure is hidden in doubt only, because figures are printed large beside text, and
 * a pictorial sign such as a star never is.
 */
const isReadInto = ({ text, confidence }: Word): boolean =>
  !/\p{So}/u.test(text) && (!/\p{N}/u.test(text) || confidence < NOISE_CONFIDENCE.latin);

/** Whether a word is a currency sign directly before or after a figure. */
function isOfAmount(word: Word, { words }: Line): boolean {
  const place = words.indexOf(word);
  const isFigure = (other: Word | undefined) => other !== undefined && /^[\d.,]+$/.test(other.text);
  return /^\p{Sc}$/u.test(word.text) && (isFigure(words[place + 1]) || isFigure(words[place - 1]));
}

/** The confidence below which a word is noise. */
function noiseBelow(text: string): number {
  // A whole sentence stands in place of a word, and one wrong character makes it as unlikely as noise.
  if (writesPhrases(text) || isStackedWord(text)) return 0;
  return /(?!\p{Script=Latin})\p{L}/u.test(text) ? NOISE_CONFIDENCE.other : NOISE_CONFIDENCE.latin;
}

/** A glyph or two in a box of their own, about as wide as high, and of another size than the text beside it. */
function isIcon(
  word: Word,
  { alone, width, height }: WordEvidence,
  line: Line,
  evidenceOf: (word: Word) => WordEvidence | undefined,
): boolean {
  if (!alone || [...word.text].length > 2 || word.confidence >= ICON_CONFIDENCE) return false;
  const shape = width / height;
  if (shape < ICON_SHAPE.narrowest || shape > ICON_SHAPE.widest) return false;
  const beside = line.words.flatMap((other) => (other === word ? [] : (evidenceOf(other)?.height ?? [])));
  if (beside.length === 0) return false;
  const size = height / median(beside);
  return size < ICON_SIZE.lower || size > ICON_SIZE.higher;
}

/**
 * A row of icons only: glyphs in boxes of their own, far apart, with low confidence, and most of them neither letters nor
 * figures. Beside one another none of them has an unusual size.
 */
function isToolbar({ words }: Line, evidenceOf: (word: Word) => WordEvidence | undefined): boolean {
  if (words.length < 2) return false;
  const areGlyphs = words.every((word) => evidenceOf(word)?.alone && [...word.text].length <= 2);
  const symbols = words.filter(({ text }) => !/[\p{L}\p{N}]/u.test(text)).length;
  if (!areGlyphs || symbols <= words.length / 2) return false;
  const certainty = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  const areApart = pairwise(words).every(([{ box: before }, { box }]) => {
    const { x, width, height } = before;
    return box.x - (x + width) > TOOLBAR_GAP * Math.max(height, box.height);
  });
  return areApart && certainty < TOOLBAR_CONFIDENCE;
}

/**
 * A currency sign beside words, with no figure on either side. A round icon with strokes inside is often read so, together
 * with the words after it and as high as they are: neither its box nor its size shows it.
 */
function isStraySign(word: Word, { words }: Line): boolean {
  if (!/^\p{Sc}$/u.test(word.text) || word.confidence >= ICON_CONFIDENCE) return false;
  const place = words.indexOf(word);
  const beside = [words[place - 1], words[place + 1]].flatMap((other) => other ?? []);
  return beside.length > 0 && !beside.some(({ text }) => /\p{N}/u.test(text));
}

/** Labels of search fields, in the most common languages of interfaces. */
const SEARCH = /^(?:search|suche|recherche|busca|cerca|pesquis|zoek|szukaj|sök|søg|søk|поиск|искать)/iu;

/**
 * A Q before a word for searching, apart from the text before it: the magnifier of a search field. It has a high confidence
 * and the size of a letter. In a sentence, as in "Section Q search", it stands as close as any other word.
 */
function isMagnifier(word: Word, { words }: Line): boolean {
  const place = words.indexOf(word);
  const [before, after] = [words[place - 1], words[place + 1]];
  if (word.text !== 'Q' || !after || !SEARCH.test(after.text)) return false;
  return !before || word.box.x - (before.box.x + before.box.width) > word.box.height;
}
