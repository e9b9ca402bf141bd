/** Argument parsing shared by several commands. */
import { itemAt } from '#formats/checked';

/** A usage error; `message` is for the person at the terminal. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** @throws {UsageError} */
export function wholeNumber(option: string, typed: string, min: number, max: number): number {
  const value = Number(typed);
  if (Number.isInteger(value) && value >= min && value <= max && typed.trim() !== '') return value;
  throw new UsageError(`--${option} takes a whole number from ${min} to ${max}, and not “${typed}”.`);
}

/** Values of a repeated option, each of which may be a list separated by commas, or by `+` as in tesseract. */
export const listOf = (typed: readonly string[] | undefined): string[] =>
  (typed ?? [])
    .flatMap((part) => part.split(/[,+]/))
    .map((part) => part.trim())
    .filter(Boolean);

export interface PageRange {
  from: number;
  /** `Infinity` for an open range. */
  to: number;
}

/** Parses numbers and ranges such as `1-3,7` or `5-`. `name`: the option, for the error. @throws {UsageError} */
export function rangesOf(name: string, typed: string): PageRange[] {
  return typed.split(',').map((part) => {
    const match = /^(\d+)(?:-(\d*))?$/.exec(part.trim());
    const from = Number(match?.[1]);
    const to =
      match?.[2] === undefined ? from : match[2] === '' ? Number.POSITIVE_INFINITY : Number(match[2]);
    if (!match || from < 1 || to < from)
      throw new UsageError(`${name} takes numbers and ranges such as 1-3,7 or 5-, and not “${typed}”.`);
    return { from, to };
  });
}

/** The nearest word within an edit distance of a third of its length. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({
      word,
      distance: word.startsWith(typed) && typed.length > 1 ? 0 : distance(typed, word),
    }))
    .sort((one, other) => one.distance - other.distance);
  return best && best.distance <= Math.max(1, best.word.length / 3) ? best.word : undefined;
}

/** Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = itemAt(row, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, itemAt(row, j) + 1, itemAt(next, j - 1) + 1));
    }
    row = next;
  }
  return itemAt(row, other.length);
}
