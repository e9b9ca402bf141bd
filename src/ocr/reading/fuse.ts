/** Fuses two readings of a line into words with a calibrated confidence. */

import { median } from '../page/geometry.ts';
import calibration from '../weights/calibration.json' with { type: 'json' };
import chooser from '../weights/chooser.json' with { type: 'json' };
import { MAX_READINGS, otherReadings } from './considered.ts';
import {
  choiceFeatures,
  type Evidence,
  gatherEvidence,
  type Scrutiny,
  spellingOf,
  trustFeatures,
} from './evidence.ts';
import type { Lexicon } from './lexicon.ts';
import { correctedByLexicon } from './lexicon-correction.ts';
import { chanceOf, logOdds, type StoredLogistic } from './logistic.ts';
import type { LineReadings } from './recognize.ts';
import type { FirstReader } from './recognizer.ts';
import { type Advantage, isTornAmount, likeliestLookAlike, repairWord } from './repair.ts';
import { directionOf } from './scripts.ts';
import { readingSpan, type Segment, segmentLine } from './segments.ts';

/** A word of a line. Distances are in line heights from the line's left edge. */
export interface FusedWord {
  text: string;
  /** 0 to 1: the calibrated chance that the word is right. */
  confidence: number;
  /** Other readings, the likeliest first; empty where the word is hardly in doubt. */
  readings: string[];
  from: number;
  to: number;
}

/** The expected share of words that are right, 0 to 1; 0 for none. */
export function meanConfidence(words: readonly Pick<FusedWord, 'confidence'>[]): number {
  if (words.length === 0) return 0;
  return words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
}

/** Words with more confidence get no other readings. */
const IN_DOUBT_BELOW = 0.85;

/** The greatest confidence of a code in which letters and figures look alike. */
const LOOK_ALIKE_TRUST = 0.7;

/** The greatest confidence of a word with a letter that the secondary recognizer does not know: it marks the word as doubtful. */
const LACKING_TRUST = 0.55;

/** A text that only one recognizer saw is kept from this confidence on; less is a speck or a rule. */
const ALONE = { first: 0.85, letter: 0.97, second: 0.5 };

/** Signs that the primary recognizer's alphabet lacks or that it hardly ever reads. */
const RARE = /[^\p{L}\p{N}\p{P}\x20-\x7e£€¥§°©®™]/u;

/** Trained weights, by primary recognizer. */
const WEIGHTS = {
  network: { chooser: chooser.network, calibration: calibration.network },
  tesseract: { chooser: chooser.tesseract, calibration: calibration.tesseract },
} as const satisfies Record<FirstReader, { chooser: StoredLogistic; calibration: StoredLogistic }>;

/** Cuts the readings of a line into words, by one recognizer or both. */
export function segmentsIn({ first, checks, blanks, length }: LineReadings): Segment[] {
  return segmentLine(first, checks, blanks, length);
}

/** How closely a word was examined: it was read twice, its neighbors were, or nothing on its line was. */
export function scrutinyOf(segment: Segment, { checks }: LineReadings): Scrutiny {
  if (segment.check) return 'checked';
  return checks.length > 0 ? 'beside' : 'none';
}

/** How the text of a word was derived. */
export interface WordStory {
  evidence: Evidence;
  scrutiny: Scrutiny;
  /** One of both readings; empty where neither is text. */
  chosen: string;
  /** Corrected, and replaced by a word of the lexicon where that is as likely. */
  text: string;
  /** 0 to 1: the calibrated chance that the word is right. */
  confidence: number;
}

/**
 * The words of a line, in reading order.
 * @param onWord called for each word, and for each segment that was dropped
 */
