import { expect, it } from 'vitest';
import { stageText } from './extraction-answer.ts';

it('extraction stages: a language download shows the language, that it happens once, and its progress', () => {
  const stage = {
    stage: 'fetching-language',
    language: 'German',
    received: 3_140_000,
    of: 8_411_089,
  } as const;
  expect(stageText(stage)).toBe('Fetching German, once: 3.1 of 8.4 MB');
});
