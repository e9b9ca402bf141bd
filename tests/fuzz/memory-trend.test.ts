import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../scripts/random.ts';
import { trendOf } from './memory-trend.ts';

/** A process that holds 100 MB and `growth` bytes more an input, with a picture of up to 80 MB in work at any moment. */
function samples(growth: number, count = 40) {
  const random = randomFrom(7);
  return Array.from({ length: count }, (_, i) => ({
    inputs: 25 * i,
    bytes: 100e6 + growth * 25 * i + random.whole(0, 80e6),
  }));
}

describe('the trend of a process’ memory', () => {
  it('is level where only the pictures in work come and go', () => {
    const { from, to } = trendOf(samples(0))!;
    expect(to / from).toBeLessThan(1.15);
  });

  it('rises where each input leaves something behind', () => {
    const { from, to, slope } = trendOf(samples(100_000))!;
    expect(to / from).toBeGreaterThan(1.3);
    expect(slope).toBeGreaterThan(70e6);
  });

  it('leaves out how a process warms up', () => {
    const warming = samples(0).map((sample, i) => (i < 5 ? { ...sample, bytes: 10e6 * i } : sample));
    const { from, to } = trendOf(warming)!;
    expect(to / from).toBeLessThan(1.15);
  });

  it('is not spoken of after a few samples', () => {
    expect(trendOf(samples(0, 8))).toBeUndefined();
  });
});
