/**
 * Completes a truncated PNG, as an interrupted transfer leaves it: browsers reject such a file, and the server's decoder
 * repeats rows in place of missing ones.
 */
import { checkSize } from './working-picture.ts';

const SIGNATURE_BYTES = 8;
/** Length and name before a chunk's content, and its check sum after it. */
const CHUNK_OVERHEAD = { header: 8, crc: 4 } as const;
const HEADER_BYTES = 13;
/** Bytes that are compressed at a time. */
const PIECE = 1 << 16;
/** Color types and their channels. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Inflates a zlib stream, given in parts, into `target` until that is full, the stream ends or is damaged. Returns the number
 * of bytes. Platforms differ: a `DecompressionStream` drops buffered output on an error, and in Node it does so at random.
 */
export type Inflate = (stream: readonly Bytes[], target: Bytes) => Promise<number>;

interface Chunks {
  /** From the signature to the pixels. */
  head: Bytes;
  data: Bytes[];
}

/**
 * A PNG whose pixels end too early, with rows of zeros for the missing ones: black, transparent, or a palette's first color.
 * Undefined for one that has all rows, and for interlaced ones, which no decoder reads without their end.
 * @throws {OcrError} `damaged`, `too_many_pixels` by its header
 */
export async function completedPng(
  file: Uint8Array,
  maxPixels: number,
  inflate: Inflate,
): Promise<Bytes | undefined> {
  const { head, data } = chunksOf(new Uint8Array(file));
  const rows = rowsOf(head);
  if (!rows || data.length === 0) return undefined;
  checkSize({ width: rows.width, height: rows.count }, maxPixels);
  const pixels = new Uint8Array(rows.bytes * rows.count);
  const whole = Math.floor((await inflate(data, pixels)) / rows.bytes);
  if (whole >= rows.count) return undefined;
  pixels.fill(0, whole * rows.bytes);
  const content = await deflated(pixels);
  return joined([head, ...chunk('IDAT', content), ...chunk('IEND', new Uint8Array(0))]);
}

async function deflated(bytes: Bytes): Promise<Bytes> {
  const { readable, writable } = new CompressionStream('deflate');
  const writer = writable.getWriter();
  const written = (async () => {
    for (let at = 0; at < bytes.length; at += PIECE) await writer.write(bytes.subarray(at, at + PIECE));
    await writer.close();
  })();
  const [content] = await Promise.all([new Response(readable).arrayBuffer(), written]);
  return new Uint8Array(content);
}

function chunksOf(bytes: Bytes): Chunks {
  const view = new DataView(bytes.buffer);
  const data: Bytes[] = [];
  let head: Bytes | undefined;
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD.header <= bytes.length; ) {
    const start = at + CHUNK_OVERHEAD.header;
    const end = start + view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, start));
    if (name === 'IDAT') {
      head ??= bytes.subarray(0, at);
      data.push(bytes.subarray(start, end));
    } else if (head) break;
    at = end + CHUNK_OVERHEAD.crc;
  }
  return { head: head ?? bytes, data };
}

interface Rows {
  /** Pixels of a row. */
  width: number;
  /** Bytes of a row with its filter. */
  bytes: number;
  count: number;
}

function rowsOf(head: Bytes): Rows | undefined {
  const header = head.subarray(SIGNATURE_BYTES + CHUNK_OVERHEAD.header).subarray(0, HEADER_BYTES);
  const [depth, color, , , interlaced] = header.subarray(8);
  const channels = CHANNELS.get(color ?? -1);
  if (header.length < HEADER_BYTES || depth === undefined || channels === undefined || interlaced !== 0)
    return undefined;
  const view = new DataView(header.buffer, header.byteOffset);
  const width = view.getUint32(0);
  return {
    width,
    bytes: 1 + Math.ceil((width * channels * depth) / 8),
    count: view.getUint32(4),
  };
}

function chunk(name: string, content: Bytes): Bytes[] {
  const named = [Uint8Array.from(name, (letter) => letter.charCodeAt(0)), content];
  return [uint32Bytes(content.length), ...named, uint32Bytes(checkSum(named))];
}

function uint32Bytes(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** CRC-32, as PNG has it. */
function checkSum(parts: readonly Bytes[]): number {
  let sum = 0xffffffff;
  for (const part of parts) {
    for (const byte of part) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
  }
  return ~sum >>> 0;
}

function joined(parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
