import type { Extraction, Word } from '../../clients/typescript/src/index.ts';

/** Percent; the same threshold as in the product. */
export const DOUBTFUL_BELOW = 60;

/** A part of a text; `word` if it is doubtful. */
export interface Piece {
  text: string;
  word?: Word;
}

/** Punctuation without letters or digits is never marked. */
export const isDoubtful = ({ text, confidence }: Word): boolean =>
  confidence < DOUBTFUL_BELOW && /[\p{L}\p{N}]/u.test(text);

/** The text in pieces, cut around its doubtful words. The pieces joined are the text. */
export function markDoubts({ extractedText, lines }: Pick<Extraction, 'extractedText' | 'lines'>): Piece[] {
  const pieces: Piece[] = [];
  let [written, cursor] = [0, 0];
  for (const word of lines.flatMap(({ words }) => words)) {
    const at = extractedText.indexOf(word.text, cursor);
    if (at < 0) continue;
    cursor = at + word.text.length;
    if (!isDoubtful(word)) continue;
    if (at > written) pieces.push({ text: extractedText.slice(written, at) });
    pieces.push({ text: word.text, word });
    written = cursor;
  }
  if (written < extractedText.length) pieces.push({ text: extractedText.slice(written) });
  return pieces;
}
