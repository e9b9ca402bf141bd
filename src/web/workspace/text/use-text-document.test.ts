import { expect, it } from 'vitest';
import { isDoubtful, isUncertain } from './use-text-document.ts';

const read = (text: string, confidence: number, hidden: 'word' | null = null) => ({
  text,
  confidence,
  hidden,
});

it.each(['rye', '7', '4.30', '字', '€', 'a.'])('doubt: %s with a low confidence is doubtful', (text) => {
  expect(isDoubtful(read(text, 59))).toBe(true);
  expect(isDoubtful(read(text, 60))).toBe(false);
});

it.each(['•', '-', '|', '·', '—', '=', '...', '©'])('doubt: %s is not doubtful, but uncertain', (text) => {
  expect(isDoubtful(read(text, 5))).toBe(false);
  expect(isUncertain(read(text, 5))).toBe(true);
});

it('doubt: filtered text is not doubtful', () => {
  expect(isDoubtful(read('Menu', 20, 'word'))).toBe(false);
  expect(isUncertain(read('Menu', 20, 'word'))).toBe(false);
});
