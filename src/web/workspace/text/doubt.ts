import { DOUBTFUL_BELOW, GLANCE_BELOW } from '#contract/product';
import type { Piece } from '#formats/pieces';

type Read = Pick<Piece, 'text' | 'confidence' | 'hidden'>;

/** Holds something that a person would look up in the picture: a bullet, a rule or a speck is not worth the way. */
const TELLING = /[\p{L}\p{N}\p{Sc}]/u;

/** Whether a piece of the text is underlined as what deserves a glance. */
export const isUnsure = ({ confidence, hidden }: Read) => hidden === null && confidence < GLANCE_BELOW;

/** Whether a person is led to it. */
export const isDoubtful = (piece: Read) =>
  isUnsure(piece) && piece.confidence < DOUBTFUL_BELOW && TELLING.test(piece.text);
