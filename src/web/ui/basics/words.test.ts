import { describe, expect, test } from 'vitest';
import { numberInWords } from '#contract/product';
import { counted, momentInWords, picturesADay, timeUntil } from './words.ts';

describe('counts in words', () => {
  test('counted: is singular for 1 and plural otherwise', () => {
    expect(counted(1, 'text')).toBe('1 text');
    expect(counted(0, 'text')).toBe('0 texts');
    expect(counted(2, 'text')).toBe('2 texts');
    expect(counted(1, 'entry', 'entries')).toBe('1 entry');
    expect(counted(3, 'entry', 'entries')).toBe('3 entries');
  });

  test('picturesADay: spells small numbers as words', () => {
    expect(picturesADay(3)).toBe('three pictures a day');
    expect(picturesADay(1)).toBe('one picture a day');
    expect(picturesADay(25)).toBe('25 pictures a day');
    expect(numberInWords(1500)).toBe('1,500');
  });
});

describe('time until a reset', () => {
  const now = Date.parse('2026-03-01T05:00:00.000Z');
  test('timeUntil: is in minutes, hours or days, and never zero', () => {
    expect(timeUntil('2026-03-02T00:00:00.000Z', now)).toBe('in 19 h');
    expect(timeUntil('2026-03-01T05:24:30.000Z', now)).toBe('in 25 min');
    expect(timeUntil('2026-03-13T05:00:00.000Z', now)).toBe('in 12 days');
    expect(timeUntil('2026-03-01T05:00:00.000Z', now)).toBe('in 1 min');
    expect(timeUntil('2026-02-28T00:00:00.000Z', now)).toBe('in 1 min');
  });
});

test('momentInWords: is in UTC in every time zone of the machine', () => {
  expect(momentInWords('2026-11-23T00:00:00.000Z')).toBe('November 23, 2026, 00:00 UTC');
});
