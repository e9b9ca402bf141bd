import { OCR_ERRORS, OcrError } from '../errors.ts';

/**
 * Pixels of the largest HEIC or AVIF that is decoded: their decoders hold several whole planes beside the picture, 18 bytes
 * and more for each pixel. Phones take pictures of 50 million.
 */
export const MAX_HEIF_PIXELS = 55_000_000;

/** Most boxes of one file that are read. A picture of 200 tiles has some 600. */
const MAX_BOXES = 10_000;
/** Most levels of derived pictures: tiles, a rotated copy and an overlay make three. */
const MAX_LAYERS = 8;
/** Decoding limit for one picture: its tiles, the whole, and as much again. In pictures of `largest`. */
const MAX_PICTURES = 4;

interface Size {
  width: number;
  height: number;
}

/** The parts of a HEIF file that determine how much is decoded: the sizes of its items and their component items. */
interface HeifItems {
  /** Every stated size, in the order of the file's properties; undefined for properties of other kinds. */
  sizes: (Size | undefined)[];
  /** Numbers of properties, from 1, by item. */
  properties: Map<number, number[]>;
  /** Component items of an item, once for each use. */
  parts: Map<number, number[]>;
}

/**
 * The largest size that a HEIF file states for any of its images: a grid's whole is larger than its tiles.
 * Rotation is not applied. Nothing is decoded.
 * @throws {OcrError} `damaged`, `too_costly`
 */
export function headerSizeOfHeif(bytes: Uint8Array): Size {
  const area = ({ width, height }: Size) => width * height;
  const largest = readItems(bytes)
    .sizes.filter((size) => size !== undefined)
    .reduce((most, size) => (area(size) > area(most) ? size : most), { width: 0, height: 0 });
  if (largest.width === 0) throw damaged('a HEIC states no size');
  return largest;
}

/**
 * Refuses a file that references few bytes many times: a grid or an overlay decodes each component picture once per
 * reference.
 * @throws {OcrError} `damaged`, `too_costly`
 */
export function checkCostOfHeif(bytes: Uint8Array, largest: number): void {
  const { sizes, properties, parts } = readItems(bytes);
  const known = new Map<number, number>();
  const costOf = (item: number, layer: number): number => {
    const found = known.get(item);
    if (found !== undefined) return found;
    if (layer > MAX_LAYERS) throw tooCostly('a HEIF picture is made of too many layers of pictures');
    const own = (properties.get(item) ?? []).reduce((most, index) => {
      const size = sizes[index - 1];
      return size === undefined ? most : Math.max(most, size.width * size.height);
    }, 0);
    const cost = (parts.get(item) ?? []).reduce((sum, part) => sum + costOf(part, layer + 1), own);
    known.set(item, cost);
    return cost;
  };
  for (const item of parts.keys()) {
    const cost = costOf(item, 0);
    if (cost > MAX_PICTURES * largest) throw tooCostly(`a HEIF picture is made of ${cost} pixels`);
  }
}

function readItems(bytes: Uint8Array): HeifItems {
  try {
    return parseItems(bytes);
  } catch (cause) {
    if (cause instanceof OcrError) throw cause;
    throw damaged('a HEIC box is cut short', cause);
  }
}

function parseItems(bytes: Uint8Array): HeifItems {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const items: HeifItems = { sizes: [], properties: new Map(), parts: new Map() };
  let boxes = 0;
  const each = (from: number, to: number, visit: (type: string, start: number, end: number) => void) => {
    for (let offset = from; offset + 8 <= to; ) {
      if (++boxes > MAX_BOXES) throw tooCostly(`a HEIF file has more than ${MAX_BOXES} boxes`);
      const found = extent(view, offset, to);
      // Bytes after the last valid box are ignored.
      if (found === undefined) return;
      visit(String.fromCharCode(...bytes.subarray(offset + 4, offset + 8)), found.start, found.end);
      offset = found.end;
    }
  };
  const ofProperty = (type: string, start: number, end: number) => {
    const isSize = type === 'ispe' && start + 12 <= end;
    items.sizes.push(
      isSize ? { width: view.getUint32(start + 4), height: view.getUint32(start + 8) } : undefined,
    );
  };
  // Only this one path is followed, so no depth of boxes is too deep.
  each(0, bytes.byteLength, (type, start, end) => {
    if (type !== 'meta') return;
    each(start + 4, end, (type, start, end) => {
      if (type === 'iref') {
        const wide = view.getUint8(start) > 0;
        each(start + 4, end, (type, start, end) => {
          if (type === 'dimg') readParts(view, start, end, wide, items.parts);
        });
      } else if (type === 'iprp') {
        each(start, end, (type, start, end) => {
          if (type === 'ipco') each(start, end, ofProperty);
          else if (type === 'ipma') readProperties(view, start, end, items.properties);
        });
      }
    });
  });
  return items;
}

/** One item's list of component items. */
function readParts(
  view: DataView,
  start: number,
  end: number,
  wide: boolean,
  into: HeifItems['parts'],
): void {
  const idBytes = wide ? 4 : 2;
  const id = (at: number) => (wide ? view.getUint32(at) : view.getUint16(at));
  const whole = id(start);
  const first = start + idBytes + 2;
  const count = Math.min(view.getUint16(start + idBytes), Math.floor((end - first) / idBytes));
  const parts = into.get(whole) ?? [];
  for (let index = 0; index < count; index++) parts.push(id(first + index * idBytes));
  into.set(whole, parts);
}

/** Which properties belong to which item. */
function readProperties(view: DataView, start: number, end: number, into: HeifItems['properties']): void {
  const wideIds = view.getUint8(start) > 0;
  const wideIndices = (view.getUint8(start + 3) & 1) === 1;
  const entries = view.getUint32(start + 4);
  let at = start + 8;
  for (let entry = 0; entry < entries && at < end; entry++) {
    const item = wideIds ? view.getUint32(at) : view.getUint16(at);
    at += wideIds ? 4 : 2;
    const count = view.getUint8(at++);
    const indices = into.get(item) ?? [];
    for (let index = 0; index < count; index++) {
      indices.push(wideIndices ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f);
      at += wideIndices ? 2 : 1;
    }
    into.set(item, indices);
  }
}

/** The place of a box's content, if valid; a length of 0 means to the end, 1 that 64 bits follow. */
function extent(view: DataView, offset: number, limit: number): { start: number; end: number } | undefined {
  let start = offset + 8;
  let length = view.getUint32(offset);
  if (length === 1) {
    if (offset + 16 > limit) return undefined;
    length = Number(view.getBigUint64(offset + 8));
    start = offset + 16;
  }
  const end = length === 0 ? limit : offset + length;
  return end < start ? undefined : { start, end: Math.min(end, limit) };
}

function damaged(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.damaged, message, { cause });
}

function tooCostly(message: string): OcrError {
  return new OcrError(OCR_ERRORS.tooCostly, message);
}
