import type { Box, Extraction } from '#contract/extraction';

type Picture = Extraction['image'];

/** Quarter turns clockwise of a picture for recognition: 0 to 3. */
export const quarterTurns = ({ rotation }: Picture) => ((Math.round(rotation / 90) % 4) + 4) % 4;

/** Width and height of the picture after its quarter turns. */
export function uprightSize(picture: Picture): { width: number; height: number } {
  const { width, height } = picture;
  return quarterTurns(picture) % 2 === 1 ? { width: height, height: width } : { width, height };
}

/** Maps a box of the picture to the upright picture, where text is horizontal. */
export function toUpright(box: Box, picture: Picture): Box {
  return turned(box, picture, quarterTurns(picture));
}

/** The inverse of `toUpright`. */
export function fromUpright(box: Box, picture: Picture): Box {
  return turned(box, uprightSize(picture), (4 - quarterTurns(picture)) % 4);
}

function turned({ x, y, width, height }: Box, of: { width: number; height: number }, quarters: number): Box {
  switch (quarters) {
    case 1:
      return { x: of.height - y - height, y: x, width: height, height: width };
    case 2:
      return { x: of.width - x - width, y: of.height - y - height, width, height };
    case 3:
      return { x: y, y: of.width - x - width, width: height, height: width };
    default:
      return { x, y, width, height };
  }
}
