/**
 * The end of a PNG, which an interrupted transfer cuts off: browsers refuse such a file, and decode it once its missing rows
 * are there.
 */
import { checkSize } from '../picture/working-picture.ts';

const SIGNATURE_BYTES = 8;
/** Length and name before a chunk's content, and its check sum after it. */
const FRAME = { before: 8, behind: 4 } as const;
const HEADER_BYTES = 13;
/** The server's decoder takes as much of a chunk at a time, and loses the last piece that is not whole. */
const PIECE = 8192;
const PALETTE = 3;
/** Color types and their channels. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [PALETTE, 1],
  [4, 2],
  [6, 4],
]);

type Bytes = Uint8Array<ArrayBuffer>;

interface CompletedPng {
  bytes: Bytes;
  /**
   * Rows from this one on are missing, and black or transparent as on the server once they are set to zero: a palette may
   * have no such color. Undefined where they are zero already.
   */
  zeroFrom: number | undefined;
}

interface Chunks {
  /** From the signature to the pixels. */
  head: Bytes;
  data: Bytes[];
}

/**
 * A PNG whose pixels end too early, with rows for those that are not whole. Undefined for one that has all rows, and for
 * interlaced ones, which the server's decoder refuses without their end.
 * @throws {OcrError} `damaged`, `too_many_pixels` by its header
 */
export async function completedPng(file: Uint8Array, maxPixels: number): Promise<CompletedPng | undefined> {
  const { head, data } = chunksOf(new Uint8Array(file));
  const rows = rowsOf(head);
  if (!rows || data.length === 0) return undefined;
  checkSize({ width: rows.width, height: rows.count }, maxPixels);
  const inflated = await inflate(data, rows.bytes * rows.count);
  const zeroFrom = Math.floor(inflated.length / rows.bytes);
  if (zeroFrom >= rows.count) return undefined;
  const all = new Uint8Array(rows.bytes * rows.count);
  all.set(inflated.subarray(0, zeroFrom * rows.bytes));
  const packed = new Blob([all]).stream().pipeThrough(new CompressionStream('deflate'));
  const content = new Uint8Array(await new Response(packed).arrayBuffer());
  return {
    bytes: await joined([head, ...chunk('IDAT', content), ...chunk('IEND', new Uint8Array(0))]),
    zeroFrom: rows.ofPalette ? zeroFrom : undefined,
  };
}

/** What can be inflated, up to some part after `most` bytes: damage ends it, as the end of the data does. */
async function inflate(data: readonly Bytes[], most: number): Promise<Bytes> {
  const { readable, writable } = new DecompressionStream('deflate');
  const reader = readable.getReader();
  const writer = writable.getWriter();
  const parts: Bytes[] = [];
  const reading = (async () => {
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (length < most) parts.push(part.value);
      length += part.value.length;
    }
  })();
  try {
    for (const part of data) await writer.write(part);
    // An error drops what was not read yet.
    await new Promise((resolve) => setTimeout(resolve));
    await writer.close();
  } catch {
    // Of a stream without its end.
  }
  await reading.catch(() => {});
  return joined(parts);
}

function chunksOf(bytes: Bytes): Chunks {
  const view = new DataView(bytes.buffer);
  const data: Bytes[] = [];
  let head: Bytes | undefined;
  for (let at = SIGNATURE_BYTES; at + FRAME.before <= bytes.length; ) {
    const start = at + FRAME.before;
    const end = start + view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, start));
    if (name === 'IDAT') {
      head ??= bytes.subarray(0, at);
      const arrived = end <= bytes.length ? end : bytes.length - ((bytes.length - start) % PIECE);
      data.push(bytes.subarray(start, arrived));
    } else if (head) break;
    at = end + FRAME.behind;
  }
  return { head: head ?? bytes, data };
}

interface Rows {
  /** Pixels of a row. */
  width: number;
  /** Bytes of a row with its filter. */
  bytes: number;
  count: number;
  ofPalette: boolean;
}

function rowsOf(head: Bytes): Rows | undefined {
  const header = head.subarray(SIGNATURE_BYTES + FRAME.before).subarray(0, HEADER_BYTES);
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
    ofPalette: color === PALETTE,
  };
}

function chunk(name: string, content: Bytes): Bytes[] {
  const named = [Uint8Array.from(name, (letter) => letter.charCodeAt(0)), content];
  return [numberInBytes(content.length), ...named, numberInBytes(checkSum(named))];
}

function numberInBytes(value: number): Bytes {
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

const joined = async (parts: Bytes[]): Promise<Bytes> => new Uint8Array(await new Blob(parts).arrayBuffer());
