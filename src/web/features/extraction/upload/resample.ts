/*
 * Downsamples like the engine (Lanczos with three lobes), so that a picture scaled in the browser has the same recognition
 * result as one scaled by the engine. The browsers' scaling algorithms differ.
 */

const LOBES = 3;
/** RGBA. */
export const CHANNELS = 4;

/** For each target pixel: the index of its first source pixel (`first`) and the weights of `taps` source pixels. */
export interface FilterWeights {
  to: number;
  taps: number;
  first: Int32Array;
  weights: Float32Array;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** The weights to resample a side of `from` pixels. @param to at most `from` */
export function lanczosWeights(from: number, to: number): FilterWeights {
  const step = from / to;
  const reach = LOBES * step;
  const taps = Math.min(from, Math.ceil(2 * reach) + 1);
  const first = new Int32Array(to);
  const weights = new Float32Array(to * taps);
  for (let i = 0; i < to; i++) {
    const middle = (i + 0.5) * step - 0.5;
    const start = Math.min(Math.max(0, Math.ceil(middle - reach)), from - taps);
    first[i] = start;
    let sum = 0;
    for (let k = 0; k < taps; k++) {
      const x = (start + k - middle) / step;
      const weight = Math.abs(x) < LOBES ? sinc(x) * sinc(x / LOBES) : 0;
      weights[i * taps + k] = weight;
      sum += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k]! /= sum;
  }
  return { to, taps, first, weights };
}

/** Resamples rows of `width` pixels horizontally, and writes them into `target` from row `row` on. */
export function resampleHorizontally(
  source: Uint8ClampedArray,
  width: number,
  axis: FilterWeights,
  target: Uint8ClampedArray,
  row: number,
): void {
  const { to, taps, first, weights } = axis;
  const rows = source.length / (width * CHANNELS);
  for (let y = 0; y < rows; y++) {
    let at = (row + y) * to * CHANNELS;
    for (let x = 0; x < to; x++) {
      let from = (y * width + first[x]!) * CHANNELS;
      let weightAt = x * taps;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let k = 0; k < taps; k++) {
        const weight = weights[weightAt++]!;
        red += weight * source[from]!;
        green += weight * source[from + 1]!;
        blue += weight * source[from + 2]!;
        from += CHANNELS;
      }
      target[at++] = red;
      target[at++] = green;
      target[at++] = blue;
      target[at++] = 255;
    }
  }
}

/** Resamples a picture with rows of `width` pixels vertically. */
export function resampleVertically(
  source: Uint8ClampedArray,
  width: number,
  axis: FilterWeights,
): Uint8ClampedArray<ArrayBuffer> {
  const { to, taps, first, weights } = axis;
  const length = width * CHANNELS;
  const target = new Uint8ClampedArray(to * length);
  const sums = new Float32Array(length);
  for (let y = 0; y < to; y++) {
    sums.fill(0);
    for (let k = 0; k < taps; k++) {
      const weight = weights[y * taps + k]!;
      if (weight === 0) continue;
      const from = (first[y]! + k) * length;
      for (let i = 0; i < length; i++) sums[i]! += weight * source[from + i]!;
    }
    target.set(sums, y * length);
  }
  return target;
}
