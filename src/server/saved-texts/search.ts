import type { Found } from '#contract/saved-text';

/*
 * Search in a text with excerpts of its matches. Text is compared folded: without case, accents and compatibility variants
 * (ligatures, full-width forms).
 */

/** Maximum number of words, because each costs a scan. */
const MAX_WORDS = 8;

/** Folded words of a query; none for an empty one. Each may match inside a word. */
export function searchWords(search: string): string[] {
  const words = fold(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_WORDS);
}

export function fold(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      // Accents of Latin, Greek and Cyrillic; in other scripts such marks are letters.
      .replace(/[\u0300-\u036f]+/g, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
  );
}

/** The approximate length of an excerpt around a match. */
const BEFORE = 60;
const EXCERPT = 200;

/** Null if name and text together do not contain all words. */
export function findWords(name: string, text: string, words: readonly string[]): Found | null {
  const [inName, inText] = [fold(name), fold(text)];
  if (!words.every((word) => inText.includes(word) || inName.includes(word))) return null;
  const together = inText.indexOf(words.join(' '));
  const places = words.map((word) => inText.indexOf(word)).filter((place) => place >= 0);
  const place = together >= 0 ? together : Math.min(...places);
  const excerpt = places.length === 0 ? excerptAt(text, 0) : excerptAt(text, originalPosition(text, place));
  return { name: marksIn(name, words), excerpt, marks: marksIn(excerpt, words) };
}

/** An excerpt around a position, in one line and of whole words if possible. */
function excerptAt(text: string, place: number): string {
  let start = Math.max(0, place - BEFORE);
  if (start > 0) {
    const space = text.slice(start, place).search(/\s/);
    if (space >= 0) start += space + 1;
    else if (isInsideCharacter(text, start)) start += 1;
  }
  let end = Math.min(text.length, start + EXCERPT);
  if (isInsideCharacter(text, end)) end -= 1;
  const excerpt = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '… ' : ''}${excerpt}${end < text.length ? ' …' : ''}`;
}

const isInsideCharacter = (text: string, at: number) => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/** Ranges of the words in a short text: `[start, end)`, sorted and disjoint. */
function marksIn(text: string, words: readonly string[]): Found['marks'] {
  // For each unit of the folded text, the index of its original character.
  const origins: Array<{ start: number; end: number }> = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const part = fold(character);
    const last = origins.at(-1);
    // Characters that folding removes belong to the one before them.
    if (part === '' && last) last.end = at + character.length;
    for (let unit = 0; unit < part.length; unit++) origins.push({ start: at, end: at + character.length });
    folded += part;
    at += character.length;
  }
  const found = words.flatMap((word) => {
    const places: Array<{ start: number; end: number }> = [];
    for (let from = folded.indexOf(word); from >= 0; from = folded.indexOf(word, from + word.length)) {
      const [first, last] = [origins[from], origins[from + word.length - 1]];
      if (first && last) places.push({ start: first.start, end: last.end });
    }
    return places;
  });
  const marks: Found['marks'] = [];
  for (const mark of found.toSorted((a, b) => a.start - b.start)) {
    const last = marks.at(-1);
    if (last && mark.start <= last.end) last.end = Math.max(last.end, mark.end);
    else marks.push({ ...mark });
  }
  return marks;
}

const CHUNK_LENGTH = 4096;

/** Maps a position of the folded text to the original one, because folding lengthens and removes characters. */
function originalPosition(text: string, place: number): number {
  let [at, passed] = [0, 0];
  while (at < text.length) {
    const end = at + CHUNK_LENGTH + (isInsideCharacter(text, at + CHUNK_LENGTH) ? 1 : 0);
    const { length } = fold(text.slice(at, end));
    if (passed + length > place) break;
    passed += length;
    at = end;
  }
  for (const character of text.slice(at, at + CHUNK_LENGTH + 1)) {
    passed += fold(character).length;
    if (passed > place) break;
    at += character.length;
  }
  return at;
}
