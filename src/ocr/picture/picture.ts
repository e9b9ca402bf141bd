import type { Notice } from '../types.ts';

/**
 * A decoded picture: upright by its EXIF tag, in sRGB, alpha flattened, at most the engine's working size.
 * `gray` and `rgb` are allocated by `bytesForAll`, so that threads read them without a copy.
 */
export interface Picture {
  /** Working size in pixels. */
  width: number;
  height: number;
  /** Luminance (Rec. 601), one byte a pixel, row by row. */
  gray: Uint8Array;
  /** Red, green, blue interleaved, three bytes a pixel. */
  rgb: Uint8Array;
  /** Size of the original picture in pixels, EXIF orientation applied; working size = this × `scale`. */
  original: { width: number; height: number };
  /**
   * Above 1 only for small pictures, which are enlarged. Divide a working coordinate by it to get one in the picture's own
   * pixels.
   */
  scale: number;
  /** In working pixels, if the file declares a paper size and can be rendered at any resolution. */
  dotsPerInch?: number;
  notices: Notice[];
}
