import { expect, it } from 'vitest';
import { stageText } from './extraction-stages.ts';

it('whoever waits for a language reads which one, that it is once, and how much of it has come', () => {
  const stage = {
    stage: 'fetching-language',
    language: 'German',
    received: 3_140_000,
    of: 8_411_089,
  } as const;
  expect(stageText(stage)).toBe('Fetching German, once: 3.1 of 8.4 MB');
});
