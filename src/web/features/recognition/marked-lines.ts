import type { MappedText } from '#formats/pieces';

/** How a word looks in the text. Most have nothing to show. */
export type WordState = 'active' | 'hovered' | 'doubtful' | 'glance' | undefined;

/** A word, or the part of one that stands on a line; places count from the line's beginning. */
export interface MarkedWord {
  piece: number;
  start: number;
  end: number;
  state: WordState;
}

/** One line of a text, without its line break. */
export interface MarkedLine {
  /** The same for as long as the line begins with the same word. */
  key: string;
  text: string;
  words: readonly MarkedWord[];
}

/**
 * A text line by line, with what is to be seen of each word. A line that is as it was before is the very same object, so
 * that whoever draws lines draws those alone that changed: a letter that is typed changes one.
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
  let last = '';
  let since = 0;
  for (const line of text.split('\n')) {
    const end = from + line.length;
    const words: MarkedWord[] = [];
    for (let at = mark; at < marks.length && marks[at]!.start < end; at++) {
      const { piece, start, end: wordEnd } = marks[at]!;
      // A word that a person broke goes on in the next line.
      if (wordEnd <= end) mark = at + 1;
      const part = { start: Math.max(start, from) - from, end: Math.min(wordEnd, end) - from };
      if (part.start < part.end) words.push({ piece, ...part, state: stateOf(piece) });
    }
    const first = words[0] && `${words[0].piece}`;
    const opens = first !== undefined && !keys.has(first);
    last = opens ? first : last;
    since = opens ? 0 : since + 1;
    const key = opens ? first : `${last}+${since}`;
    keys.add(key);
    const earlier = known.get(key);
    lines.push(earlier && isSame(earlier, line, words) ? earlier : { key, text: line, words });
    from = end + 1;
  }
  return lines;
}

function isSame(earlier: MarkedLine, text: string, words: readonly MarkedWord[]): boolean {
  return (
    earlier.text === text &&
    earlier.words.length === words.length &&
    words.every(({ piece, start, end, state }, at) => {
      const word = earlier.words[at]!;
      return word.piece === piece && word.start === start && word.end === end && word.state === state;
    })
  );
}
