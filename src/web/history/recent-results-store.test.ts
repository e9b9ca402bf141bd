import { describe, expect, it } from 'vitest';
import { RECENT_RESULTS_LIMITS } from '#contract/product';
import { surplusOf } from './recent-results-store.ts';

const { most, bytes } = RECENT_RESULTS_LIMITS;
const results = (...sizes: number[]) => sizes.map((size, index) => ({ id: index, bytes: size }));

describe('recent results that are too much', () => {
  it('surplus: is the oldest results beyond the limit', () => {
    const all = results(...Array.from({ length: most + 2 }, () => 1));
    expect(surplusOf(all).map(({ id }) => id)).toEqual([most, most + 1]);
    expect(surplusOf(all.slice(0, most))).toEqual([]);
  });

  it('are the oldest beyond the room that they may take', () => {
    expect(surplusOf(results(bytes / 2, bytes / 2, 1, 1)).map(({ id }) => id)).toEqual([2, 3]);
  });

  it('are never the newest, however large it is', () => {
    expect(surplusOf(results(bytes + 1, 1)).map(({ id }) => id)).toEqual([1]);
  });
});
