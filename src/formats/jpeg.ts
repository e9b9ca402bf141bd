import { concatBytes } from './bytes.ts';
import { itemAt } from './checked.ts';

/** A JPEG that can be embedded in a PDF unchanged. */
export interface Jpeg {
  /** Without its camera's metadata on time and place. */
  bytes: Uint8Array;
  /** Stored pixels, before the orientation is applied. */
  width: number;
  height: number;
  /** 1 for gray, 3 for color, 4 for CMYK. */
  components: 1 | 3 | 4;
  /** Photoshop stores CMYK inverted. */
  inverted: boolean;
  /** EXIF orientation, 1 to 8. */
  orientation: number;
}

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;
/** Baseline, extended and progressive: the kinds that PDF supports. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical, arithmetic. */
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/**
 * Reads a JPEG and removes everything that is not part of its image: EXIF with its location, comments, thumbnails, and data
 * after the end marker. The image data stays byte for byte. Null for anything that is not a JPEG or that a PDF cannot embed.
 */
export function readJpeg(file: Uint8Array): Jpeg | null {
  if (file[0] !== 0xff || file[1] !== START) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const segments: Uint8Array[] = [file.subarray(0, 2)];
  let frame: (Pick<Jpeg, 'width' | 'height'> & { components: number }) | null = null;
  let orientation = 1;
  let inverted = false;
  let at = 2;
  while (at + 4 <= file.length) {
    if (file[at] !== 0xff) return null;
    const marker = itemAt(file, at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (end > file.length || OTHER_FRAMES.has(marker)) return null;
    const content = file.subarray(at + 4, end);
    if (FRAMES.has(marker)) {
      if (content.length < 6 || content[0] !== 8) return null;
      frame = {
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        components: itemAt(content, 5),
      };
    }
    if (marker === APP1) orientation = orientationOf(content) ?? orientation;
    if (marker === APP14) inverted = startsWith(content, 'Adobe');
    if (isNeededToDecode(marker, content)) segments.push(file.subarray(at, end));
    at = end;
    if (marker !== SCAN) continue;
    const next = endOfScan(file, at);
    segments.push(file.subarray(at, next));
    at = next;
  }
  if (!frame || frame.width === 0 || frame.height === 0) return null;
  const { components } = frame;
  if (components !== 1 && components !== 3 && components !== 4) return null;
  segments.push(Uint8Array.of(0xff, END));
  return {
    bytes: concatBytes(segments),
    ...frame,
    components,
    inverted: inverted && components === 4,
    orientation,
  };
}

/** Tables and scans, the color profile, and the JFIF and Adobe segments, which define the color encoding. */
function isNeededToDecode(marker: number, content: Uint8Array): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  return marker === APP0
    ? startsWith(content, 'JFIF')
    : marker === APP14 || (marker === APP2 && startsWith(content, 'ICC_PROFILE'));
}

/** The index of the next marker after entropy-coded data, in which 0xff is followed by 0 or by a restart marker. */
function endOfScan(file: Uint8Array, from: number): number {
  let at = from;
  while (at + 1 < file.length) {
    const next = itemAt(file, at + 1);
    if (file[at] === 0xff && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at += 1;
  }
  return file.length;
}

function orientationOf(exif: Uint8Array): number | null {
  if (!startsWith(exif, 'Exif\0\0') || exif.length < 14) return null;
  const view = new DataView(exif.buffer, exif.byteOffset + 6, exif.byteLength - 6);
  const isLittle = view.getUint16(0) === 0x4949;
  const entries = view.getUint32(4, isLittle);
  if (entries + 2 > view.byteLength) return null;
  const count = view.getUint16(entries, isLittle);
  for (let entry = 0; entry < count; entry += 1) {
    const at = entries + 2 + 12 * entry;
    if (at + 12 > view.byteLength) return null;
    if (view.getUint16(at, isLittle) !== 0x0112) continue;
    const orientation = view.getUint16(at + 8, isLittle);
    return orientation >= 1 && orientation <= 8 ? orientation : null;
  }
  return null;
}

const startsWith = (content: Uint8Array, text: string) =>
  content.length >= text.length && [...text].every((letter, at) => content[at] === letter.charCodeAt(0));
