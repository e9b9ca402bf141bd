import { MAX_READING_BYTES, type SavedReading, type SavedWork } from '#contract/saved-text';
import { mapText, type Piece, piecesOf } from '#formats/pieces';
import type { Reading } from './reading.ts';
import { firstState } from './text/first-layout.ts';
import { startHistory, type TextState, type TextWork } from './text/text-history.ts';
import { inReadingOrder, layOut, rewritten } from './text/text-layout.ts';
import { editText } from './text/text-mapping.ts';

/* A reading without its picture, as it is saved with a text. */

export function savedWork(state: TextState): SavedWork {
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

/** Undefined where it is too much to be kept. */
export function savedReading({ extraction, work }: Reading): SavedReading | undefined {
  const state = work?.history.present ?? firstState(extraction);
  // A text in its lines is made again from its reading.
  const isAsRead = work === null && state.layout === 'lines';
  const reading = { extraction, work: isAsRead ? null : savedWork(state) };
  const { size } = new Blob([JSON.stringify(reading)]);
  return size > MAX_READING_BYTES ? undefined : reading;
}

/**
 * The edits of a saved text, or null without any. A text that was changed without its reading, by a program for
 * instance, replaces that.
 */
export function openedWork({ extraction, work }: SavedReading, text: string): TextWork | null {
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
  if (text === now.mapped.text || text === textInItsLines(now, page))
    return state && { history: startHistory(state) };
  const changed = { ...now, ...rewritten(now, page, (mapped) => editText(mapped, text, text.length)) };
  return { history: startHistory(changed) };
}

/** The text in its own lines, whichever way it is laid out: to lay it out is only another view. */
export function textInItsLines(
  state: Pick<TextState, 'mapped' | 'layout' | 'lines'>,
  page: { pieces: readonly Piece[]; image: SavedReading['extraction']['image'] },
): string {
  if (state.layout === 'lines') return state.mapped.text;
  return layOut(inReadingOrder(state, page), page.pieces, 'lines').text;
}
