import { constants, crc32, deflateRawSync } from 'node:zlib';

/**
 * Small, valid files that are expensive to decode: each repeats an element more often than any camera, scanner or program
 * does.
 */

/** A gray progressive JPEG of one shade. Each scan after the first one consists of a few bytes without any change. */
export function jpegOfScans(scans: number, side: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(side, 1);
  frame.writeUInt16BE(side, 3);
  /** Huffman table with one code, the bit 0, for `symbol`. */
  const table = (kind: number, symbol: number) =>
    segment(0xc4, Buffer.from([kind, 1, ...new Array<number>(15).fill(0), symbol]));
  const scan = (from: number, to: number, bits: Buffer) =>
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, from, to, 0])), bits]);
  // Symbol 0xE0 and 14 further bits skip up to 32,767 unchanged blocks.
  const runs = Math.ceil(blocks / 32_767);
  const empty = scan(1, 1, packBits('0'.concat('1'.repeat(14)).repeat(runs)));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segment(0xc2, frame),
    table(0x00, 0),
    table(0x10, 0xe0),
    scan(0, 0, Buffer.alloc(Math.ceil(blocks / 8))),
    ...new Array<Buffer>(scans - 1).fill(empty),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Packs bits into JPEG bytes: padded with ones, and a zero byte after each 0xff. */
function packBits(bits: string): Buffer {
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((eight) => Number.parseInt(eight.padEnd(8, '1'), 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}

/** A TIFF of many pages of one pixel each. */
export function tiffOfPages(pages: number): Buffer {
  const tags = { 256: 1, 257: 1, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 1, 279: 1 };
  return tiffOf(new Array<Record<number, number>>(pages).fill(tags));
}

/** A little-endian TIFF that consists of lists of tags only, each value with 32 bits. */
export function tiffOf(pages: readonly Record<number, number>[]): Buffer {
  const header = Buffer.from('II*\0\x0a\0\0\0\0\0', 'latin1');
  let at = header.length;
  const lists = pages.map((tags, index) => {
    const entries = Object.entries(tags);
    const list = Buffer.alloc(2 + entries.length * 12 + 4);
    list.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, value], entry) => {
      list.writeUInt16LE(Number(tag), 2 + entry * 12);
      list.writeUInt16LE(4, 4 + entry * 12);
      list.writeUInt32LE(1, 6 + entry * 12);
      list.writeUInt32LE(value, 10 + entry * 12);
    });
    at += list.length;
    if (index < pages.length - 1) list.writeUInt32LE(at, list.length - 4);
    return list;
  });
  return Buffer.concat([header, ...lists]);
}

/** An 8-bit bitmap of one pixel, followed by runs of `length` beyond the end of its row. */
export function bmpOfRuns(bytes: number, length: number): Buffer {
  const header = Buffer.alloc(14 + 40 + 4);
  header.write('BM', 'latin1');
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(1, 18);
  header.writeInt32LE(1, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(8, 28);
  header.writeUInt32LE(1, 30);
  header.writeUInt32LE(1, 46);
  return Buffer.concat([header, Buffer.alloc(bytes, Buffer.from([length, 0])), Buffer.from([0, 1])]);
}

/** A HEIC header followed by nested boxes. */
export function heicOfNestedBoxes(depth: number): Buffer {
  const boxes = Buffer.alloc(depth * 8, Buffer.from('\0\0\0\0ipco', 'latin1'));
  return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')), boxes]);
}

/** A HEIC header followed by a sequence of boxes. */
export function heicOfBoxes(count: number): Buffer {
  const boxes = Buffer.alloc(count * 8, box('free', Buffer.alloc(0)));
  return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')), boxes]);
}

export function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

interface PngKind {
  bits: 8 | 16;
  color: 'grey' | 'rgb' | 'rgba';
  interlaced: boolean;
}

const PNG_COLORS = { grey: [0, 1], rgb: [2, 3], rgba: [6, 4] } as const;

/** A black PNG whose pixels compress to almost no bytes. */
export function blankPng(width: number, height: number, { bits, color, interlaced }: PngKind): Buffer {
  const [type, channels] = PNG_COLORS[color];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, type, 0, 0, interlaced ? 1 : 0], 8);
  const rowBytes = (pixels: number) => (pixels === 0 ? 0 : 1 + (pixels * channels * bits) / 8);
  const passes = interlaced
    ? ADAM7.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)] as const)
    : [[width, height] as const];
  const size = passes.reduce((sum, [columns, rows]) => sum + rowBytes(columns) * rows, 0);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflatedZeros(size)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** First column, first row and their steps in each pass of an interlaced PNG. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A zlib stream of `size` zeros, which repeats one compressed block. */
