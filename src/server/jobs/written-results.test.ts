import { expect, it } from 'vitest';
import { createWrittenResults } from './written-results.ts';

function createClock() {
  let time = 0;
  return { now: () => new Date(time), advance: (milliseconds: number) => (time += milliseconds) };
}
const bytes = (length: number) => new Uint8Array(length);

it('written results: the last one of a person is found for a minute, in its own format only', () => {
  const clock = createClock();
  const results = createWrittenResults(clock);
  const content = bytes(5);
  results.keep('anna', 'job', 'alto', content);
  expect(results.find('job', 'alto')).toBe(content);
  expect(results.find('job', 'hocr')).toBeUndefined();
  expect(results.find('other', 'alto')).toBeUndefined();
  results.keep('anna', 'job', 'hocr', bytes(1));
  expect(results.find('job', 'alto')).toBeUndefined();
  clock.advance(60_000);
  expect(results.find('job', 'hocr')).toBeUndefined();
});

it('written results: a job that is deleted leaves none', () => {
  const results = createWrittenResults(createClock());
  results.keep('anna', 'job', 'alto', bytes(5));
  results.forget('job');
  expect(results.find('job', 'alto')).toBeUndefined();
});

it('written results: the oldest make room, and what is larger than the memory is not kept', () => {
  const results = createWrittenResults(createClock(), 10);
  results.keep('anna', 'one', 'alto', bytes(6));
  results.keep('ben', 'two', 'alto', bytes(4));
  results.keep('carl', 'three', 'alto', bytes(5));
  expect(results.find('one', 'alto')).toBeUndefined();
  expect(results.find('two', 'alto')).toBeDefined();
  results.keep('dora', 'four', 'alto', bytes(11));
  expect(results.find('four', 'alto')).toBeUndefined();
  expect(results.find('three', 'alto')).toBeDefined();
});
