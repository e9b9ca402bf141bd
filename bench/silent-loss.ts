/**
 * Silent loss: counts words that are wrong despite a high confidence and expected words that are missing, and how many of both
 * have no mark nearby on the page. All functions are pure.
 */
import { DOUBTFUL_BELOW, REVIEW_BELOW } from '#contract/product';
import type { Box } from '#ocr';

interface ReadWord {
  text: string;
  /** 0 to 1. */
  confidence: number;
  box: Box;
}

/** The parts of a result that are compared with the ground truth. */
export interface ReadPage {
  lines: readonly { words: readonly ReadWord[] }[];
  hidden: readonly { text: string; box: Box }[];
  /** Regions with text that the engine detected but did not read. */
  unread: readonly { box: Box }[];
  notices: readonly { code: string }[];
}

/** Counts that are summed over pictures. */
export interface LossCounts {
  /** Number of words in the ground truth. */
  expected: number;
  /** Words with a confidence of at least `REVIEW_BELOW` percent that are not in the ground truth. */
  wrong: number;
  /** Words of the ground truth that are not in the text. */
  missing: number;
  /** Number of `wrong` and `missing` words without a mark within a line height. */
  unmarked: number;
}

/** A token of a recognized word, with its position. */
interface Place {
  token: string;
  percent: number;
  box: Box;
  line: number;
  lineHeight: number;
}

/** Only words with a letter, a digit or a currency sign are marked as doubtful on the page. */
const MARKABLE = /[\p{L}\p{N}\p{Sc}]/u;

/** Notices about the rotation of the picture, not about its text. */
const NOT_A_WARNING = new Set(['turned', 'straightened']);

/** @param tokensOf splits a text into tokens in the same way as `truth` */
export function countLosses(
  page: ReadPage,
  truth: readonly string[],
  tokensOf: (text: string) => string[],
): LossCounts {
  const read = placesOf(page, tokensOf);
  const partners = pairUp(
    read.map(({ token }) => token),
    truth,
  );
  const isTrue = new Set(partners);
  const wrong = read.filter(({ percent }, i) => percent >= REVIEW_BELOW && !isTrue.has(i));
  const missing = [...truth.keys()].filter((i) => partners[i] === NONE);
  const counts = { expected: truth.length, wrong: wrong.length, missing: missing.length };
  // For a picture without text, the page always shows a notice.
  const warns = page.lines.length === 0 || page.notices.some(({ code }) => !NOT_A_WARNING.has(code));
  if (warns) return { ...counts, unmarked: 0 };

  const marks = marksOf(page);
  const isUnmarked = ({ boxes, lineHeight }: Area) =>
    !marks.some((mark) => boxes.some((box) => distance(mark, box) <= lineHeight));
  const hidden = page.hidden.flatMap(({ text }) => tokensOf(text));
  const unmarkedMissing = missing.filter((i) => {
    // Hidden text with the word marks it, wherever the alignment puts the word.
    const at = hidden.indexOf(truth[i]!);
    if (at >= 0) {
      hidden.splice(at, 1);
      return false;
    }
    return isUnmarked(areaOf(i, partners, read, isTrue));
  });
  const unmarkedWrong = wrong.filter((place) => isUnmarked(area([place])));
  return { ...counts, unmarked: unmarkedMissing.length + unmarkedWrong.length };
}

export function addLosses(losses: readonly LossCounts[]): LossCounts {
  const sum = { expected: 0, wrong: 0, missing: 0, unmarked: 0 };
  for (const one of losses) {
    sum.expected += one.expected;
    sum.wrong += one.wrong;
    sum.missing += one.missing;
    sum.unmarked += one.unmarked;
  }
  return sum;
}

/** Counts of a whole set, and rates per 1,000 true words. */
export interface LossReport extends LossCounts {
  perThousand: Omit<LossCounts, 'expected'>;
}

/** Rates are 0 if nothing is expected. */
export function reportLosses(counts: LossCounts): LossReport {
  const rate = (count: number) => (counts.expected === 0 ? 0 : (count / counts.expected) * 1000);
  const { wrong, missing, unmarked } = counts;
  return {
    ...counts,
    perThousand: { wrong: rate(wrong), missing: rate(missing), unmarked: rate(unmarked) },
  };
}

