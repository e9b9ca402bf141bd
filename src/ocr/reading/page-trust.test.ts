import { describe, expect, it } from 'vitest';
import { trustOnPage } from './page-trust.ts';

const page = (disputed: number, agreed: number) => [
  ...Array.from({ length: disputed }, () => ({ disputed: true })),
  ...Array.from({ length: agreed }, () => ({ disputed: false })),
];
const LATIN = { blackletter: false };

describe('what a word is worth on its page', () => {
  it('is what it is by itself where the readers agree on most words', () => {
    for (const chance of [0, 0.2, 0.5, 0.97, 1]) {
      expect(trustOnPage(page(0, 100), LATIN)(chance)).toBe(chance);
      expect(trustOnPage(page(60, 40), LATIN)(chance)).toBe(chance);
    }
  });

  it('is less where they differ on nearly all, and the less the more they do', () => {
    const [many, all] = [trustOnPage(page(85, 15), LATIN), trustOnPage(page(100, 0), LATIN)];
    for (const chance of [0.2, 0.5, 0.9]) {
      expect(many(chance)).toBeLessThan(chance - 0.05);
      expect(all(chance)).toBeLessThan(many(chance));
      expect(all(chance)).toBeGreaterThan(0);
    }
  });

  it('is not doubted because of one word or two', () => {
    expect(trustOnPage(page(1, 0), LATIN)(0.6)).toBe(0.6);
    expect(trustOnPage(page(2, 0), LATIN)(0.6)).toBe(0.6);
  });

  it('keeps likelier words likelier, in Fraktur too', () => {
    for (const blackletter of [false, true]) {
      const trust = trustOnPage(page(90, 10), { blackletter });
      const chances = [0, 0.1, 0.3, 0.5, 0.8, 0.99, 1].map(trust);
      expect(chances).toEqual(chances.toSorted((a, b) => a - b));
      expect(Math.min(...chances)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...chances)).toBeLessThanOrEqual(1);
    }
  });

  it('is hardly certain in Fraktur, where both readers make the same mistakes', () => {
    const trust = trustOnPage(page(0, 100), { blackletter: true });
    expect(trust(0.97)).toBeLessThan(0.85);
    expect(trust(0.97)).toBeGreaterThan(0.7);
  });
});
