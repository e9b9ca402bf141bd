import { expect, it } from 'vitest';
import { createResultCache } from './result-cache.ts';

function createClock() {
  let time = 0;
  return { now: () => new Date(time), advance: (milliseconds: number) => (time += milliseconds) };
}
const bytes = (length: number) => new Uint8Array(length);

it('result cache: returns the last result of a user for a minute, for its own format only', () => {
  const clock = createClock();
  const results = createResultCache(clock);
  const content = bytes(5);
  results.store('anna', 'job', 'alto', content);
  expect(results.find('job', 'alto')).toBe(content);
  expect(results.find('job', 'hocr')).toBeUndefined();
  expect(results.find('other', 'alto')).toBeUndefined();
  results.store('anna', 'job', 'hocr', bytes(1));
  expect(results.find('job', 'alto')).toBeUndefined();
  clock.advance(60_000);
  expect(results.find('job', 'hocr')).toBeUndefined();
});

it('result cache: drops the results of a deleted job', () => {
  const results = createResultCache(createClock());
  results.store('anna', 'job', 'alto', bytes(5));
  results.forget('job');
  expect(results.find('job', 'alto')).toBeUndefined();
});

it('result cache: evicts the oldest results, and does not store a result larger than its memory', () => {
  const results = createResultCache(createClock(), 10);
  results.store('anna', 'one', 'alto', bytes(6));
  results.store('ben', 'two', 'alto', bytes(4));
  results.store('carl', 'three', 'alto', bytes(5));
  expect(results.find('one', 'alto')).toBeUndefined();
  expect(results.find('two', 'alto')).toBeDefined();
  results.store('dora', 'four', 'alto', bytes(11));
  expect(results.find('four', 'alto')).toBeUndefined();
  expect(results.find('three', 'alto')).toBeDefined();
});
