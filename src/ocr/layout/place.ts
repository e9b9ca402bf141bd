/** From where a word lies along its line to where it lies on the picture and on the upright page. */

import { boundsOf, type Region, sliceOf, straightened } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
import type { FusedWord } from '../reading/fuse.ts';
import type { Box, Word } from '../types.ts';
import type { DewarpedPage } from './dewarped-page.ts';

/** A run of words that detection saw as one: a line, or a part of one. */
export interface ReadFragment {
  /** In the order in which they stand on the line; boxes in the picture's own pixels. */
  words: Word[];
  /**
   * Where the fragment lies once the page is turned upright, level and square: pixels of the picture's own scale, an origin of no
   * meaning. For the order of reading and for the page's layout.
   */
  upright: Box;
  /** Where each of the words lies in the same frame. */
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
  // Detection draws a line wider than its ink, and what stands close beside it would seem to touch it.
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

/** A box of the working picture in whole pixels of the picture as it came, kept inside it. */
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
