import { expect, it } from 'vitest';
import { toggleLanguage } from './remembered-languages.ts';

it('toggleLanguage: keeps the first chosen language as the main one', () => {
  expect(toggleLanguage(['eng'], 'deu')).toEqual(['eng', 'deu']);
  expect(toggleLanguage(['eng', 'deu'], 'eng')).toEqual(['deu']);
});

it('toggleLanguage: allows at most three languages, and none', () => {
  expect(toggleLanguage(['deu'], 'deu')).toEqual([]);
  expect(toggleLanguage(['eng', 'deu', 'fra'], 'spa')).toEqual(['eng', 'deu', 'fra']);
});
