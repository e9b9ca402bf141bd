/** From where a word lies along its line to where it lies on the picture and on the upright page. */
import type { Box, Word } from '../types.ts';
import type { FusedWord } from './fuse.ts';
import { boundsOf, levelled, type Region, sliceOf } from './geometry.ts';
import type { Picture } from './picture.ts';

/** A run of words that detection saw as one: a line, or a part of one. */
export interface ReadPiece {
  /** In the order in which they stand on the line; boxes in the picture's own pixels. */
  words: Word[];
  /**
   * Where the piece lies once the page is turned upright and level: pixels of the picture's own scale, an origin of no
   * meaning. For the order of reading only.
   */
  upright: Box;
}

/** @param angle radians clockwise in which the page's text runs on the picture */
export function placePiece(
  region: Region,
  words: readonly FusedWord[],
  picture: Picture,
  angle: number,
): ReadPiece {
  const level = levelled(region, angle);
  const { scale } = picture;
  return {
    words: words.map(({ text, confidence, from, to }) => ({
      text,
      confidence,
      box: inOriginal(
        boundsOf(sliceOf(region, from * region.height, Math.min(region.width, to * region.height))),
        picture,
      ),
    })),
    upright: {
      x: (level.cx - level.width / 2) / scale,
      y: (level.cy - level.height / 2) / scale,
      width: level.width / scale,
      height: level.height / scale,
    },
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
