/** Where the parts and the telling numbers of a picture file lie, so that mutations reach past its checksums and lengths. */
import { crc32 } from 'node:zlib';

export const FORMATS = ['png', 'jpeg', 'webp', 'gif', 'bmp', 'tiff', 'heic', 'avif'] as const;
export type Format = (typeof FORMATS)[number];

/** A number in the file. */
export interface Field {
  at: number;
  size: 1 | 2 | 3 | 4;
  littleEndian: boolean;
  kind: 'length' | 'dimension' | 'other';
}

/** `[start, end)` of the file that stands for itself: a chunk, a segment, a block, a box. Boxes may lie in boxes. */
export interface Part {
  start: number;
  end: number;
  /** The number that tells how long the part is: what is put in or taken out changes it by as much. */
  length?: Field;
}

export interface Anatomy {
  parts: Part[];
  fields: Field[];
}

/** A file that was mutated before may claim any number of parts. */
const MAX_PARTS = 2_000;

/** Never throws: what cannot be followed any further is left out. */
export function dissect(format: Format, bytes: Buffer): Anatomy {
  const anatomy: Anatomy = { parts: [], fields: [] };
  try {
    DISSECTORS[format](bytes, anatomy);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const inside = ({ at, size }: Field) => at >= 0 && at + size <= bytes.length;
  return {
    parts: anatomy.parts.filter(({ start, end }) => start < end && end <= bytes.length),
    fields: anatomy.fields.filter(inside),
  };
}

export function readField(bytes: Buffer, { at, size, littleEndian }: Field): number {
  return littleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}

export function writeField(bytes: Buffer, { at, size, littleEndian }: Field, value: number): void {
  const most = 2 ** (8 * size);
  const wrapped = ((Math.trunc(value) % most) + most) % most;
  if (littleEndian) bytes.writeUIntLE(wrapped, at, size);
  else bytes.writeUIntBE(wrapped, at, size);
}

/** Makes the checksums and total lengths right, without which a decoder looks no further. In place. */
export function mend(format: Format, bytes: Buffer): void {
  if (format === 'webp' && bytes.length >= 12) bytes.writeUInt32LE(bytes.length - 8, 4);
  if (format !== 'png') return;
  for (const { start, end } of dissect('png', bytes).parts) {
    if (start >= 8 && end - start >= 12)
      bytes.writeUInt32BE(crc32(bytes.subarray(start + 4, end - 4)), end - 4);
  }
}

type Dissector = (bytes: Buffer, into: Anatomy) => void;

const DISSECTORS: Record<Format, Dissector> = {
  png: dissectPng,
  jpeg: dissectJpeg,
  webp: dissectWebp,
  gif: dissectGif,
  bmp: dissectBmp,
  tiff: dissectTiff,
  heic: dissectBoxes,
  avif: dissectBoxes,
};

const big = (at: number, size: Field['size'], kind: Field['kind'] = 'other'): Field => ({
  at,
  size,
  littleEndian: false,
  kind,
});
const little = (at: number, size: Field['size'], kind: Field['kind'] = 'other'): Field => ({
  at,
  size,
  littleEndian: true,
  kind,
});

function dissectPng(bytes: Buffer, { parts, fields }: Anatomy): void {
  for (let at = 8; at + 12 <= bytes.length && parts.length < MAX_PARTS; ) {
    const length = big(at, 4, 'length');
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    parts.push({ start: at, end, length });
    fields.push(length);
    if (type === 'IHDR') {
      fields.push(big(at + 8, 4, 'dimension'), big(at + 12, 4, 'dimension'));
      for (let i = 16; i < 21; i++) fields.push(big(at + i, 1));
    } else if (type === 'fcTL' || type === 'acTL' || type === 'pHYs') {
      for (let i = 8; i + 4 <= Math.min(end - at - 4, 40); i += 4) fields.push(big(at + i, 4));
    } else {
      for (let i = 8; i < Math.min(24, end - at - 4); i++) fields.push(big(at + i, 1));
    }
    at = end;
  }
}

function dissectJpeg(bytes: Buffer, { parts, fields }: Anatomy): void {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && parts.length < MAX_PARTS; ) {
    const marker = bytes[at + 1]!;
    const length = big(at + 2, 2, 'length');
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    fields.push(big(at + 1, 1), length);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      fields.push(big(at + 4, 1), big(at + 5, 2, 'dimension'), big(at + 7, 2, 'dimension'), big(at + 9, 1));
    }
    for (let i = isFrame ? 10 : 4; i < Math.min(24, end - at); i++) fields.push(big(at + i, 1));
    if (marker === 0xda) {
      // A scan's data has no length: it goes on to the next marker that is not a stuffed zero or a restart.
      while (end + 1 < bytes.length) {
        const next = bytes[end + 1]!;
        if (bytes[end] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) break;
        end++;
      }
    }
    parts.push({ start: at, end, length });
    at = end;
  }
}

function dissectWebp(bytes: Buffer, { parts, fields }: Anatomy): void {
  fields.push(little(4, 4, 'length'));
  for (let at = 12; at + 8 <= bytes.length && parts.length < MAX_PARTS; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    const length = little(at + 4, 4, 'length');
    parts.push({ start: at, end, length });
    fields.push(length);
    if (type === 'VP8X') fields.push(little(at + 12, 3, 'dimension'), little(at + 15, 3, 'dimension'));
    if (type === 'VP8 ') fields.push(little(at + 14, 2, 'dimension'), little(at + 16, 2, 'dimension'));
    if (type === 'VP8L') fields.push(little(at + 9, 2, 'dimension'), little(at + 11, 2, 'dimension'));
    if (type === 'ANMF') for (let i = 8; i < 24; i += 3) fields.push(little(at + i, 3, 'dimension'));
    for (let i = 8; i < Math.min(24, end - at); i++) fields.push(little(at + i, 1));
    at = end;
  }
}

