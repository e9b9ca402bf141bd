import { OCR_ERRORS, OcrError } from '../errors.ts';

/** Boxes on the way from the file to the image sizes, and how many bytes each has before its children. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };

/**
 * The largest size that a HEIF file states for any of its images: a grid's whole is larger than its tiles.
 * Rotation is not applied. Nothing is decoded.
 * @throws {OcrError} `damaged`
 */
export function headerSizeOfHeif(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let largest = { width: 0, height: 0 };
  const walk = (from: number, to: number): void => {
    for (let offset = from; offset + 8 <= to; ) {
      const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
      const { start, end } = extent(view, offset, to);
      const skipped = CONTAINERS[type];
      if (skipped !== undefined) walk(start + skipped, end);
      if (type === 'ispe' && start + 12 <= end) {
        const size = { width: view.getUint32(start + 4), height: view.getUint32(start + 8) };
        if (size.width * size.height > largest.width * largest.height) largest = size;
      }
      offset = end;
    }
  };
  walk(0, bytes.byteLength);
  if (largest.width === 0) throw damaged('a HEIC states no size');
  return largest;
}

/** Where a box's content lies; a length of 0 means to the end, 1 that 64 bits follow. */
function extent(view: DataView, offset: number, limit: number): { start: number; end: number } {
  let start = offset + 8;
  let length = view.getUint32(offset);
  if (length === 1) {
    if (offset + 16 > limit) throw damaged('a HEIC box is cut short');
    length = Number(view.getBigUint64(offset + 8));
    start = offset + 16;
  }
  const end = length === 0 ? limit : offset + length;
  if (end < start) throw damaged('a HEIC box has an impossible length');
  return { start, end: Math.min(end, limit) };
}

function damaged(message: string): OcrError {
  return new OcrError(OCR_ERRORS.damaged, message);
}
