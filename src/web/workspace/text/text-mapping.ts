import type { MappedText, Mark, Piece } from '#formats/pieces';

/** `[start, end)` of the old text was replaced by `inserted`. */
interface Change {
  start: number;
  end: number;
  inserted: string;
}

/**
 * The difference between two texts as one replacement. `caret`: its position after the edit, which decides between
 * equal results (an "a" typed into "aaa").
 */
function changeBetween(before: string, after: string, caret: number): Change {
  const longestTail = Math.min(before.length, after.length);
  // The text behind the caret was there before, so the change ends no later than the caret.
  const tailLimit = Math.min(longestTail, Math.max(0, after.length - caret));
  let tail = commonSuffixLength(before, after, tailLimit);
  const head = commonPrefixLength(before, after, longestTail - tail);
  // A change that ends beyond the caret (a deletion forwards, an undo) may share more with the end.
  if (tail === tailLimit) tail = commonSuffixLength(before, after, longestTail - head);
  return { start: head, end: before.length - tail, inserted: after.slice(head, after.length - tail) };
}

/** How much two texts end alike, up to a limit; that all of it is alike, as with every letter typed, is one comparison. */
function commonSuffixLength(before: string, after: string, limit: number): number {
  if (before.endsWith(after.slice(after.length - limit))) return limit;
  let tail = 0;
  while (before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return tail;
}

/** The same from the beginning. */
function commonPrefixLength(before: string, after: string, limit: number): number {
  if (before.startsWith(after.slice(0, limit))) return limit;
  let head = 0;
  while (before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  return head;
}

const leadingWordLength = (text: string) => /^\S*/.exec(text)?.[0].length ?? 0;
function trailingWordLength(text: string): number {
  let start = text.length;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return text.length - start;
}

/** A mark's place after a change; null if nothing of it is left. */
function moveMark(mark: Mark, change: Change): Mark | null {
  const { start, end, inserted } = change;
  const shift = inserted.length - (end - start);
  if (mark.end < start) return mark;
  if (mark.start > end) return { ...mark, start: mark.start + shift, end: mark.end + shift };

  const insertedEnd = start + inserted.length;
  const keepsHead = mark.start < start;
  const keepsTail = mark.end > end;
  // Within a word everything typed belongs to it; at its edges only what touches it without a space.
  if (keepsHead && keepsTail) return { ...mark, end: mark.end + shift };
  if (keepsHead) return { ...mark, end: start + leadingWordLength(inserted) };
  if (keepsTail) return { ...mark, start: insertedEnd - trailingWordLength(inserted), end: mark.end + shift };
  if (mark.start === mark.end || end === start) return null;
  // Replaced as a whole: one word stands for it, several words have no single origin.
  const replacement = inserted.trim();
  if (replacement === '' || /\s/.test(replacement)) return null;
  const offset = start + inserted.indexOf(replacement);
  return { ...mark, start: offset, end: offset + replacement.length };
}

/** The mapping after a person's edit. Words that were only moved keep their place; removed ones lose it. */
export function editText(mapped: MappedText, after: string, caret: number): MappedText {
  if (after === mapped.text) return mapped;
  return replaceRange(mapped, changeBetween(mapped.text, after, caret));
}

/** The mapping after `[start, end)` was replaced by `inserted`. */
export function replaceRange(mapped: MappedText, change: Change): MappedText {
  const text = mapped.text.slice(0, change.start) + change.inserted + mapped.text.slice(change.end);
  const marks: Mark[] = [];
  for (const mark of mapped.marks) {
    const moved = moveMark(mark, change);
    if (moved === null || moved.start >= moved.end) continue;
    // Two neighbors may both touch what was typed between them: the first one has it.
    const start = Math.max(moved.start, marks.at(-1)?.end ?? 0);
    if (start < moved.end) marks.push(start === moved.start ? moved : { ...moved, start });
  }
  return { text, marks };
}

/**
 * The mapping after a correction of one piece. Only its own word changes, even if the next one touches it; a hyphen
 * that was removed when lines were joined stays removed.
 */
export function replacePiece(
  mapped: MappedText,
  pieces: readonly Piece[],
  index: number,
  reading: string,
): MappedText {
  const mark = mapped.marks.find((other) => other.piece === index);
  const read = pieces[index]?.text;
  if (!mark || read === undefined) return mapped;
  const before = mapped.text.slice(mark.start, mark.end);
  const isRejoined = `${before}-` === read && reading.endsWith('-');
  const inserted = isRejoined ? reading.slice(0, -1) : reading;
  const shift = inserted.length - before.length;
  return {
    text: mapped.text.slice(0, mark.start) + inserted + mapped.text.slice(mark.end),
    marks: mapped.marks.map((other) => {
      if (other === mark) return { ...mark, end: mark.end + shift };
      if (other.start < mark.end) return other;
      return { ...other, start: other.start + shift, end: other.end + shift };
    }),
  };
}

/** The mark at a place in the text, a word's two edges included. */
export function markAt(marks: readonly Mark[], offset: number): Mark | undefined {
  return marks.find((mark) => mark.start <= offset && offset <= mark.end);
}

/** The marks that a selection touches; for a caret, the word it stands in or beside. */
export function marksWithin(marks: readonly Mark[], start: number, end: number): readonly Mark[] {
  if (start === end) {
    const mark = markAt(marks, start);
    return mark ? [mark] : [];
  }
  return marks.filter((mark) => mark.start < end && mark.end > start);
}

/** Whether a piece is unchanged since recognition. A hyphen removed by joining lines is no change. */
export function isUntouched(mapped: MappedText, mark: Mark, piece: Piece): boolean {
  const now = mapped.text.slice(mark.start, mark.end);
  return now === piece.text || (piece.text.endsWith('-') && `${now}-` === piece.text);
}
