/** Whether a process keeps what it should have given back. */

export interface MemorySample {
  /** Inputs that had been sent. */
  inputs: number;
  /** Bytes resident. */
  bytes: number;
}

export interface MemoryTrend {
  /** The least that was held in the first and in the last third of the time, once warm. Bytes. */
  from: number;
  to: number;
  /** Bytes per 1,000 inputs between the two. */
  slope: number;
}

/** The first samples of a process tell how it warms up: models, caches and code are still being loaded. */
const WARM_UP_SHARE = 0.25;
const MIN_SAMPLES = 9;

/**
 * Resident memory swings by whole pictures, and what was least over a long while is what is held for good.
 * Undefined where there are too few samples to speak of a trend.
 */
export function trendOf(samples: readonly MemorySample[]): MemoryTrend | undefined {
  const warm = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));
  if (warm.length < MIN_SAMPLES) return undefined;
  const third = Math.floor(warm.length / 3);
  const least = (some: readonly MemorySample[]) =>
    some.reduce((low, sample) => (sample.bytes < low.bytes ? sample : low));
  const [early, late] = [least(warm.slice(0, third)), least(warm.slice(-third))];
  return {
    from: early.bytes,
    to: late.bytes,
    slope: ((late.bytes - early.bytes) / (late.inputs - early.inputs)) * 1_000,
  };
}
