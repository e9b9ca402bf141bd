/** Maps a word from its place on the line to the picture and to the upright page. */

import { boundsOf, cornersOf, type Region, sliceOf, straightened } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
import type { FusedWord } from '../reading/fuse.ts';
import type { Box, Point, Word } from '../types.ts';
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
      ...outlineOf(straightened(part({ from, to })), picture),
      ...(readings.length > 0 && { readings }),
    })),
    upright,
    uprightWords: words.map(onPage),
  };
}

/** Radians; the detector's rectangles around level words are askew by as much. */
const LEVEL = 0.02;

/** A region's box, and its corners unless it lies level; in whole pixels of the original picture, clipped to it. */
function outlineOf(region: Region, picture: Picture): Pick<Word, 'box' | 'polygon'> {
  const box = inOriginal(boundsOf(region), picture);
  if (Math.abs(region.angle) <= LEVEL) return { box };
  const { scale, original } = picture;
  const polygon = cornersOf(region).map(
    ({ x, y }): Point => ({
      x: Math.max(0, Math.min(original.width, Math.round(x / scale))),
      y: Math.max(0, Math.min(original.height, Math.round(y / scale))),
    }),
  );
  return { box, polygon };
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