function placesOf({ lines }: ReadPage, tokensOf: (text: string) => string[]): Place[] {
  return lines.flatMap(({ words }, line) => {
    // The line's box is not used, because it grows with the tilt of the line.
    const heights = words.map(({ box }) => box.height).sort((a, b) => a - b);
    const lineHeight = heights[Math.floor(heights.length / 2)] ?? 0;
    return words.flatMap(({ text, confidence, box }) =>
      tokensOf(text).map((token) => ({ token, percent: percentOf(confidence), box, line, lineHeight })),
    );
  });
}

/** Confidence as shown on the page. */
const percentOf = (confidence: number) => Math.round(confidence * 100);

function marksOf({ lines, hidden, unread }: ReadPage): Box[] {
  const doubtful = lines
    .flatMap(({ words }) => words)
    .filter(({ text, confidence }) => percentOf(confidence) < DOUBTFUL_BELOW && MARKABLE.test(text));
  return [...doubtful, ...hidden, ...unread].map(({ box }) => box);
}

const NONE = -1;

/**
 * For each token of the ground truth, the index of the read token that it is paired with, or `NONE`. Pairs as many as possible
 * in the order of both; the others take an equal token anywhere, so that a different order alone loses no word.
 */
function pairUp(read: readonly string[], truth: readonly string[]): number[] {
  const partners = new Array<number>(truth.length).fill(NONE);
  const common = Array.from({ length: truth.length + 1 }, () => new Uint16Array(read.length + 1));
  for (let i = truth.length - 1; i >= 0; i--) {
    const [row, below] = [common[i]!, common[i + 1]!];
    for (let j = read.length - 1; j >= 0; j--) {
      row[j] = truth[i] === read[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!);
    }
  }
  const free = new Map<string, number[]>();
  let [i, j] = [0, 0];
  const leave = (at: number) => free.set(read[at]!, [...(free.get(read[at]!) ?? []), at]);
  while (i < truth.length && j < read.length) {
    if (truth[i] === read[j]) partners[i++] = j++;
    else if (common[i + 1]![j]! >= common[i]![j + 1]!) i++;
    else leave(j++);
  }
  while (j < read.length) leave(j++);
  return partners.map((partner, at) =>
    partner === NONE ? (free.get(truth[at]!)?.shift() ?? NONE) : partner,
  );
}

interface Area {
  boxes: readonly Box[];
  lineHeight: number;
}

/**
 * The area of a missing token, between the nearest paired tokens before and after it: the boxes of other tokens between these
 * two, or the gap between them, or their own boxes if they are on different lines.
 */
function areaOf(
  missing: number,
  partners: readonly number[],
  read: readonly Place[],
  isTrue: ReadonlySet<number>,
): Area {
  const before = partners.slice(0, missing).findLast((partner) => partner !== NONE) ?? NONE;
  const after = partners.slice(missing + 1).find((partner) => partner !== NONE) ?? read.length;
  const instead = read.filter((_, i) => i > before && i < after && !isTrue.has(i));
  if (instead.length > 0) return area(instead);
  const neighbors = [read[before], read[after]].filter((place) => place !== undefined);
  const [one, other] = neighbors;
  if (!one || !other || one.line !== other.line) return area(neighbors);
  return { ...area(neighbors), boxes: [gapBetween(one.box, other.box)] };
}

const area = (places: readonly Place[]): Area => ({
  boxes: places.map(({ box }) => box),
  lineHeight: Math.max(0, ...places.map(({ lineHeight }) => lineHeight)),
});

/** The gap between two words of a line, in either order. */
function gapBetween(one: Box, other: Box): Box {
  const [left, right] = one.x <= other.x ? [one, other] : [other, one];
  const x = left.x + left.width;
  const y = Math.min(one.y, other.y);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: Math.max(0, right.x - x), height: bottom - y };
}

/** The larger of the horizontal and the vertical gap; 0 or less if the boxes touch. */
function distance(one: Box, other: Box): number {
  const gap = (at: number, length: number, otherAt: number, otherLength: number) =>
    Math.max(at - (otherAt + otherLength), otherAt - (at + length));
  return Math.max(gap(one.x, one.width, other.x, other.width), gap(one.y, one.height, other.y, other.height));
}
