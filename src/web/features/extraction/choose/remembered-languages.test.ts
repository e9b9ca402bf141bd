import { expect, it } from 'vitest';
import { toggleLanguage } from './remembered-languages.ts';

it('the first language ticked stays the main one', () => {
  expect(toggleLanguage(['eng'], 'deu')).toEqual(['eng', 'deu']);
  expect(toggleLanguage(['eng', 'deu'], 'eng')).toEqual(['deu']);
});

it('never more than three languages are ticked, and none where the language is found by itself', () => {
  expect(toggleLanguage(['deu'], 'deu')).toEqual([]);
  expect(toggleLanguage(['eng', 'deu', 'fra'], 'spa')).toEqual(['eng', 'deu', 'fra']);
});
