import type { Extraction } from '#contract/extraction';
import type { Piece } from '#formats/pieces';
import { type Slanted, slantedWords } from '#formats/slanted';
import { toUpright } from '#formats/upright';

/** How a piece lies on its line, in pixels of the picture turned upright; null for one that there is not. */
export function wordPlace(
  pieces: readonly Piece[],
  index: number,
  image: Extraction['image'],
): Slanted | null {
  const { line, hidden } = pieces[index] ?? {};
  const ofLine = pieces.flatMap((piece, at) =>
    at === index || (piece.line === line && piece.hidden === hidden) ? [at] : [],
  );
  const boxes = ofLine.map((at) => toUpright(pieces[at]!.box, image));
  return slantedWords(boxes)[ofLine.indexOf(index)] ?? null;
}
