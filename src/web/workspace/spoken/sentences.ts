/** A part of a text that is spoken at once: `[start, end)`, and its words without line breaks. */
export interface Sentence {
  start: number;
  end: number;
  words: string;
}

/** A line that fills this share of the longest one of its paragraph goes on in the next. */
const FULL = 0.75;
/** Letters: shorter lines are entries of a list. */
const SHORTEST_FULL = 32;

/** The sentences of a text, also where they go on in the next line; lines of lists and tables are spoken one by one. */
export function sentencesOf(text: string, lang: string | undefined): Sentence[] {
  const joined = joinLines(text);
  const segmenter = new Intl.Segmenter(lang, { granularity: 'sentence' });
  return [...segmenter.segment(joined)].flatMap(({ index, segment }) => {
    const words = segment.trim();
    if (!/[\p{L}\p{N}]/u.test(words)) return [];
    const start = index + segment.indexOf(words);
    return { start, end: start + words.length, words: spoken(words) };
  });
}

/** Line breaks inside sentences as spaces, so that every offset stays. */
function joinLines(text: string): string {
  let joined = '';
  for (const paragraph of text.split(/(\n{2,})/)) {
    const lines = paragraph.split('\n');
    const longest = Math.max(...lines.map(({ length }) => length));
    joined += lines
      .map((line, at) => {
        const next = lines[at + 1];
        if (next === undefined) return line;
        const isFull = line.length >= longest * FULL && line.length >= SHORTEST_FULL;
        const goesOn = next !== '' && (isFull || /^\s*\p{Ll}/u.test(next));
        return `${line}${goesOn ? ' ' : '\n'}`;
      })
      .join('');
  }
  return joined;
}

/** A word that is broken at the end of a line is one word. */
const spoken = (words: string) => words.replace(/(\p{L})[-\u00ad] +(\p{Ll})/gu, '$1$2');

/** Index of the sentence at this place, or the next one after it; 0 where none follows. */
export function sentenceAt(sentences: readonly Sentence[], place: number): number {
  return Math.max(
    0,
    sentences.findIndex(({ end }) => end > place),
  );
}
