import { describe, expect, it } from 'vitest';
import { trustOnPage } from './page-trust.ts';

const page = (words: number, confidence: number) => Array.from({ length: words }, () => ({ confidence }));
const LATIN = { blackletter: false };
const CHANCES = [0, 0.1, 0.3, 0.5, 0.8, 0.99, 1];

describe('trustOnPage: the confidence of a word', () => {
  it('rises where the page is read well, and falls where it can hardly be read', () => {
    const pages = [0.3, 0.6, 0.85, 0.97].map((confidence) => trustOnPage(page(100, confidence), LATIN));
    for (const chance of [0.2, 0.5, 0.9]) {
      const worth = pages.map((trust) => trust(chance));
      expect(worth).toEqual(worth.toSorted((a, b) => a - b));
      expect(worth[0]).toBeLessThan(chance - 0.1);
      expect(worth.at(-1)).toBeGreaterThan(chance);
    }
  });

  it('hardly changes on an average page', () => {
    const trust = trustOnPage(page(100, 0.87), LATIN);
    for (const chance of CHANCES) expect(Math.abs(trust(chance) - chance)).toBeLessThan(0.05);
  });

  it('is not judged by one word or two', () => {
    const [one, two, many] = [1, 2, 100].map((words) => trustOnPage(page(words, 0.4), LATIN)(0.4));
    expect(one).toBeGreaterThan(two!);
    expect(two).toBeGreaterThan(many!);
    expect(one).toBeGreaterThan(0.25);
  });

  it('keeps its order, in Fraktur too', () => {
    for (const blackletter of [false, true]) {
      const worth = CHANCES.map(trustOnPage(page(90, 0.5), { blackletter }));
      expect(worth).toEqual(worth.toSorted((a, b) => a - b));
      expect(Math.min(...worth)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...worth)).toBeLessThanOrEqual(1);
    }
  });

  it('stays below certainty in Fraktur, where both recognizers make the same mistakes', () => {
    const trust = trustOnPage(page(100, 0.97), { blackletter: true });
    expect(trust(0.97)).toBeLessThan(0.85);
    expect(trust(0.97)).toBeGreaterThan(0.7);
  });
});