export function deflatedZeros(size: number): Buffer {
  const piece = 1 << 20;
  const flushed = deflateRawSync(Buffer.alloc(piece), { finishFlush: constants.Z_FULL_FLUSH });
  const check = Buffer.alloc(4);
  check.writeUInt32BE((((size % 65_521) << 16) | 1) >>> 0);
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    Buffer.alloc(flushed.length * Math.floor(size / piece), flushed),
    deflateRawSync(Buffer.alloc(size % piece)),
    check,
  ]);
}

/** An animated WebP whose frames all have the data of a still WebP. */
export function webpOfFrames(still: Buffer, frames: number, width: number, height: number): Buffer {
  const data = still.subarray(12);
  const head = Buffer.alloc(16);
  const size = (at: number, value: number) => head.writeUIntLE(value, at, 3);
  size(6, width - 1);
  size(9, height - 1);
  const frame = riffChunk('ANMF', Buffer.concat([head, data]));
  const canvas = Buffer.alloc(10);
  canvas[0] = 0x02;
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const content = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    riffChunk('VP8X', canvas),
    riffChunk('ANIM', Buffer.alloc(6)),
    Buffer.alloc(frame.length * frames, frame),
  ]);
  return riffChunk('RIFF', content);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** An AVIF that overlays the same picture many times. `still`: an AVIF of one picture. */
export function avifOfLayers(still: Buffer, { side, layers }: { side: number; layers: number }): Buffer {
  const data = contentOf(still, 'mdat');
  const property = (type: string) => box(type, contentOf(still, type));
  const u16 = (...values: number[]) => Buffer.concat(values.map((value) => bigEndian(value, 2)));
  const u32 = (...values: number[]) => Buffer.concat(values.map((value) => bigEndian(value, 4)));
  const overlay = Buffer.concat([Buffer.alloc(2), u16(0, 0, 0, 0, side, side), Buffer.alloc(layers * 4)]);
  const item = (id: number, type: string) =>
    box('infe', u32(0x02000000), u16(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const meta = (dataAt: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      box('pitm', u32(0), u16(2)),
      box('iinf', u32(0), u16(2), item(1, 'av01'), item(2, 'iovl')),
      // Version 1, offsets and lengths of 4 bytes: the picture is in `mdat`, the overlay in `idat`.
      box(
        'iloc',
        Buffer.from([1, 0, 0, 0, 0x44, 0]),
        u16(2),
        u16(1, 0, 0, 1),
        u32(dataAt, data.length),
        u16(2, 1, 0, 1),
        u32(0, overlay.length),
      ),
      box('iref', u32(0), box('dimg', u16(2, layers), u16(...new Array<number>(layers).fill(1)))),
      box(
        'iprp',
        box('ipco', property('ispe'), property('pixi'), property('av1C')),
        box('ipma', u32(0, 2), u16(1), Buffer.from([3, 1, 2, 0x83]), u16(2), Buffer.from([2, 1, 2])),
      ),
      box('idat', overlay),
    );
  const type = box('ftyp', Buffer.from('avif\0\0\0\0mif1avif', 'latin1'));
  return Buffer.concat([type, meta(type.length + meta(0).length + 8), box('mdat', data)]);
}

function bigEndian(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** Content of the first box of a type. */
function contentOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1');
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}