function dissectGif(bytes: Buffer, { parts, fields }: Anatomy): void {
  const colorsOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  fields.push(little(6, 2, 'dimension'), little(8, 2, 'dimension'), little(10, 1), little(11, 1));
  const afterBlocks = (from: number): number => {
    let at = from;
    while (at < bytes.length && bytes[at] !== 0) {
      fields.push(little(at, 1, 'length'));
      at += 1 + bytes[at]!;
    }
    return at + 1;
  };
  let at = 13 + colorsOf(bytes.readUInt8(10));
  while (at < bytes.length && parts.length < MAX_PARTS) {
    const start = at;
    if (bytes[at] === 0x21) {
      for (let i = 1; i < 8; i++) fields.push(little(at + i, 1));
      at = afterBlocks(at + 2);
    } else if (bytes[at] === 0x2c) {
      for (let i = 1; i < 9; i += 2) fields.push(little(at + i, 2, 'dimension'));
      fields.push(little(at + 9, 1));
      const data = at + 10 + colorsOf(bytes.readUInt8(at + 9));
      fields.push(little(data, 1));
      at = afterBlocks(data + 1);
    } else {
      at++;
    }
    parts.push({ start, end: Math.min(at, bytes.length) });
  }
}

function dissectBmp(bytes: Buffer, { parts, fields }: Anatomy): void {
  const headerSize = bytes.readUInt32LE(14);
  const old = headerSize === 12;
  fields.push(little(2, 4, 'length'), little(10, 4, 'length'), little(14, 4, 'length'));
  if (old) {
    for (let at = 18; at < 26; at += 2) fields.push(little(at, 2, at < 22 ? 'dimension' : 'other'));
  } else {
    fields.push(little(18, 4, 'dimension'), little(22, 4, 'dimension'), little(26, 2), little(28, 2));
    for (let at = 30; at < Math.min(14 + headerSize, 140); at += 4) fields.push(little(at, 4));
  }
  const pixels = bytes.readUInt32LE(10);
  parts.push(
    { start: 0, end: 14 },
    { start: 14, end: 14 + headerSize },
    { start: 14 + headerSize, end: pixels },
  );
  // Pixel data in slices: enough of a structure for rows and runs to be repeated, moved and lost.
  const slice = Math.max(2, Math.ceil((bytes.length - pixels) / 16));
  for (let at = pixels; at < bytes.length; at += slice) {
    parts.push({ start: at, end: Math.min(at + slice, bytes.length) });
  }
}

/** Classic TIFF; a BigTIFF is only flipped and cut. Directories hold offsets, so their entries are fields and no parts. */
function dissectTiff(bytes: Buffer, { parts, fields }: Anatomy): void {
  const littleEndian = bytes[0] === 0x49;
  const field = (at: number, size: Field['size'], kind: Field['kind'] = 'other'): Field => ({
    at,
    size,
    littleEndian,
    kind,
  });
  const next = field(4, 4, 'length');
  fields.push(field(2, 2), next);
  for (let at = readField(bytes, next), pages = 0; at > 0 && pages < 20; pages++) {
    const entries = readField(bytes, field(at, 2));
    fields.push(field(at, 2, 'length'));
    for (let i = 0; i < Math.min(entries, 60); i++) {
      const entry = at + 2 + 12 * i;
      const tag = readField(bytes, field(entry, 2));
      const isSide = tag === 256 || tag === 257 || tag === 322 || tag === 323;
      fields.push(field(entry, 2), field(entry + 2, 2), field(entry + 4, 4, 'length'));
      // Short values lie in the first half of the place for an offset.
      const wide = readField(bytes, field(entry + 2, 2)) !== 3;
      fields.push(field(entry + 8, wide ? 4 : 2, isSide ? 'dimension' : 'other'));
    }
    const link = field(at + 2 + 12 * entries, 4, 'length');
    fields.push(link);
    parts.push({ start: at, end: link.at + 4 });
    at = readField(bytes, link);
  }
}

/** Boxes that hold boxes, and how many bytes of their own come first. */
const BOX_CONTAINERS: Readonly<Record<string, number>> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
  iinf: 6,
  dinf: 0,
  moov: 0,
};
/** Bytes of a box's content that are numbers worth changing; further in lies what a codec reads. */
const BOX_FIELD_BYTES = 48;

function dissectBoxes(bytes: Buffer, { parts, fields }: Anatomy): void {
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to && parts.length < MAX_PARTS; ) {
      const type = bytes.toString('latin1', at + 4, at + 8);
      const length = big(at, 4, 'length');
      const claimed = bytes.readUInt32BE(at);
      const end = claimed < 8 ? to : Math.min(at + claimed, to);
      parts.push({ start: at, end, length });
      fields.push(length);
      const own = BOX_CONTAINERS[type];
      if (own !== undefined) walk(at + 8 + own, end);
      else if (type === 'ispe') fields.push(big(at + 12, 4, 'dimension'), big(at + 16, 4, 'dimension'));
      else if (type !== 'mdat') {
        for (let i = at + 8; i + 2 <= Math.min(end, at + 8 + BOX_FIELD_BYTES); i += 2) fields.push(big(i, 2));
      }
      at = end;
    }
  };
  walk(0, bytes.length);
}
