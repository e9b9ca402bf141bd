import { expect, test } from 'vitest';
import { timeSince } from './recent-results.tsx';

test('timeSince: is "just now", minutes, hours or days', () => {
  const then = Date.parse('2026-03-01T05:00:00.000Z');
  const [minute, hour] = [60_000, 3_600_000];
  expect(timeSince(then, then + 59_000)).toBe('just now');
  expect(timeSince(then, then - hour)).toBe('just now');
  expect(timeSince(then, then + 25.5 * minute)).toBe('25 min ago');
  expect(timeSince(then, then + 3.9 * hour)).toBe('3 h ago');
  expect(timeSince(then, then + 12 * 24 * hour)).toBe('12 days ago');
});
