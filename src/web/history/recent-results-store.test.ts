import { describe, expect, it } from 'vitest';
import { RECENT_RESULTS_LIMITS } from '#contract/product';
import { overLimits } from './recent-results-store.ts';

const { most, bytes } = RECENT_RESULTS_LIMITS;
const results = (...sizes: number[]) => sizes.map((size, index) => ({ id: index, bytes: size }));

describe('overLimits', () => {
  it('returns the oldest results over the limit of their number', () => {
    const all = results(...Array.from({ length: most + 2 }, () => 1));
    expect(overLimits(all).map(({ id }) => id)).toEqual([most, most + 1]);
    expect(overLimits(all.slice(0, most))).toEqual([]);
  });

  it('returns the oldest results over the limit of their size', () => {
    expect(overLimits(results(bytes / 2, bytes / 2, 1, 1)).map(({ id }) => id)).toEqual([2, 3]);
  });

  it('never returns the newest result', () => {
    expect(overLimits(results(bytes + 1, 1)).map(({ id }) => id)).toEqual([1]);
  });
});
