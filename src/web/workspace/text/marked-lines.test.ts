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

/** Number of lines that are re-rendered. */
function changedLines(after: MappedText, state: (piece: number) => WordState = none): number {
  const before = markedLines(mapped, none, []);
  const same = new Set<MarkedLine>(before);
  return markedLines(after, state, before).filter((line) => !same.has(line)).length;
}

describe('the lines of a text of 1,300 words', () => {
  it('have its text and the offsets of its words', () => {
    const lines = markedLines(mapped, none, []);
    expect(lines.map(({ text }) => text).join('\n')).toBe(TEXT);
    for (const { text, words } of lines) {
      for (const { piece, start, end } of words) expect(text.slice(start, end)).toBe(pieces[piece]?.text);
    }
    expect(lines.flatMap(({ words }) => words)).toHaveLength(pieces.length);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });

  it('keep their identity without a change', () => {
    expect(changedLines(mapped)).toBe(0);
    expect(changedLines({ ...mapped, marks: mapped.marks.map((mark) => ({ ...mark })) })).toBe(0);
  });

  it('one changes for a keystroke at any offset', () => {
    for (const at of [0, 1000, TEXT.length]) expect(changedLines(edited(mapped, at, 'x'))).toBe(1);
  });

  it('two change for a line break', () => {
    expect(changedLines(edited(mapped, TEXT.indexOf(' word505'), '\n'))).toBe(2);
    expect(changedLines(edited(mapped, TEXT.indexOf('word505') + 3, '\n')), 'within a word').toBe(2);
  });

  it('one changes for the state of a word', () => {
    expect(changedLines(mapped, (piece) => (piece === 700 ? 'active' : undefined))).toBe(1);
  });

  it('of joined paragraphs are the paragraphs and the blank lines between them', () => {
    const paragraphs = layOut(mapped, pieces, 'paragraphs');
    expect(markedLines(paragraphs, none, [])).toHaveLength(19);
  });
});
