import type { MappedText, Mark, Piece } from '#formats/pieces';

/* Keeps the range of every recognized word, its mark, while the text is edited. */

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
  // The text after the caret is unchanged, so the change ends at or before the caret.
  const tailLimit = Math.min(longestTail, Math.max(0, after.length - caret));
  let tail = commonSuffixLength(before, after, tailLimit);
  const head = commonPrefixLength(before, after, longestTail - tail);
  // A change that ends after the caret (a forward deletion, an undo) may have a longer common suffix.
  if (tail === tailLimit) tail = commonSuffixLength(before, after, longestTail - head);
  return { start: head, end: before.length - tail, inserted: after.slice(head, after.length - tail) };
}

/** Length of the common suffix, up to a limit. For a keystroke it equals the limit, which needs only one comparison. */
function commonSuffixLength(before: string, after: string, limit: number): number {
  if (before.endsWith(after.slice(after.length - limit))) return limit;
  let tail = 0;
  while (before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return tail;
}

/** Length of the common prefix, up to a limit. */
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

/** Moves a mark by a change; null if the change removes it. */
function moveMark(mark: Mark, change: Change): Mark | null {
  const { start, end, inserted } = change;
  const shift = inserted.length - (end - start);
  if (mark.end < start) return mark;
  if (mark.start > end) return { ...mark, start: mark.start + shift, end: mark.end + shift };

  const insertedEnd = start + inserted.length;
  const keepsHead = mark.start < start;
  const keepsTail = mark.end > end;
  // Text typed within a word belongs to it. At its edges, only text that touches it without a space does.
  if (keepsHead && keepsTail) return { ...mark, end: mark.end + shift };
  if (keepsHead) return { ...mark, end: start + leadingWordLength(inserted) };
  if (keepsTail) return { ...mark, start: insertedEnd - trailingWordLength(inserted), end: mark.end + shift };
  if (mark.start === mark.end || end === start) return null;
  // The whole word was replaced: one word keeps the mark, several words do not.
  const replacement = inserted.trim();
  if (replacement === '' || /\s/.test(replacement)) return null;
  const offset = start + inserted.indexOf(replacement);
  return { ...mark, start: offset, end: offset + replacement.length };
}

/** The mapping after a user's edit. Moved words keep their marks; removed words lose them. */
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
    // Typed text may touch both neighbors. It belongs to the first one.
    const start = Math.max(moved.start, marks.at(-1)?.end ?? 0);
    if (start < moved.end) marks.push(start === moved.start ? moved : { ...moved, start });
  }
  return { text, marks };
}

/**
 * Replaces the word of one piece. Other words do not change, even if they touch it. A hyphen that was removed by joining lines
 * stays removed.
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

/** The mark at an offset, including both edges of the word. */
export function markAt(marks: readonly Mark[], offset: number): Mark | undefined {
  return marks.find((mark) => mark.start <= offset && offset <= mark.end);
}

/** The marks that overlap a selection; for a caret, the mark of the word in or beside which it is. */
export function marksWithin(marks: readonly Mark[], start: number, end: number): readonly Mark[] {
  if (start === end) {
    const mark = markAt(marks, start);
    return mark ? [mark] : [];
  }
  return marks.filter((mark) => mark.start < end && mark.end > start);
}

/** Whether the word of a piece is unchanged since recognition. A hyphen removed by joining lines is no change. */
export function isUntouched(mapped: MappedText, mark: Mark, piece: Piece): boolean {
  const now = mapped.text.slice(mark.start, mark.end);
  return now === piece.text || (piece.text.endsWith('-') && `${now}-` === piece.text);
}
