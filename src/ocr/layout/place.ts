/** Maps a word from its place on the line to the picture and to the upright page. */

import { boundsOf, type Region, sliceOf, straightened } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
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
  region: Region,
  words: readonly FusedWord[],
  picture: Picture,
  page: Pick<DewarpedPage, 'boxOf'>,
): ReadFragment {
  const { scale } = picture;
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
      box: inOriginal(boundsOf(straightened(part({ from, to }))), picture),
      ...(readings.length > 0 && { readings }),
    })),
    upright,
    uprightWords: words.map(onPage),
  };
}

/** A box of the working picture in whole pixels of the original picture, clipped to it. */
function inOriginal(box: Box, { scale, original }: Picture): Box {
  const within = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value / scale)));
  const x = within(box.x, original.width);
  const y = within(box.y, original.height);
  return {
    x,
    y,
    width: within(box.x + box.width, original.width) - x,
    height: within(box.y + box.height, original.height) - y,
  };
}
