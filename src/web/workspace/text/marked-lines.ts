import { itemAt } from '#formats/checked';
import type { MappedText, Mark } from '#formats/pieces';

/** The highlight of a word. Most words have none. */
export type WordState = 'active' | 'hovered' | 'doubtful' | 'uncertain' | undefined;

/** A word, or its part on this line; offsets count from the start of the line. */
export interface MarkedWord {
  piece: number;
  start: number;
  end: number;
  state: WordState;
}

export interface MarkedLine {
  /** Stays the same while the line starts with the same word. */
  key: string;
  text: string;
  words: readonly MarkedWord[];
}

/**
 * Splits a text into lines with the state of each word. An unchanged line keeps its identity, so that only changed lines are
 * re-rendered. A keystroke changes one line.
 */
export function markedLines(
  { text, marks }: MappedText,
  stateOf: (piece: number) => WordState,
  before: readonly MarkedLine[],
): readonly MarkedLine[] {
  const known = new Map(before.map((line) => [line.key, line]));
  const keys = new Set<string>();
  const lines: MarkedLine[] = [];
  let from = 0;
  let mark = 0;
  let lastKey = '';
  let lineOffset = 0;
  for (const line of text.split('\n')) {
    const end = from + line.length;
    const lineMarks: Mark[] = [];
    let next = mark;
    for (let at = mark; at < marks.length && itemAt(marks, at).start < end; at++) {
      const word = itemAt(marks, at);
      // A word in which the user typed a line break continues on the next line.
      if (word.end <= end) next = at + 1;
      if (Math.max(word.start, from) < Math.min(word.end, end)) lineMarks.push(word);
    }
    mark = next;
    const first = lineMarks[0] && `${lineMarks[0].piece}`;
    const isNewKey = first !== undefined && !keys.has(first);
    lastKey = isNewKey ? first : lastKey;
    lineOffset = isNewKey ? 0 : lineOffset + 1;
    const key = isNewKey ? first : `${lastKey}+${lineOffset}`;
    keys.add(key);
    const earlier = known.get(key);
    const toMarkedWord = ({ piece, start, end: wordEnd }: Mark): MarkedWord => ({
      piece,
      start: Math.max(start, from) - from,
      end: Math.min(wordEnd, end) - from,
      state: stateOf(piece),
    });
    const isUnchanged =
      earlier?.text === line &&
      earlier.words.length === lineMarks.length &&
      lineMarks.every((word, at) => isSame(itemAt(earlier.words, at), toMarkedWord(word)));
    lines.push(isUnchanged ? earlier : { key, text: line, words: lineMarks.map(toMarkedWord) });
    from = end + 1;
  }
  return lines;
}

const isSame = (one: MarkedWord, other: MarkedWord) =>
  one.piece === other.piece &&
  one.start === other.start &&
  one.end === other.end &&
  one.state === other.state;
