import type { Extraction, Word } from '../../clients/typescript/src/index.ts';

/** Confidence in percent below which a word is doubtful; the same threshold as in the product. */
export const DOUBTFUL_BELOW = 60;

/** A part of a text; `word` if it is doubtful. */
export interface Piece {
  text: string;
  word?: Word;
}

/** Whether a word is marked as doubtful. Punctuation without letters or digits never is. */
export const isDoubtful = ({ text, confidence }: Word): boolean =>
  confidence < DOUBTFUL_BELOW && /[\p{L}\p{N}]/u.test(text);

/** The text in pieces, cut around its doubtful words. The pieces joined are the text. */
export function markDoubts({ extractedText, lines }: Pick<Extraction, 'extractedText' | 'lines'>): Piece[] {
  const pieces: Piece[] = [];
  /** `end`: end of the last piece; `cursor`: end of the last word that was found. */
  let [end, cursor] = [0, 0];
  for (const word of lines.flatMap(({ words }) => words)) {
    const at = extractedText.indexOf(word.text, cursor);
    if (at < 0) continue;
    cursor = at + word.text.length;
    if (!isDoubtful(word)) continue;
    if (at > end) pieces.push({ text: extractedText.slice(end, at) });
    pieces.push({ text: word.text, word });
    end = cursor;
  }
  if (end < extractedText.length) pieces.push({ text: extractedText.slice(end) });
  return pieces;
}
