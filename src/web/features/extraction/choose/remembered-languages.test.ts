import { expect, it } from 'vitest';
import { toggleLanguage } from './remembered-languages.ts';

it('the first language ticked stays the main one', () => {
  expect(toggleLanguage(['eng'], 'deu')).toEqual(['eng', 'deu']);
  expect(toggleLanguage(['eng', 'deu'], 'eng')).toEqual(['deu']);
});

it('one language always stays ticked, and never more than three are', () => {
  expect(toggleLanguage(['deu'], 'deu')).toEqual(['deu']);
  expect(toggleLanguage(['eng', 'deu', 'fra'], 'spa')).toEqual(['eng', 'deu', 'fra']);
});
