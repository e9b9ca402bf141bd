import { expect, it } from 'vitest';
import { stageText } from './extraction-answer.ts';

it('stageText: shows the language and the progress of a language download', () => {
  const stage = {
    stage: 'fetching-language',
    language: 'German',
    received: 3_140_000,
    of: 8_411_089,
  } as const;
  expect(stageText(stage)).toBe('Fetching German, once: 3.1 of 8.4 MB');
});
