import { describe, expect, it } from 'vitest';
import { type MappedText, mapText, type Piece } from '#formats/pieces';
import { type MarkedLine, markedLines, type WordState } from './marked-lines.ts';
import { layOut } from './text-layout.ts';
import { editText } from './text-mapping.ts';

const LINES = 130;
const WORDS = 10;
const box = { x: 0, y: 0, width: 1, height: 1 };
const pieces: readonly Piece[] = Array.from({ length: LINES * WORDS }, (_, index) => ({
  text: `word${index}`,
  confidence: 90,
  box,
  line: Math.floor(index / WORDS),
  paragraph: Math.floor(index / WORDS / 13),
  hidden: null,
  readings: [],
}));
const TEXT = Array.from({ length: LINES }, (_, line) => {
  const words = pieces.slice(line * WORDS, (line + 1) * WORDS).map(({ text }) => text);
  return (line > 0 && line % 13 === 0 ? '\n' : '') + words.join(' ');
}).join('\n');
const mapped = mapText(TEXT, pieces);
const none = () => undefined;

const edited = (from: MappedText, at: number, inserted: string) =>
  editText(from, from.text.slice(0, at) + inserted + from.text.slice(at), at + inserted.length);

/** How many lines are to be rendered again. */
function changedLines(after: MappedText, state: (piece: number) => WordState = none): number {
  const before = markedLines(mapped, none, []);
  const same = new Set<MarkedLine>(before);
  return markedLines(after, state, before).filter((line) => !same.has(line)).length;
}

describe('the lines of a text of 1,300 words', () => {
  it('are its text, and their words are where they stand', () => {
    const lines = markedLines(mapped, none, []);
    expect(lines.map(({ text }) => text).join('\n')).toBe(TEXT);
    for (const { text, words } of lines) {
      for (const { piece, start, end } of words) expect(text.slice(start, end)).toBe(pieces[piece]?.text);
    }
    expect(lines.flatMap(({ words }) => words)).toHaveLength(pieces.length);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });

  it('are the same when nothing changed', () => {
    expect(changedLines(mapped)).toBe(0);
    expect(changedLines({ ...mapped, marks: mapped.marks.map((mark) => ({ ...mark })) })).toBe(0);
  });

  it('change in one place when a letter is typed, wherever that is', () => {
    for (const at of [0, 1000, TEXT.length]) expect(changedLines(edited(mapped, at, 'x'))).toBe(1);
  });

  it('change in two when a line is parted', () => {
    expect(changedLines(edited(mapped, TEXT.indexOf(' word505'), '\n'))).toBe(2);
    expect(changedLines(edited(mapped, TEXT.indexOf('word505') + 3, '\n')), 'within a word').toBe(2);
  });

  it('change where the state of a word does, and nowhere else', () => {
    expect(changedLines(mapped, (piece) => (piece === 700 ? 'active' : undefined))).toBe(1);
  });

  it('are as many as there are paragraphs and gaps once they are rejoined', () => {
    const paragraphs = layOut(mapped, pieces, 'paragraphs');
    expect(markedLines(paragraphs, none, [])).toHaveLength(19);
  });
});
