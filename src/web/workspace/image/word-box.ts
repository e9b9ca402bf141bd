import type { Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import type { Piece } from '#formats/pieces';
import { type Slanted, slantedLines } from '#formats/slanted';
import { toUpright } from '#formats/upright';

/** The skewed box of each piece along its line, in pixels of the upright picture. */
export function piecePlaces(pieces: readonly Piece[], image: Extraction['image']): readonly Slanted[] {
  const lines = new Map<string, number[]>();
  pieces.forEach(({ line, hidden }, index) => {
    const key = `${line} ${hidden}`;
    const others = lines.get(key);
    if (others) others.push(index);
    else lines.set(key, [index]);
  });
  const grouped = [...lines.values()];
  const boxesByLine = slantedLines(
    grouped.map((indices) => indices.map((index) => toUpright(itemAt(pieces, index).box, image))),
  );
  const places: Slanted[] = [];
  grouped.forEach((indices, line) => {
    indices.forEach((index, at) => {
      places[index] = itemAt(itemAt(boxesByLine, line), at);
    });
  });
  return places;
}

/**
 * The skewed box of one piece; null for a missing one. Computes all, because a single word on a line has the tilt of
 * the page.
 */
export const wordBox = (
  pieces: readonly Piece[],
  index: number,
  image: Extraction['image'],
): Slanted | null => piecePlaces(pieces, image)[index] ?? null;