export function fuseLine(
  line: LineReadings,
  lexicon: Lexicon,
  onWord?: (story: WordStory) => void,
): FusedWord[] {
  const weights = WEIGHTS[line.reader];
  const words: FusedWord[] = [];
  const segments = segmentsIn(line);
  const space = usualSpace(segments);
  for (const segment of segments) {
    const evidence = gatherEvidence(segment, lexicon);
    const chosen = segment.check ? choose(evidence, weights.chooser) : evidence.first;
    const scrutiny = scrutinyOf(segment, line);
    if (chosen === '') {
      onWord?.({ evidence, scrutiny, chosen, text: '', confidence: 0 });
      continue;
    }
    const { text, judged, advantage } = spelled(chosen, segment, lexicon);
    const rival = likeliestLookAlike(text, advantage);
    const features = trustFeatures(evidence, judged, scrutiny, lexicon);
    const calibrated = chanceOf(logOdds(weights.calibration, features));
    const most = evidence.secondLacks ? LACKING_TRUST : rival ? LOOK_ALIKE_TRUST : 1;
    const trust = Math.min(calibrated, most);
    onWord?.({ evidence, scrutiny, chosen, text, confidence: trust });
    const others =
      trust < IN_DOUBT_BELOW
        ? otherReadings({ evidence, chosen, text }, segment, lexicon, (reading) =>
            reading === '' ? '' : spelled(reading, segment, lexicon).text,
          )
        : [];
    const isNew = rival !== undefined && !others.includes(rival);
    const readings = isNew ? [rival, ...others].slice(0, MAX_READINGS) : others;
    const word = { text, confidence: trust, readings, from: segment.from, to: segment.to };
    const before = words.at(-1);
    const isTorn =
      before &&
      (isTornSum(before, word) ||
        isTornMark(before, word) ||
        isTornAmount(before.text, word.text, word.from - before.to, space));
    if (isTorn) {
      before.readings = joinedReadings(before, word);
      before.text += word.text;
      before.to = word.to;
      before.confidence = Math.min(before.confidence, word.confidence);
    } else words.push(...parted(word));
  }
  if (words.some(({ text }) => TYPESET.test(text)))
    for (const word of words) word.text = word.text.replace(/(?<=[\p{L}\p{N}])\.\.\.$/u, '…');
  words.push(...line.boxes.map((box) => ({ ...box, confidence: BOX_CONFIDENCE, readings: [] })));
  if (line.boxes.length > 0) words.sort((a, b) => a.from - b.from);
  const runsToTheLeft = directionOf(spellingOf(line.first.glyphs)) === 'rtl';
  return line.checks.length > 0 && runsToTheLeft ? inReadingOrder(words) : words;
}

/** Fewest gaps of a line whose median is the width of its spaces. */
const GAPS = 3;

/** The median gap between words that follow one another, in line heights; undefined for few of them. */
function usualSpace(segments: readonly Segment[]): number | undefined {
  const gaps = segments
    .slice(1)
    .map(({ from }, i) => from - segments[i]!.to)
    .filter((gap) => gap > 0);
  return gaps.length < GAPS ? undefined : median(gaps);
}

/**
 * Words of a right-to-left line, by position: each run of left-to-right words is reversed, and figures between two of them
 * belong to it. A line of such words alone runs left to right.
 */
function inReadingOrder(words: readonly FusedWord[]): FusedWord[] {
  const fromTheLeft = words.toSorted((a, b) => a.from + a.to - b.from - b.to);
  const directions = fromTheLeft.map((word) => directionOf(word.text));
  if (!directions.includes('rtl')) return fromTheLeft;
  const ordered: FusedWord[] = [];
  for (let end = fromTheLeft.length; end > 0; ) {
    let start = end - 1;
    for (let at = start; directions[end - 1] === 'ltr' && at >= 0 && directions[at] !== 'rtl'; at--) {
      if (directions[at] === 'ltr') start = at;
    }
    ordered.push(...fromTheLeft.slice(start, end));
    end = start;
  }
  return ordered;
}

/** Marks of typeset text, as a word processor puts them in together with ellipses: three dots look the same. */
const TYPESET = /[“”„«»–—]|[‘‚]\p{L}/u;

/** Of a check box: four straight sides are clear evidence. */
const BOX_CONFIDENCE = 0.93;
/** The widest gap between a currency sign and its amount, in line heights: a space of the text is wider. */
const WIDEST_AFTER_SIGN = 0.24;

/** Whether two neighboring words are a currency sign and its amount: "₹" and "1,250". */
const isTornSum = (before: FusedWord, after: FusedWord): boolean =>
  /^\p{Sc}$/u.test(before.text) && /^\d/.test(after.text) && after.from - before.to < WIDEST_AFTER_SIGN;

/** The widest gap between a mark and the word that it opens, or between the parts of a name, in line heights. */
const WIDEST_AFTER_MARK = 0.17;
/** The widest gap between the parentheses of a call without arguments: in fonts of one width they are far apart. */
const WIDEST_IN_CALL = 0.6;

