import { describe, expect, it } from 'vitest';
import type { ReadFragment } from '../place.ts';
import { partedAtGutters } from './gutters.ts';
import { Effort } from './line-fragments.ts';

interface Span {
  left: number;
  right: number;
}

const HEIGHT = 20;
const PITCH = 26;

/** A line with words of these lengths in pixels, and spaces of 8 between them. */
function line(row: number, lengths: readonly number[], { from = 0 } = {}): ReadFragment {
  let left = from;
  const spans = lengths.map((length) => {
    const span = { left, right: left + length };
    left = span.right + 8;
    return span;
  });
  return fragmentOf(row, spans);
}

function fragmentOf(row: number, spans: readonly Span[]): ReadFragment {
  const y = row * PITCH;
  const words = spans.map(({ left, right }, i) => ({
    text: `${row}.${i}`,
    confidence: 1,
    box: { x: left, y, width: right - left, height: HEIGHT },
  }));
  const [x, end] = [spans[0]!.left, spans.at(-1)!.right];
  const uprightWords = words.map(({ box }) => box);
  return { words, uprightWords, upright: { x, y, width: end - x, height: HEIGHT } };
}

/** Pseudo-random numbers from 0 up to 1, the same in every run. */
function* chances(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

/** Words of 20 to 100 pixels that fill a width exactly, as in justified text. */
function justified(from: number, width: number, chance: Iterator<number, never>): Span[] {
  const [end, spans] = [from + width, [] as Span[]];
  for (let left = from; left < end; left = spans.at(-1)!.right + 8) {
    const right = left + 20 + 60 * chance.next().value;
    // No further word fits after it.
    spans.push({ left, right: right + 28 > end ? end : right });
  }
  return spans;
}

/** Lines of two columns of 300 pixels with a gutter of 10 between them, each detected as one. */
function runTogether(count: number, seed: number): ReadFragment[] {
  const chance = chances(seed);
  return Array.from({ length: count }, (_, row) =>
    fragmentOf(row, [...justified(0, 300, chance), ...justified(310, 300, chance)]),
  );
}

const placesOf = (fragments: readonly ReadFragment[]) =>
  fragments.map(({ upright }) => [Math.round(upright.x), Math.round(upright.x + upright.width)]);

describe('partedAtGutters: lines of two columns that were detected as one', () => {
  it('are split where gaps align in line after line', () => {
    const read = runTogether(20, 1);
    const parted = partedAtGutters(read);
    expect(placesOf(parted)).toEqual(
      Array.from({ length: 20 }, () => [
        [0, 300],
        [310, 610],
      ]).flat(),
    );
    expect(parted.flatMap(({ words }) => words)).toEqual(read.flatMap(({ words }) => words));
  });

  it('are split beside a few lines that were detected apart', () => {
    const chance = chances(2);
    const apart = [0, 1, 2].flatMap((row) => [
      fragmentOf(row, justified(0, 300, chance)),
      fragmentOf(row, justified(310, 300, chance)),
    ]);
    const together = [3, 4, 5].map((row) =>
      fragmentOf(row, [...justified(0, 300, chance), ...justified(310, 300, chance)]),
    );
    expect(placesOf(partedAtGutters([...apart, ...together]))).toEqual(
      Array.from({ length: 6 }, () => [
        [0, 300],
        [310, 610],
      ]).flat(),
    );
  });

  it('are split above and below a line that runs across both columns', () => {
    const read = runTogether(40, 3);
    read[20] = line(20, [250, 120, 232]);
    expect(partedAtGutters(read)).toHaveLength(39 * 2 + 1);
  });
});

describe('partedAtGutters: whole lines', () => {
  it('stay whole in a column of justified text, whatever its words', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const chance = chances(seed);
      const read = Array.from({ length: 40 }, (_, row) => fragmentOf(row, justified(0, 640, chance)));
      expect(partedAtGutters(read)).toEqual(read);
    }
  });

  it('stay whole where a few word spaces align by chance', () => {
    const read = runTogether(12, 4);
    expect(partedAtGutters(read)).toEqual(read);
  });

  it('stay whole when their words run from right to left', () => {
    const read = runTogether(20, 5).map((fragment) => ({
      ...fragment,
      uprightWords: fragment.uprightWords.toReversed(),
      words: fragment.words.toReversed(),
    }));
    expect(partedAtGutters(read)).toEqual(read);
  });
});

it('partedAtGutters: the cost is proportional to the lines, even where they overlap', () => {
  for (const step of [1, 0]) {
    const looksAt = (count: number) => {
      const effort = new Effort();
      const fragments = runTogether(count, 6).map((fragment, i) => ({
        ...fragment,
        upright: { ...fragment.upright, y: i * step * PITCH },
      }));
      partedAtGutters(fragments, effort);
      return effort.looks;
    };
    expect(looksAt(4_000)).toBeLessThan(12 * looksAt(500));
  }
});
