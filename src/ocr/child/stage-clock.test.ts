import { expect, it } from 'vitest';
import { createStageClock } from './stage-clock.ts';

it('StageClock: a stage lasts until the next one starts, however often it reports, and the last one until the times are read', () => {
  let now = 0;
  const clock = createStageClock(() => now);
  now = 5;
  clock.enter({ name: 'decoding' });
  now = 15;
  clock.enter({ name: 'finding-lines' });
  now = 40;
  clock.enter({ name: 'reading', line: 1, of: 2 });
  now = 50;
  clock.enter({ name: 'reading', line: 2, of: 2 });
  now = 60;
  expect(clock.times()).toEqual({ decoding: 10, 'finding-lines': 25, reading: 20 });
});

it('StageClock: a picture that never started has no times', () => {
  expect(createStageClock().times()).toEqual({});
});
