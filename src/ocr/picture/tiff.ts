/** The chain of pages of a TIFF, read from its directories without decoding. */
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { PageSize } from '../types.ts';
import type { FirstPicture } from './format.ts';
import { MAX_PAGES, noSuchPage, tooManyPages } from './format.ts';

/** Twice the number of all known tags. */
const MAX_TAGS = 512;

const NEW_SUBFILE_TYPE = 254;
const WIDTH = 256;
const LENGTH = 257;
const COMPRESSION = 259;
const ORIENTATION = 274;
const SAMPLE_FORMAT = 339;
/** The value of `SAMPLE_FORMAT` for floating-point levels. */
const FLOATING = 3;
/** None, CCITT (three kinds), LZW, JPEG (old and new), Deflate (two numbers), PackBits. The decoder returns an empty page for others. */
const READ_COMPRESSIONS = new Set([1, 2, 3, 4, 5, 6, 7, 8, 32_773, 32_946]);
/** Bit of `NEW_SUBFILE_TYPE`: the same picture as another in the file, smaller. */
const REDUCED = 1;
/** Orientations from here on are sideways. */
const FIRST_SIDEWAYS = 5;

/** A page's list of tags. */
export interface Directory {
  at: number;
  /** Of its tags, the first one. */
  tags: number;
  count: number;
  /** Offset of the pointer to the next directory. */
  pointer: number;
}

export interface Tiff {
  bytes: Uint8Array;
  view: DataView;
  little: boolean;
  big: boolean;
}

/**
 * Ends the chain of pages after the first one: the decoder reads the tags of all before it reads a pixel.
 * @throws {OcrError} `too_costly`
 */
export function firstOfTiff(bytes: Uint8Array): FirstPicture {
  const tiff = tiffOf(bytes);
  const first = firstDirectory(tiff);
  const next = first && nextOf(tiff, first);
  if (!first || !next) return { bytes, firstOfMany: false };
  return { bytes: cutOut(tiff, first), firstOfMany: true };
}

/** Sizes in pixels, each after its orientation. @throws {OcrError} `damaged`, `too_costly`, `too_many_pages` */
export function pagesOfTiff(bytes: Uint8Array): PageSize[] {
  const tiff = tiffOf(bytes);
  return pageDirectories(tiff).map((directory) => {
    const [width, height] = [numberOf(tiff, directory, WIDTH), numberOf(tiff, directory, LENGTH)];
    if (!width || !height) throw damaged('a page of a TIFF has no size');
    const sideways = (numberOf(tiff, directory, ORIENTATION) ?? 1) >= FIRST_SIDEWAYS;
    return sideways ? { width: height, height: width, hasText: false } : { width, height, hasText: false };
  });
}

/**
 * Storage of the first page's levels. Undefined where its directory cannot be read.
 * @throws {OcrError} `damaged` for a compression that the decoder does not support
 */
export function storageOfTiff(bytes: Uint8Array): { floating: boolean } | undefined {
  const tiff = tiffOf(bytes);
  const directory = firstDirectory(tiff);
  if (!directory) return undefined;
  const compression = numberOf(tiff, directory, COMPRESSION) ?? 1;
  if (!READ_COMPRESSIONS.has(compression))
    throw damaged(`a TIFF is compressed in a way that is not read: ${compression}`);
  return { floating: numberOf(tiff, directory, SAMPLE_FORMAT) === FLOATING };
}

/** The file with one page only, counted from 1. @throws {OcrError} `damaged`, `too_costly`, `no_such_page` */
export function pageOfTiff(bytes: Uint8Array, page: number): Uint8Array {
  const tiff = tiffOf(bytes);
  const directories = pageDirectories(tiff);
  const directory = directories[page - 1];
  if (!directory) throw noSuchPage(page, directories.length);
  return cutOut(tiff, directory);
}

export function tiffOf(bytes: Uint8Array): Tiff {
  const little = bytes[0] === 0x49;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, little, big: bytes[little ? 2 : 3] === 43 };
}

