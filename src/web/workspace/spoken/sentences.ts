/** A sentence at `[start, end)` of a text. `text`: its words without line breaks. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
}

/** A line of at least this fraction of its paragraph's longest line continues on the next line. */
const FULL_LINE = 0.75;
/** Shorter lines, in characters, are items of a list. */
const MIN_FULL_LENGTH = 32;

/** The sentences of a text, across line breaks. Lines of lists and tables are separate sentences. */
export function sentencesOf(text: string, lang: string | undefined): Sentence[] {
  const joined = joinLines(text);
  const segmenter = new Intl.Segmenter(lang, { granularity: 'sentence' });
  return [...segmenter.segment(joined)].flatMap(({ index, segment }) => {
    const words = segment.trim();
    if (!/[\p{L}\p{N}]/u.test(words)) return [];
    const start = index + segment.indexOf(words);
    return { start, end: start + words.length, text: withoutHyphenation(words) };
  });
}

/** Replaces line breaks inside sentences by spaces, which keeps all offsets. */
function joinLines(text: string): string {
  let joined = '';
  for (const paragraph of text.split(/(\n{2,})/)) {
    const lines = paragraph.split('\n');
    const longest = Math.max(...lines.map(({ length }) => length));
    joined += lines
      .map((line, at) => {
        const next = lines[at + 1];
        if (next === undefined) return line;
        const isFull = line.length >= longest * FULL_LINE && line.length >= MIN_FULL_LENGTH;
        const continues = next !== '' && (isFull || /^\s*\p{Ll}/u.test(next));
        return `${line}${continues ? ' ' : '\n'}`;
      })
      .join('');
  }
  return joined;
}

/** Rejoins words that were hyphenated at a line end. */
const withoutHyphenation = (words: string) => words.replace(/(\p{L})[-\u00ad] +(\p{Ll})/gu, '$1$2');

/** Index of the sentence at this offset or the next one after it; 0 if none follows. */
export function sentenceAt(sentences: readonly Sentence[], place: number): number {
  return Math.max(
    0,
    sentences.findIndex(({ end }) => end > place),
  );
}
