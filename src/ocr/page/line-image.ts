/** A line of the page as an image. Stages after the search for lines take line images, not the picture. */
import { boxInOriginal, type Picture, pointInOriginal } from '../picture/picture.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { Box, Point } from '../types.ts';
import { type Contrast, cleaned, cutLine } from './crop.ts';
import { boundsOf, cornersOf, type Region } from './geometry.ts';
import { withoutRules } from './line-rules.ts';

export class LineImage<R extends Region = Region> {
  /** In working pixels of the picture, in the direction in which the text reads. */
  readonly region: R;
  readonly #picture: Picture;

  constructor(picture: Picture, region: R) {
    this.#picture = picture;
    this.region = region;
  }

  /** Another region of the same picture. */
  at<Other extends Region>(region: Other): LineImage<Other> {
    return new LineImage(this.#picture, region);
  }

  /**
   * The gray levels of the picture, horizontal and straightened, `height` pixels high. Each call makes a new image: each
   * recognizer has its own height, and cached images of a dense page would take tens of megabytes.
   */
  pixels(height: number): GrayImage {
    return cutLine(this.#picture, this.region, height);
  }

  /** Dark ink on light paper, without leaders and underlines, for a recognizer; a new image at every call. */
  ink(height: number, contrast: Contrast): GrayImage {
    return withoutRules(cleaned(this.pixels(height), contrast));
  }

  /** The upright box around it, in whole pixels of the original picture, clipped to it. */
  get box(): Box {
    const { x, y, width, height } = boundsOf(this.region);
    return boxInOriginal({ x, y }, { x: x + width, y: y + height }, this.#picture);
  }

  /** Its corners as the text reads, from the top left on clockwise; in whole pixels of the original picture, clipped to it. */
  get corners(): Point[] {
    return cornersOf(this.region).map((corner) => pointInOriginal(corner, this.#picture));
  }

  /** Working pixels for each pixel of the original picture. */
  get scale(): number {
    return this.#picture.scale;
  }
}
