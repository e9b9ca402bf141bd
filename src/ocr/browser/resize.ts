/**
 * Scales pictures exactly as sharp does on the server, so that both read the same letters: with the kernels, sample positions,
 * weights and rounding of libvips, in integer arithmetic.
 */

export type Kernel = 'cubic' | 'lanczos3';

interface Pixels {
  /** Interleaved, 8 bits a channel. */
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/** Kernel weights are computed for this many subpixel offsets; an offset is rounded from twice as many steps. */
const SUBPIXEL_STEPS = 64;
/** Weights are fixed-point integers. */
const FRACTION_BITS = 12;
const ONE = 2 ** FRACTION_BITS;
const HALF = ONE / 2;
/** The `gap` of libvips: pixels are first averaged in blocks where this leaves at least so great a reduction to the kernel. */
const GAP = 2;

const SUPPORT: Readonly<Record<Kernel, number>> = { cubic: 2, lanczos3: 3 };

function weightAt(kernel: Kernel, distance: number): number {
  const x = Math.abs(distance);
  if (kernel === 'lanczos3') {
    const angle = Math.PI * x;
    if (x === 0) return 1;
    return x < 3 ? (3 * Math.sin(angle) * Math.sin(angle / 3)) / angle ** 2 : 0;
  }
  if (x > 2) return 0;
  return x <= 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

/** The filter taps of one output pixel: the first input pixel, which may lie outside, and the weights from there on. */
interface Taps {
  from: number;
  weights: Int16Array;
}

/** @param shrink input pixels of one output pixel; below 1 libvips always takes the cubic kernel, at the corners of pixels */
function tapsOf(wanted: number, shrink: number, kernel: Kernel): Taps[] {
  const enlarges = shrink < 1;
  const count = enlarges ? 4 : Math.round(2 * SUPPORT[kernel] * shrink) + 1;
  const before = count / 2 - 1;
  const rows = new Map<number, Int16Array>();
  return Array.from({ length: wanted }, (_, at) => {
    const start = (at + (enlarges ? 0 : 0.5)) * shrink - 0.5 - before;
    const first = Math.floor(start);
    const part = (Math.floor((start - first) * 2 * SUBPIXEL_STEPS) + 1) >> 1;
    const row =
      rows.get(part) ??
      weightsOf(part / SUBPIXEL_STEPS + before, count, enlarges ? 1 : shrink, enlarges ? 'cubic' : kernel);
    rows.set(part, row);
    return { from: first, weights: row };
  });
}

/** The weights of pixels around a place, counted from the first of them; truncated to integers. */
function weightsOf(place: number, count: number, stretch: number, kernel: Kernel): Int16Array {
  const row = Float64Array.from({ length: count }, (_, i) => weightAt(kernel, (i - place) / stretch));
  const sum = stretch === 1 && count === 4 ? 1 : row.reduce((all, weight) => all + weight, 0);
  return Int16Array.from(row, (weight) => Math.trunc((weight / sum) * ONE));
}

/**
 * A picture at another size: smaller or larger in both directions.
 * @param channels interleaved in each pixel; alpha must be premultiplied
 */
export function resize(
  { data, width, height }: Pixels,
  size: { width: number; height: number },
  channels: number,
  kernel: Kernel,
): Uint8Array {
  const rows = size.height < height ? shrunkDown(data, width * channels, height, size.height, kernel) : data;
  const shown = { width, height: Math.min(height, size.height) };
  const small = size.width < width ? shrunkAcross(rows, shown, size.width, channels, kernel) : rows;
  const enlarged = { width: Math.min(width, size.width), height: shown.height };
  if (size.width > enlarged.width || size.height > enlarged.height)
    return enlargedTo(small, enlarged, size, channels);
  return new Uint8Array(small.buffer, small.byteOffset, small.length);
}

/** Where the output is much smaller, whole blocks of pixels become one first. */
const blockSize = (length: number, wanted: number): number => Math.max(1, Math.floor(length / wanted / GAP));

/** Integer division by multiplication with the reciprocal, as in libvips. */
const divider = (by: number): ((sum: number) => number) => {
  const factor = Math.floor(2 ** 24 / by);
  return (sum) => Math.floor(((sum + (by >> 1)) * factor) / 2 ** 24);
};

/** Fewer rows. */
function shrunkDown(
  data: Pixels['data'],
  rowLength: number,
  height: number,
  wanted: number,
  kernel: Kernel,
): Uint8ClampedArray {
  const block = blockSize(height, wanted);
  const source = block === 1 ? data : averagedRows(data, rowLength, height, block);
  const rows = Math.ceil(height / block);
  const taps = tapsOf(wanted, height / wanted / block, kernel);
  const shrunk = new Uint8ClampedArray(rowLength * wanted);
  const sums = new Int32Array(rowLength);
  for (const [y, { from, weights }] of taps.entries()) {
    sums.fill(HALF);
    for (const [i, weight] of weights.entries()) {
      const start = within(from + i, rows) * rowLength;
      for (let x = 0; x < rowLength; x++) sums[x]! += weight * source[start + x]!;
    }
    const start = y * rowLength;
    for (let x = 0; x < rowLength; x++) shrunk[start + x] = sums[x]! >> FRACTION_BITS;
  }
  return shrunk;
}

function averagedRows(data: Pixels['data'], rowLength: number, height: number, block: number): Uint8Array {
  const rows = Math.ceil(height / block);
  const averaged = new Uint8Array(rowLength * rows);
  const sums = new Uint32Array(rowLength);
  const mean = divider(block);
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    for (let i = 0; i < block; i++) {
      const start = within(row * block + i, height) * rowLength;
      for (let x = 0; x < rowLength; x++) sums[x]! += data[start + x]!;
    }
    for (let x = 0; x < rowLength; x++) averaged[row * rowLength + x] = mean(sums[x]!);
  }
  return averaged;
}

/** Shorter rows. */
function shrunkAcross(
  data: Pixels['data'],
  { width, height }: { width: number; height: number },
  wanted: number,
  channels: number,
  kernel: Kernel,
): Uint8ClampedArray {
  const block = blockSize(width, wanted);
  const columns = Math.ceil(width / block);
  const taps = tapsOf(wanted, width / wanted / block, kernel);
  const shrunk = new Uint8ClampedArray(wanted * channels * height);
  const averaged = new Uint8Array(columns * channels);
  for (let y = 0; y < height; y++) {
    const own = data.subarray(y * width * channels, (y + 1) * width * channels);
    if (block > 1) averageColumns(own, averaged, channels, block);
    const row = block > 1 ? averaged : own;
    let target = y * wanted * channels;
    for (const { from, weights } of taps) {
      for (let channel = 0; channel < channels; channel++) {
        let sum = HALF;
        for (let i = 0; i < weights.length; i++)
          sum += weights[i]! * row[within(from + i, columns) * channels + channel]!;
        shrunk[target++] = sum >> FRACTION_BITS;
      }
    }
  }
  return shrunk;
}

function averageColumns(data: Pixels['data'], averaged: Uint8Array, channels: number, block: number): void {
  const width = data.length / channels;
  const mean = divider(block);
  for (let at = 0; at < averaged.length; at++) {
    const column = Math.floor(at / channels) * block;
    let sum = 0;
    for (let i = 0; i < block; i++) sum += data[within(column + i, width) * channels + (at % channels)]!;
    averaged[at] = mean(sum);
  }
}

/** A larger picture: across first, whose sums may lie outside the range of a byte. */
function enlargedTo(
  data: Pixels['data'],
  { width, height }: { width: number; height: number },
  size: { width: number; height: number },
  channels: number,
): Uint8Array {
  const across = tapsOf(size.width, width / size.width, 'cubic');
  const down = tapsOf(size.height, height / size.height, 'cubic');
  const rowLength = size.width * channels;
  const wide = new Int16Array(rowLength * height);
  for (let y = 0; y < height; y++) {
    let at = y * rowLength;
    for (const taps of across) {
      for (let channel = 0; channel < channels; channel++, at++) {
        wide[at] =
          size.width === width
            ? data[at]!
            : summed(taps, (i) => data[(y * width + within(i, width)) * channels + channel]!);
      }
    }
  }
  const enlarged = new Uint8ClampedArray(rowLength * size.height);
  for (const [y, taps] of down.entries()) {
    for (let x = 0; x < rowLength; x++) {
      enlarged[y * rowLength + x] =
        size.height === height
          ? wide[y * rowLength + x]!
          : summed(taps, (i) => wide[within(i, height) * rowLength + x]!);
    }
  }
  return new Uint8Array(enlarged.buffer);
}

function summed({ from, weights }: Taps, levelAt: (position: number) => number): number {
  let sum = HALF;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * levelAt(from + i);
  return sum >> FRACTION_BITS;
}

/** Clamps to the edge. */
const within = (position: number, length: number): number => Math.min(length - 1, Math.max(0, position));
