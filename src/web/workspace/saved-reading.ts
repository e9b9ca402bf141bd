import { MAX_READING_BYTES, type SavedReading, type SavedWork } from '#contract/saved-text';
import { mapText, type Piece, piecesOf } from '#formats/pieces';
import type { RecognitionResult } from './reading.ts';
import { initialState } from './text/first-layout.ts';
import { startHistory, type TextState, type TextWork } from './text/text-history.ts';
import { applyInReadingOrder, inReadingOrder, layOut } from './text/text-layout.ts';
import { editText } from './text/text-mapping.ts';

/* Conversion of a reading to and from the form in which the server saves it with a text, without its picture. */

export function toSavedWork(state: TextState): SavedWork {
  const { mapped, layout, lines, filled, notTables, tables, checked } = state;
  const plain = ({ text, marks }: TextState['mapped']) => ({ text, marks: [...marks] });
  return {
    mapped: plain(mapped),
    layout,
    lines: lines ? plain(lines) : null,
    filled: (filled ?? []).map((piece) => ({ ...piece, readings: [...piece.readings] })),
    notTables: [...(notTables ?? [])],
    ...(tables && { tables: [...tables] }),
    checked: [...checked],
  };
}

/** Undefined if it exceeds `MAX_READING_BYTES`. */
export function toSavedReading({ extraction, work }: RecognitionResult): SavedReading | undefined {
  const state = work?.history.present ?? initialState(extraction);
  // An unedited text in Lines view needs no saved work, because it is derived from the extraction.
  const isUnchanged = work === null && state.layout === 'lines';
  const reading = { extraction, work: isUnchanged ? null : toSavedWork(state) };
  const { size } = new Blob([JSON.stringify(reading)]);
  return size > MAX_READING_BYTES ? undefined : reading;
}

/**
 * Restores the edits of a saved text; null without any. If the text was changed without its reading, for example by an API
 * client, the difference becomes an edit.
 */
export function fromSavedWork({ extraction, work }: SavedReading, text: string): TextWork | null {
  const state: TextState | null = work && {
    ...work,
    notTables: new Set(work.notTables),
    checked: new Set(work.checked),
  };
  const read = piecesOf(extraction);
  const now: TextState = state ?? {
    mapped: mapText(extraction.extractedText, read),
    layout: 'lines',
    checked: new Set(),
  };
  const page = { pieces: [...read, ...(now.filled ?? [])], image: extraction.image };
  if (text === now.mapped.text || text === textInLines(now, page))
    return state && { history: startHistory(state) };
  const changed = {
    ...now,
    ...applyInReadingOrder(now, page, (mapped) => editText(mapped, text, text.length)),
  };
  return { history: startHistory(changed) };
}

/** The text in Lines view, whatever its current layout is. */
export function textInLines(
  state: Pick<TextState, 'mapped' | 'layout' | 'lines'>,
  page: { pieces: readonly Piece[]; image: SavedReading['extraction']['image'] },
): string {
  if (state.layout === 'lines') return state.mapped.text;
  return layOut(inReadingOrder(state, page), page.pieces, 'lines').text;
}
