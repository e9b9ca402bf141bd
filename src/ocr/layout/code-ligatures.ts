/**
 * Ligatures of programming fonts as the characters that they stand for: such a font draws "=>" as one arrow, as wide as two
 * characters.
 */
import { median } from '../page/geometry.ts';
import type { Line, Word } from '../types.ts';
import { lineOf } from './lines.ts';

/** The characters that a sign stands for, by how many there are. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  '⇒': ['=>'],
  '→': ['->'],
  '←': ['<-'],
  '≤': ['<='],
  '≥': ['>='],
  '≠': ['!=', '!=='],
  '≡': ['===', '=='],
  '∥': ['||'],
  '|': ['||'],
  '=': ['==', '==='],
};
/** Signs that recognizers do not know, by what they make of them; the confidence of such a reading is lower than `below`. */
const UNKNOWN: readonly { readAs: RegExp; below: number; text: string }[] = [
  { readAs: /^(?=.*[&δ§])[&δ§68G]{1,2}$/u, below: 0.75, text: '&&' },
  { readAs: /^[68]{1,2}$/u, below: 0.5, text: '&&' },
  // Not l1 or I1, which are names.
  { readAs: /^(?:[Il|]{2}|11)$/u, below: 0.75, text: '||' },
  { readAs: /^[>▷Dp]$/u, below: 0.5, text: '|>' },
];
/** Words that show the width of a character: how many there have to be, and how many of them agree. */
const EVIDENCE = { words: 5, agree: 0.8, within: 0.08 } as const;
const MEASURED = /^[\w:/.]{3,}$/;
/** The greatest confidence of a word that was derived from its width, and the confidence of an unknown sign: it is doubtful. */
const DERIVED = 0.8;
const GUESSED = 0.5;

/**
 * The lines of a page in a monospaced font, with each ligature as the characters whose width it has; one space is assumed on
 * either side. Other pages stay unchanged. Words are changed in place.
 */
export function withLigaturesSpelled(lines: readonly Line[]): Line[] {
  const width = characterWidthOf(lines);
  if (width === undefined) return [...lines];
  return lines.map((line) => {
    const { words } = line;
    const spelled = words.filter((word, i) => {
      const found = spellingOf(word, words[i - 1], words[i + 1], width);
      if (found === undefined) return false;
      Object.assign(word, {
        ...found,
        readings: [word.text, ...(word.readings ?? [])],
      });
      return true;
    });
    return spelled.length > 0 ? lineOf(words, line.paragraph) : line;
  });
}

/** Whether the words of a page show that all characters are equally wide, as in code. */
export const isMonospaced = (lines: readonly Line[]): boolean => characterWidthOf(lines) !== undefined;

/** The width of a character in pixels, where all words agree on it. */
function characterWidthOf(lines: readonly Line[]): number | undefined {
  const words = lines.flatMap((line) => line.words.filter(({ text }) => MEASURED.test(text)));
  if (words.length < EVIDENCE.words) return undefined;
  // The ink of a word is narrower than its characters by the paper around one of them.
  const widths = words.map(({ text, box }) => box.width / (text.length - 0.1));
  const usual = median(widths);
  const agreeing = widths.filter((width) => Math.abs(width - usual) <= EVIDENCE.within * usual);
  return agreeing.length >= EVIDENCE.agree * widths.length ? usual : undefined;
}

function spellingOf(
  { text, confidence, box }: Word,
  before: Word | undefined,
  after: Word | undefined,
  width: number,
): Pick<Word, 'text' | 'confidence'> | undefined {
  const options = STANDS_FOR[text];
  const unknown = UNKNOWN.find(({ readAs, below }) => readAs.test(text) && confidence < below);
  if ((!options && !unknown) || !before) return undefined;
  // A part of the sign may have been taken for the end of the word before.
  const start = before.box.x + Math.min(before.box.width, before.text.length * width);
  const end = after ? after.box.x - width : box.x + box.width;
  // Between the ink of two words lies a part of a character more than their cells.
  const characters = Math.floor((end - start) / width) - 1;
  const known = options?.find(({ length }) => length === characters);
  if (known) return { text: known, confidence: Math.min(confidence, DERIVED) };
  return unknown?.text.length === characters ? { text: unknown.text, confidence: GUESSED } : undefined;
}
