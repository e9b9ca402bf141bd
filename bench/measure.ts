/** The metrics of the benchmark. All functions are pure. */

/** Runs of letters and digits; `.` `,` `/` `-` belong to a token only between two digits. */
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:(?<=\p{Nd})[.,/-](?=\p{Nd})[\p{L}\p{M}\p{N}]+)*/gu;

export function tokens(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(TOKEN) ?? [];
}

/** Runs between white space, with case and punctuation. Curly and straight quotes are equal. */
export function exactTokens(text: string): string[] {
  const straight = text.replace(/[\u2018-\u201b]/g, "'").replace(/[\u201c-\u201f]/g, '"');
  return straight.normalize('NFC').match(/\S+/g) ?? [];
}

/** Counts that are summed over pictures: `hits` of the `read` tokens match one of the `expected` tokens. */
export interface WordCounts {
  hits: number;
  read: number;
  expected: number;
}

/** Matches tokens one to one in any order. */
export function countWords(read: readonly string[], expected: readonly string[]): WordCounts {
  const bag = new Bag(expected);
  const hits = read.reduce((sum, token) => sum + (bag.take(token) ? 1 : 0), 0);
  return { hits, read: read.length, expected: expected.length };
}

export function addCounts(counts: readonly WordCounts[]): WordCounts {
  const sum = { hits: 0, read: 0, expected: 0 };
  for (const one of counts) {
    sum.hits += one.hits;
    sum.read += one.read;
    sum.expected += one.expected;
  }
  return sum;
}

/** Harmonic mean of precision and recall, 0 to 1; an empty result for an empty ground truth is perfect. */
export function f1({ hits, read, expected }: WordCounts): number {
  return read + expected === 0 ? 1 : (2 * hits) / (read + expected);
}

/**
 * Character error rate: edit distance of the texts in reading order, with folded white space, divided by the length of the
 * ground truth. 0 is perfect; the rate exceeds 1 if the result is long and wrong.
 */
export function characterErrorRate(read: string, expected: string): number {
  const a = fold(read);
  const b = fold(expected);
  if (b.length === 0) return a.length === 0 ? 0 : 1;
  return editDistance(a, b) / b.length;
}

/**
 * The share of matching tokens outside the longest common subsequence with the ground truth, that is in a wrong order. 0 is
 * perfect, also for a result without matching tokens.
 */
export function orderLoss(read: readonly string[], expected: readonly string[]): number {
  const { hits } = countWords(read, expected);
  if (hits === 0) return 0;
  let row = new Uint32Array(expected.length + 1);
  let next = new Uint32Array(expected.length + 1);
  for (const token of read) {
    for (let j = 1; j <= expected.length; j++) {
      next[j] = token === expected[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!);
    }
    [row, next] = [next, row];
  }
  return 1 - row[expected.length]! / hits;
}

export function editDistance(left: string, right: string): number {
  const a = Array.from(left, (c) => c.codePointAt(0)!);
  const b = Array.from(right, (c) => c.codePointAt(0)!);
  let row = Uint32Array.from({ length: b.length + 1 }, (_, j) => j);
  let next = new Uint32Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j]! + 1, next[j - 1]! + 1);
    }
    [row, next] = [next, row];
  }
  return row[b.length]!;
}

/** A word's stated confidence (0 to 1), and whether it was right. */
export interface Judged {
  confidence: number;
  right: boolean;
}

/**
 * A word is right if each of its tokens matches an expected token that no earlier word has matched. Words without a token
 * (a single bar or bullet) are left out, because no metric counts them.
 */
export function judgeWords(
  words: readonly { text: string; confidence: number }[],
  expected: readonly string[],
  tokensOf: (text: string) => string[] = tokens,
): Judged[] {
  const bag = new Bag(expected);
  return words.flatMap(({ text, confidence }) => {
    const parts = tokensOf(text);
    if (parts.length === 0) return [];
    const right = parts.map((part) => bag.take(part)).every(Boolean);
    return [{ confidence, right }];
  });
}

/** Words with a confidence from `from` to `from` + 0.1, and their accuracy. */
export interface CalibrationBin {
  from: number;
  words: number;
  /** Mean stated confidence, 0 to 1. */
  stated: number;
  /** Accuracy, 0 to 1. */
  right: number;
}

export function calibrationBins(judged: readonly Judged[]): CalibrationBin[] {
  const bins = Array.from({ length: 10 }, (_, i) => ({ from: i / 10, words: 0, stated: 0, right: 0 }));
  for (const { confidence, right } of judged) {
    const bin = bins[Math.min(9, Math.max(0, Math.floor(confidence * 10)))]!;
    bin.words++;
    bin.stated += confidence;
    bin.right += right ? 1 : 0;
  }
  return bins
    .filter((bin) => bin.words > 0)
    .map((bin) => ({ ...bin, stated: bin.stated / bin.words, right: bin.right / bin.words }));
}

/** Expected calibration error: mean difference between confidence and accuracy, weighted by the words of each bin. */
export function calibrationGap(bins: readonly CalibrationBin[]): number {
  const words = bins.reduce((sum, bin) => sum + bin.words, 0);
  if (words === 0) return 0;
  return bins.reduce((sum, bin) => sum + bin.words * Math.abs(bin.stated - bin.right), 0) / words;
}

/** Result of filtering in tokens: hidden and visible wrong tokens, and hidden right tokens. */
export interface FilterCounts {
  hiddenFalse: number;
  hiddenTrue: number;
  visibleFalse: number;
  expected: number;
}

/** Matches visible text first; hidden text that matches one of the remaining expected tokens was hidden wrongly. */
export function countFiltered(
  visible: readonly string[],
  hidden: readonly string[],
  expected: readonly string[],
): FilterCounts {
  const bag = new Bag(expected);
  const visibleFalse = visible.filter((token) => !bag.take(token)).length;
  const hiddenTrue = hidden.filter((token) => bag.take(token)).length;
  return { hiddenFalse: hidden.length - hiddenTrue, hiddenTrue, visibleFalse, expected: expected.length };
}

/** `null` without wrong or without hidden tokens. `loss`: share of expected words that were hidden. */
export function filterRates(counts: readonly FilterCounts[]): {
  precision: number | null;
  recall: number | null;
  loss: number;
} {
  const sum = (key: keyof FilterCounts) => counts.reduce((total, one) => total + one[key], 0);
  const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    precision: ratio(sum('hiddenFalse'), sum('hiddenFalse') + sum('hiddenTrue')),
    recall: ratio(sum('hiddenFalse'), sum('hiddenFalse') + sum('visibleFalse')),
    loss: ratio(sum('hiddenTrue'), sum('expected')) ?? 0,
  };
}

/** The nearest-rank percentile; `share`: 0 to 1. 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

class Bag {
  readonly #left = new Map<string, number>();

  constructor(items: readonly string[]) {
    for (const item of items) this.#left.set(item, (this.#left.get(item) ?? 0) + 1);
  }

  take(item: string): boolean {
    const left = this.#left.get(item) ?? 0;
    if (left > 0) this.#left.set(item, left - 1);
    return left > 0;
  }
}
