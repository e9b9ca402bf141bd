/** Recompresses the pixels of a TIFF from Zstandard or LERC to a compression that the decoder supports. */

import { deflateSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { decode, getBlobInfo, load } from 'lerc';
import { firstOf, itemAt, required } from '../checked.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import {
  type Directory,
  damaged,
  firstDirectory,
  numberOf,
  numbersOf,
  type Tiff,
  tagAt,
  tiffOf,
} from './tiff.ts';

const COMPRESSION = 259;
const DEFLATE = 8;
const ZSTANDARD = 50_000;
const LERC = 34_887;
/** The tag LercParameters: the version and an additional compression. */
const LERC_PARAMETERS = 50_674;
const INSIDE_LERC = { none: 0, deflate: 1, zstandard: 2 } as const;
const [WIDTH, LENGTH, SAMPLES] = [256, 257, 277];
const [BITS, PLANAR, ROWS_PER_STRIP] = [258, 284, 278];
const [TILE_WIDTH, TILE_LENGTH] = [322, 323];
const STRIPS = { offsets: 273, counts: 279 };
const TILES = { offsets: 324, counts: 325 };

/**
 * The file with its first page compressed by Deflate where it was by Zstandard or LERC; any other unchanged. Predictors,
 * which apply to Zstandard as they do to Deflate, stay.
 * @throws {OcrError} `damaged`, `too_many_pixels` where the page has more than `maxPixels`
 */
export async function withKnownCompression(bytes: Uint8Array, maxPixels: number): Promise<Uint8Array> {
  const tiff = tiffOf(bytes);
  const directory = firstDirectory(tiff);
  const compression = directory && numberOf(tiff, directory, COMPRESSION);
  if (!directory || (compression !== ZSTANDARD && compression !== LERC)) return bytes;
  const one = (tag: number, otherwise: number) => numberOf(tiff, directory, tag) ?? otherwise;
  const [width, height] = [one(WIDTH, 0), one(LENGTH, 0)];
  if (width * height > maxPixels)
    throw new OcrError(OCR_ERRORS.tooManyPixels, `the header claims ${width} × ${height} pixels`);
  const tags = tagAt(tiff, directory, TILES.offsets) === undefined ? STRIPS : TILES;
  const isTiled = tags === TILES;
  const across = isTiled ? one(TILE_WIDTH, width) : width;
  const down = isTiled ? one(TILE_LENGTH, height) : Math.min(height, one(ROWS_PER_STRIP, height));
  const bits = numbersOf(tiff, directory, BITS)[0] ?? 1;
  const samples = one(PLANAR, 1) === 1 ? one(SAMPLES, 1) : 1;
  /** Of one strip or tile, before compression. */
  const size = Math.ceil((across * samples * bits) / 8) * down;
  const inside = compression === LERC ? (numbersOf(tiff, directory, LERC_PARAMETERS)[1] ?? 0) : undefined;
  if (inside !== undefined) await load();
  const [offsets, counts] = [
    numbersOf(tiff, directory, tags.offsets),
    numbersOf(tiff, directory, tags.counts),
  ];
  if (
    offsets.length === 0 ||
    offsets.length !== counts.length ||
    offsets.length * size > mostBytes(maxPixels)
  )
    throw damaged('the strips of a TIFF are not those of its size');
  const parts = offsets.map((offset, i) => {
    const part = bytes.subarray(offset, offset + itemAt(counts, i));
    try {
      return deflateSync(inside === undefined ? unpacked(part, size) : valuesOf(part, inside, size), {
        level: 1,
      });
    } catch (cause) {
      throw damaged(`the content of a TIFF cannot be decompressed: ${String(cause)}`);
    }
  });
  return withParts(tiff, { directory, tags, parts });
}

/** Eight channels of 16 bits, and as much again for strips that are not full. */
const mostBytes = (maxPixels: number): number => maxPixels * 32;

/** @param size greatest size in bytes */
function unpacked(part: Uint8Array, size: number): Uint8Array {
  const target = new Uint8Array(size);
  return decompress(part, target).subarray(0, size);
}

function valuesOf(part: Uint8Array, inside: number, size: number): Uint8Array {
  if (inside === INSIDE_LERC.deflate) throw new Error('LERC inside Deflate');
  const blob = inside === INSIDE_LERC.zstandard ? unpacked(part, size + LERC_OVERHEAD) : part;
  const { width, height, depthCount, bandCount, dataType } = getBlobInfo(blob);
  const bytes = LERC_BYTES[dataType];
  if (bytes === undefined || width * height * depthCount * bandCount * bytes !== size)
    throw new Error('a block of another size');
  const values = firstOf(decode(blob, { returnInterleaved: true }).pixels);
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Bytes of overhead of an incompressible block. */
const LERC_OVERHEAD = 65_536;
/** Bytes per value by LERC data type: signed and unsigned integers of 8, 16 and 32 bits, floats of 32 and 64. */
const LERC_BYTES = [1, 1, 2, 2, 4, 4, 4, 8];

interface Replacement {
  directory: Directory;
  tags: { offsets: number; counts: number };
  parts: readonly Uint8Array[];
}

/** The file with other strips or tiles, which are appended. */
function withParts({ bytes, little, big }: Tiff, { directory, tags, parts }: Replacement): Uint8Array {
  const word = big ? 8 : 4;
  const start = bytes.length + (bytes.length % 2);
  const lists = start + parts.reduce((sum, { length }) => sum + length + (length % 2), 0);
  const file = new Uint8Array(lists + 2 * word * parts.length);
  file.set(bytes);
  const view = new DataView(file.buffer);
  const write = (at: number, value: number) =>
    big ? view.setBigUint64(at, BigInt(value), little) : view.setUint32(at, value, little);
  let at = start;
  for (const [i, part] of parts.entries()) {
    file.set(part, at);
    write(lists + i * word, at);
    write(lists + (parts.length + i) * word, part.length);
    at += part.length + (part.length % 2);
  }
  const tiff = tiffOf(file);
  const point = (tag: number, list: number) => {
    const entry = required(tagAt(tiff, directory, tag));
    view.setUint16(entry + 2, big ? 16 : 4, little);
    write(entry + 4, parts.length);
    if (parts.length > 1) write(entry + 4 + word, list);
    else file.copyWithin(entry + 4 + word, list, list + word);
  };
  point(tags.offsets, lists);
  point(tags.counts, lists + parts.length * word);
  view.setUint16(required(tagAt(tiff, directory, COMPRESSION)) + 4 + word, DEFLATE, little);
  return file;
}