/**
 * Whether two neighboring words are an opening mark and its word, "‘" and "never", a file name and its ending, "notes" and
 * ".py", parts of an identifier, "user_" and "id", or a call without arguments.
 */
function isTornMark(before: FusedWord, after: FusedWord): boolean {
  const gap = after.from - before.to;
  if (/[\p{L}\p{N}_]\($/u.test(before.text) && after.text.startsWith(')')) return gap < WIDEST_IN_CALL;
  if (gap >= WIDEST_AFTER_MARK) return false;
  if (/^[‘“„'"«‹([{¿¡]$/.test(before.text)) return /^[\p{L}\p{N}]/u.test(after.text);
  if (/[\p{L}\p{N}]_$/u.test(before.text)) return /^[\p{L}\p{N}]/u.test(after.text);
  return /[\p{L}\p{N}_]$/u.test(before.text) && /^\.[a-z][a-z0-9]{0,3}$/.test(after.text);
}

/**
 * Splits "2024to31" into three words: recognizers miss narrow spaces between figures and a short word. Any other word stays
 * whole.
 */
function parted(word: FusedWord): FusedWord[] {
  const middle = /(?<=\d)(?:to|and|or)(?=\d)/.exec(word.text);
  if (!middle) return [word];
  const end = middle.index + middle[0].length;
  const parts = [word.text.slice(0, middle.index), middle[0], word.text.slice(end)];
  const width = (word.to - word.from) / word.text.length;
  let from = word.from;
  return parts.map((text) => {
    const part = { ...word, text, readings: [], from, to: from + width * text.length };
    from = part.to;
    return part;
  });
}

/** Of a word torn in two: each part's other readings, joined to the other part as it was read. */
function joinedReadings(before: FusedWord, after: FusedWord): string[] {
  const joined = [
    ...before.readings.map((reading) => reading + after.text),
    ...after.readings.map((reading) => before.text + reading),
  ];
  return joined.slice(0, MAX_READINGS);
}

/**
 * A chosen reading with its errors corrected, and the text that its confidence is judged by: look-alikes carry no evidence.
 */
export function spelled(
  chosen: string,
  segment: Segment,
  lexicon: Lexicon,
): { text: string; judged: string; advantage: Advantage } {
  const { from, to } = readingSpan(segment);
  const judges = [segment.check?.reading.likelihood, segment.firstLikelihood];
  const advantage: Advantage = (text, over) =>
    judges.reduce((sum, likelihood) => {
      if (!likelihood) return sum;
      return sum + text.length * likelihood(text, from, to) - over.length * likelihood(over, from, to);
    }, 0);
  const repaired = repairWord(chosen, lexicon, advantage);
  const text = correctedByLexicon(repaired, segment, lexicon);
  return { text, judged: text === repaired ? chosen : text, advantage };
}

/** The least lead of a word with accents over the same word without them, as a natural logarithm. */
const ACCENT_LEAD = 1;
const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** The likelier of two readings; empty when neither is likely to be text at all. */
export function choose(evidence: Evidence, model: StoredLogistic): string {
  const { first, second } = evidence;
  if (first === second) return first;
  if (second === '') {
    const isText = /[\p{L}\p{N}]{2}|^[&@=:\-*%]$/u.test(first);
    if (isText) return evidence.firstConfidence > ALONE.first ? first : '';
    return /[\p{L}\p{N}]/u.test(first) && evidence.firstConfidence > ALONE.letter ? first : '';
  }
  if (first === '') return evidence.secondMean > ALONE.second ? second : '';
  // A sign that only the secondary recognizer knows: the primary reading says little.
  const isRare = second.length === 1 && first.length === 1 && RARE.test(second);
  if (isRare && evidence.secondLikelihood - evidence.firstLikelihood > 1) return second;
  // A lone dash is as long as the longer reading: the span of the secondary one is often too short to compare it with letters.
  if (/^[-–]$/.test(first) && /^[-–]$/.test(second)) return '–';
  // The primary reading says little about accents that its alphabet lacks.
  if (evidence.firstLacks && withoutAccents(first) === withoutAccents(second)) {
    const lead = evidence.secondLikelihood * second.length - evidence.firstLikelihood * first.length;
    if (lead > ACCENT_LEAD) return second;
  }
  return logOdds(model, choiceFeatures(evidence)) > 0 ? first : second;
}
