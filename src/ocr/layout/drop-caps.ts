/** Joins drop caps to the words that they start. */

import type { DropCap } from '../page/drop-caps.ts';
import type { Region } from '../page/geometry.ts';
import type { Lexicon } from '../reading/lexicon.ts';
import type { Box, Word } from '../types.ts';
import type { ReadFragment } from './place.ts';

/** A letter that starts no word of the lexicon is kept from this confidence on. */
const SURE = 0.6;
/** A large letter alone looks like a figure or a small letter. */
const LOOKS_LIKE: Record<string, string> = { 0: 'O', 1: 'I', '|': 'I', l: 'I', 5: 'S', 8: 'B', VV: 'W' };
const QUOTES = /^["'“”‘’„«»]+/u;

/**
 * The fragments of a page with its drop caps in place: the letter's own readings are dropped, and the lines beside it start
 * at the left edge of their text column. A letter that makes no sense there is left out, and all else stays.
 * @param fragments by the regions that they were read from
 */
export function withDropCaps(
  fragments: ReadonlyMap<Region, ReadFragment>,
  dropCaps: readonly DropCap<Region>[],
  lexicon: Lexicon,
): ReadFragment[] {
  const left = new Map(fragments);
  for (const { region, first, beside, seen } of dropCaps) {
    const [read, line] = [left.get(region), left.get(first)];
    left.delete(region);
    const joined = read && line && joinedTo(read, line, lexicon);
    if (!joined) continue;
    for (const other of seen) left.delete(other);
    for (const other of beside) {
      const fragment = other === first ? joined : behind(read, left.get(other));
      if (fragment) left.set(other, { ...fragment, upright: from(read.upright.x, fragment.upright) });
    }
  }
  return [...left.values()];
}

function joinedTo(read: ReadFragment, line: ReadFragment, lexicon: Lexicon): ReadFragment | undefined {
  const letters = read.words.map(({ text }) => text).join('');
  const [quotes = ''] = QUOTES.exec(letters) ?? [];
  const seen = letters.slice(quotes.length);
  // A letter of this size may be detected twice.
  const letter = (LOOKS_LIKE[seen] ?? seen.replace(/^(\p{L})\1$/u, '$1')).toUpperCase();
  if (!/^\p{L}\p{M}?$/u.test(letter)) return undefined;
  const after = behind(read, line);
  const [word, box] = [after?.words[0], after?.uprightWords[0]];
  if (!after || !word || !box) return undefined;
  const sure = Math.min(...read.words.map(({ confidence }) => confidence));
  const rest = lettersOf(word.text);
  const together = rest !== '' && word.text.startsWith(rest.charAt(0)) && lexicon.has(letter + rest);
  const alone = lexicon.has(letter) && lexicon.has(rest);
  if (!together && !alone && (lexicon.has(rest) || sure < SURE)) return undefined;
  const dropCap: Word = {
    text: quotes + letter,
    confidence: together || alone ? Math.max(sure, word.confidence) : sure,
    box: read.words.map((one) => one.box).reduce(around),
  };
  if (!together && alone) {
    return {
      words: [dropCap, ...after.words],
      upright: line.upright,
      uprightWords: [{ ...box, x: read.upright.x, width: read.upright.width }, ...after.uprightWords],
    };
  }
  // The corners of the word are not those of the word with its letter.
  const { readings: _, polygon: _corners, ...whole } = word;
  return {
    words: [
      {
        ...whole,
        text: dropCap.text + word.text,
        confidence: Math.min(dropCap.confidence, word.confidence),
        box: around(dropCap.box, word.box),
      },
      ...after.words.slice(1),
    ],
    upright: line.upright,
    uprightWords: [from(read.upright.x, box), ...after.uprightWords.slice(1)],
  };
}

/**
 * The part of a line after the letter: where the text detector merged both, the line's first words are a reading of the
 * letter.
 */
function behind(letter: ReadFragment, line: ReadFragment | undefined): ReadFragment | undefined {
  const edge = letter.upright.x + letter.upright.width;
  const begins = line?.uprightWords.findIndex(({ x, width }) => x + width / 2 > edge) ?? -1;
  if (!line || begins < 0) return undefined;
  return { ...line, words: line.words.slice(begins), uprightWords: line.uprightWords.slice(begins) };
}

const lettersOf = (text: string) => (text.match(/[\p{L}\p{M}]+/u) ?? [''])[0];

const from = (x: number, box: Box): Box => ({ ...box, x, width: box.x + box.width - x });

function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
