import type { Box, Notice, Point } from '../types.ts';

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

/** A point of the working picture in whole pixels of the original one, clipped to it. */
export function pointInOriginal({ x, y }: Point, { scale, original }: Picture): Point {
  const within = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value / scale)));
  return { x: within(x, original.width), y: within(y, original.height) };
}

/** The box between its top left and its bottom right corner, converted as points are. */
export function boxInOriginal(topLeft: Point, bottomRight: Point, picture: Picture): Box {
  const { x, y } = pointInOriginal(topLeft, picture);
  const end = pointInOriginal(bottomRight, picture);
  return { x, y, width: end.x - x, height: end.y - y };
}
