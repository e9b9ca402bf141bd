/**
 * Scales pictures as sharp does on the server, so that both read the same letters: the same kernels at the same places.
 * Single values differ by one level, because libvips rounds its weights.
 */

export type Kernel = 'cubic' | 'lanczos3';

interface Pixels {
  /** Interleaved, 8 bits a channel. */
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

/** Libvips looks its weights up at places of this many parts of a pixel. */
const PARTS = 64;
/** A kernel covers at most this many times as many pixels as at full size; above, pixels are first averaged in blocks. */
const GAP = 2;

const SUPPORT: Readonly<Record<Kernel, number>> = { cubic: 2, lanczos3: 3 };

function weightAt(kernel: Kernel, distance: number): number {
  const x = Math.abs(distance);
  if (x >= SUPPORT[kernel]) return 0;
  if (kernel === 'lanczos3') {
    const angle = Math.PI * x;
    return x === 0 ? 1 : (3 * Math.sin(angle) * Math.sin(angle / 3)) / angle ** 2;
  }
  return x <= 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}

/** For each output position the first input position it reads, and the weights from there on. */
interface Taps {
  from: Int32Array;
  weights: Float32Array[];
}

function tapsOf(length: number, wanted: number, shrink: number, kernel: Kernel): Taps {
  const enlarges = shrink < 1;
  // It enlarges by cubic interpolation alone, half an output pixel off.
  const used = enlarges ? 'cubic' : kernel;
  const stretch = Math.max(1, shrink);
  const reach = SUPPORT[used] * stretch;
  const from = new Int32Array(wanted);
  const weights: Float32Array[] = [];
  for (let at = 0; at < wanted; at++) {
    const centre = (at + (enlarges ? 0 : 0.5)) * shrink - 0.5;
    const place = Math.round(centre * PARTS) / PARTS;
    const first = Math.ceil(place - reach);
    const row = new Float32Array(Math.floor(place + reach) - first + 1);
    let sum = 0;
    for (let i = 0; i < row.length; i++) sum += weightAt(used, (first + i - place) / stretch);
    for (let i = 0; i < row.length; i++) row[i] = weightAt(used, (first + i - place) / stretch) / sum;
    from[at] = Math.min(length - 1, Math.max(-row.length, first));
    weights.push(row);
  }
  return { from, weights };
}

/**
 * A picture at another size, in any proportion.
 * @param channels interleaved in each pixel; alpha must be multiplied in
 */
export function resize(
  { data, width, height }: Pixels,
  size: { width: number; height: number },
  channels: number,
  kernel: Kernel,
): Uint8Array {
  const tall = scaledDown(data, width * channels, height, size.height, kernel);
  return scaledAcross(tall, { width, height: size.height }, size.width, channels, kernel);
}

/** In one direction, where rows are longer or shorter than wanted, whole blocks of them become one. */
function blockSize(length: number, wanted: number): number {
  return Math.max(1, Math.floor(length / wanted / GAP));
}

/** Scales the number of rows. Enlarged rows stay fractions until they are scaled across as well. */
function scaledDown(
  data: Pixels['data'],
  rowLength: number,
  height: number,
  wanted: number,
  kernel: Kernel,
): Uint8Array | Uint8ClampedArray | Float32Array {
  if (height === wanted) return data;
  const block = blockSize(height, wanted);
  const source = block === 1 ? data : averagedRows(data, rowLength, height, block);
  const rows = Math.ceil(height / block);
  const { from, weights } = tapsOf(rows, wanted, height / wanted / block, kernel);
  const scaled =
    wanted > height ? new Float32Array(rowLength * wanted) : new Uint8ClampedArray(rowLength * wanted);
  const sums = new Float32Array(rowLength);
  for (let y = 0; y < wanted; y++) {
    sums.fill(0);
    for (const [i, weight] of weights[y]!.entries()) {
      const start = Math.min(rows - 1, Math.max(0, from[y]! + i)) * rowLength;
      for (let x = 0; x < rowLength; x++) sums[x]! += weight * source[start + x]!;
    }
    const start = y * rowLength;
    // A clamped array would round halves to even values.
    if (scaled instanceof Float32Array) scaled.set(sums, start);
    else for (let x = 0; x < rowLength; x++) scaled[start + x] = Math.floor(sums[x]! + 0.5);
  }
  return scaled;
}

function averagedRows(data: Pixels['data'], rowLength: number, height: number, block: number): Uint8Array {
  const rows = Math.ceil(height / block);
  const averaged = new Uint8Array(rowLength * rows);
  const sums = new Uint32Array(rowLength);
  for (let row = 0; row < rows; row++) {
    sums.fill(block >> 1);
    for (let i = 0; i < block; i++) {
      const start = Math.min(height - 1, row * block + i) * rowLength;
      for (let x = 0; x < rowLength; x++) sums[x]! += data[start + x]!;
    }
    for (let x = 0; x < rowLength; x++) averaged[row * rowLength + x] = sums[x]! / block;
  }
  return averaged;
}

/** Scales the length of rows, and rounds. */
function scaledAcross(
  data: Uint8Array | Uint8ClampedArray | Float32Array,
  { width, height }: { width: number; height: number },
  wanted: number,
  channels: number,
  kernel: Kernel,
): Uint8Array {
  if (width === wanted) return data instanceof Float32Array ? rounded(data) : new Uint8Array(data.buffer);
  const block = blockSize(width, wanted);
  const columns = Math.ceil(width / block);
  const { from, weights } = tapsOf(columns, wanted, width / wanted / block, kernel);
  const scaled = new Uint8ClampedArray(wanted * channels * height);
  const row = new Float32Array(columns * channels);
  for (let y = 0; y < height; y++) {
    const start = y * width * channels;
    if (block === 1) row.set(data.subarray(start, start + width * channels));
    else averageColumns(data.subarray(start, start + width * channels), row, channels, block);
    for (let x = 0; x < wanted; x++) {
      const own = weights[x]!;
      const first = from[x]!;
      const target = (y * wanted + x) * channels;
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let i = 0; i < own.length; i++) {
          const column = Math.min(columns - 1, Math.max(0, first + i));
          sum += own[i]! * row[column * channels + channel]!;
        }
        scaled[target + channel] = Math.floor(sum + 0.5);
      }
    }
  }
  return new Uint8Array(scaled.buffer);
}

function averageColumns(
  data: Uint8Array | Uint8ClampedArray | Float32Array,
  averaged: Float32Array,
  channels: number,
  block: number,
): void {
  const last = data.length / channels - 1;
  for (let at = 0; at < averaged.length; at++) {
    const column = Math.floor(at / channels) * block;
    let sum = block >> 1;
    for (let i = 0; i < block; i++) sum += data[Math.min(last, column + i) * channels + (at % channels)]!;
    averaged[at] = Math.floor(sum / block);
  }
}

function rounded(data: Float32Array): Uint8Array {
  const bytes = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at++) bytes[at] = Math.floor(data[at]! + 0.5);
  return new Uint8Array(bytes.buffer);
}
