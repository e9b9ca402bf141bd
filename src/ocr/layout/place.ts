/** Maps a word from its place on the line to the picture and to the upright page. */

import { sliceOf, straightened } from '../page/geometry.ts';
import type { LineImage } from '../page/line-image.ts';
import type { FusedWord } from '../reading/fuse.ts';
import type { Box, Word } from '../types.ts';
import type { DewarpedPage } from './dewarped-page.ts';

/** A detected run of words: a line, or a part of one. */
export interface ReadFragment {
  /** In their order on the line; boxes in the picture's own pixels. */
  words: Word[];
  /**
   * Place of the fragment on the upright, level, dewarped page: pixels of the picture's own scale, with an arbitrary origin.
   * For the reading order and the page's layout.
   */
  upright: Box;
  /** Place of each word in the same frame. */
  uprightWords: readonly Box[];
}

/** `words`: at least one. */
export function placeFragment(
  image: LineImage,
  words: readonly FusedWord[],
  page: Pick<DewarpedPage, 'boxOf'>,
): ReadFragment {
  const { region, scale } = image;
  const part = ({ from, to }: { from: number; to: number }) =>
    sliceOf(region, from * region.height, Math.min(region.width, to * region.height));
  const onPage = (stretch: { from: number; to: number }): Box => {
    const { x, y, width, height } = page.boxOf(part(stretch));
    return { x: x / scale, y: y / scale, width: width / scale, height: height / scale };
  };
  // The text detector draws a line wider than its ink, and close neighbors would seem to touch it.
  const upright = onPage({
    from: Math.min(...words.map((word) => word.from)),
    to: Math.max(...words.map((word) => word.to)),
  });
  return {
    words: words.map(({ text, confidence, readings, from, to }) => ({
      text,
      confidence,
      ...outlineOf(image.at(straightened(part({ from, to })))),
      ...(readings.length > 0 && { readings }),
    })),
    upright,
    uprightWords: words.map(onPage),
  };
}

/** Radians; the detector's rectangles around level words are askew by as much. */
const LEVEL = 0.02;

/** Its box, and its corners unless it lies level. */
const outlineOf = ({ region, box, corners }: LineImage): Pick<Word, 'box' | 'polygon'> =>
  Math.abs(region.angle) <= LEVEL ? { box } : { box, polygon: corners };