/** In file order, without the small copies of a page that scanners add. */
function pageDirectories(tiff: Tiff): Directory[] {
  const seen = new Set<number>();
  const found: Directory[] = [];
  let at = tiff.bytes.length < 16 ? 0 : offsetAt(tiff, tiff.big ? 8 : 4);
  while (at !== 0) {
    if (seen.has(at)) throw damaged('the pages of a TIFF go round in a circle');
    if (seen.size === MAX_PAGES) throw tooManyPages(`more than ${MAX_PAGES}`);
    seen.add(at);
    const directory = directoryAt(tiff, at);
    // A file that was cut off within its chain has the pages up to there.
    if (!directory) break;
    const reduced = ((numberOf(tiff, directory, NEW_SUBFILE_TYPE) ?? 0) & REDUCED) !== 0;
    if (found.length === 0 || !reduced) found.push(directory);
    at = nextOf(tiff, directory);
  }
  if (found.length === 0) throw damaged('a TIFF without a page');
  return found;
}

function directoryAt(tiff: Tiff, at: number): Directory | undefined {
  const { bytes, view, little, big } = tiff;
  const tags = at + (big ? 8 : 2);
  if (tags > bytes.length) return undefined;
  const count = big ? offsetAt(tiff, at) : view.getUint16(at, little);
  if (count > MAX_TAGS)
    throw new OcrError(OCR_ERRORS.tooCostly, `a TIFF has ${count} tags on one of its pages`);
  return { at, tags, count, pointer: tags + count * (big ? 20 : 12) };
}

/** 0 where there is none. */
function nextOf(tiff: Tiff, { pointer }: Directory): number {
  return pointer + (tiff.big ? 8 : 4) > tiff.bytes.length ? 0 : offsetAt(tiff, pointer);
}

/** The list of tags of the first page; undefined where it cannot be read. */
export function firstDirectory(tiff: Tiff): Directory | undefined {
  return tiff.bytes.length < 16 ? undefined : directoryAt(tiff, offsetAt(tiff, tiff.big ? 8 : 4));
}

/** Offset of a tag's entry; undefined for a missing tag. */
export function tagAt(tiff: Tiff, { tags, count }: Directory, wanted: number): number | undefined {
  const { bytes, view, little, big } = tiff;
  const step = big ? 20 : 12;
  for (let at = tags; at < tags + count * step && at + step <= bytes.length; at += step)
    if (view.getUint16(at, little) === wanted) return at;
  return undefined;
}

/** Bytes of a number by its type: 16 and 32 bits, and 64 in a big TIFF. */
const BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 16: 8 };

/** The numbers of a tag; empty where it is missing, lies outside the file or has another type. */
export function numbersOf(tiff: Tiff, directory: Directory, wanted: number): number[] {
  const { bytes, view, little, big } = tiff;
  const entry = tagAt(tiff, directory, wanted);
  if (entry === undefined) return [];
  const bytesEach = BYTES[view.getUint16(entry + 2, little)];
  const count = big ? Number(view.getBigUint64(entry + 4, little)) : view.getUint32(entry + 4, little);
  if (bytesEach === undefined) return [];
  const [value, room] = big ? [entry + 12, 8] : [entry + 8, 4];
  const start = count * bytesEach <= room ? value : offsetAt(tiff, value);
  if (start + count * bytesEach > bytes.length) return [];
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * bytesEach;
    if (bytesEach === 8) return Number(view.getBigUint64(at, little));
    return bytesEach === 4 ? view.getUint32(at, little) : view.getUint16(at, little);
  });
}

/** The first number of a tag; undefined where it cannot be read. */
export function numberOf(tiff: Tiff, directory: Directory, wanted: number): number | undefined {
  return numbersOf(tiff, directory, wanted)[0];
}

function cutOut({ bytes, little, big }: Tiff, { at, pointer }: Directory): Uint8Array {
  const cut = Uint8Array.from(bytes);
  const view = new DataView(cut.buffer);
  if (big) view.setBigUint64(8, BigInt(at), little);
  else view.setUint32(4, at, little);
  cut.fill(0, pointer, pointer + (big ? 8 : 4));
  return cut;
}

function offsetAt({ view, little, big }: Tiff, at: number): number {
  return big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);
}

export function damaged(message: string): OcrError {
  return new OcrError(OCR_ERRORS.damaged, message);
}
