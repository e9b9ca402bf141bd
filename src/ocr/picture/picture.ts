import type { Notice } from '../types.ts';

/**
 * A decoded picture: upright by its EXIF tag, in sRGB, alpha flattened, at most the engine's working size.
 * `gray` and `rgb` lie in shared memory, so that threads read them without a copy.
 */
export interface Picture {
  /** Working size in pixels. */
  width: number;
  height: number;
  /** Luminance (Rec. 601), one byte a pixel, row by row. */
  gray: Uint8Array<SharedArrayBuffer>;
  /** Red, green, blue interleaved, three bytes a pixel. */
  rgb: Uint8Array<SharedArrayBuffer>;
  /** Size of the picture as it came, in pixels, EXIF orientation applied; working size = this × `scale`. */
  original: { width: number; height: number };
  /** At most 1. Divide a working coordinate by it to get one in the picture's own pixels. */
  scale: number;
  notices: Notice[];
}
