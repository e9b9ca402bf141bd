import { expect, test } from 'vitest';
import type { Line } from '../types.ts';
import { withLigaturesSpelled } from './code-ligatures.ts';
import { lineOf } from './lines.ts';

const CELL = 8;

/** Lines of code; "§" stands for a ligature over the cells of the characters that follow it up to the next space. */
function linesOf(texts: readonly string[], read: readonly string[], cell = (_: string) => CELL): Line[] {
  const signs = [...read];
  return texts.map((text, row) => {
    let x = 0;
    const words = text.split(' ').map((part) => {
      const shown = part.replace('§', '');
      const advance = [...shown].reduce((sum, character) => sum + cell(character), 0);
      // A bracket fills the right half of its cell.
      const bearing = shown.startsWith('[') ? CELL / 2 : 1;
      const box = { x: x + bearing, y: 20 * row, width: Math.round(advance - bearing - 1), height: 14 };
      x += advance + cell(' ');
      return { text: part.startsWith('§') ? signs.shift()! : part, confidence: 0.95, box };
    });
    return lineOf(words, row);
  });
}

const CODE = [
  'const total = items §=> first',
  'while (left §!== null §|| right §>= zero)',
  'return items §==',
];
const READ = ['⇒', '≠', '∥', '≥', '='];

test('withLigaturesSpelled: in a monospaced font, ligatures become the character sequences of their width', () => {
  const lines = withLigaturesSpelled(linesOf(CODE, READ));
  expect(lines.map(({ text }) => text)).toEqual(CODE.map((text) => text.replaceAll('§', '')));
  const arrow = lines[0]!.words[4]!;
  expect(arrow).toMatchObject({ text: '=>', confidence: 0.8, readings: ['⇒'] });
  expect(lines[0]!.words[2]).toMatchObject({ text: '=', confidence: 0.95 });
});

test('withLigaturesSpelled: a sign as wide as one character stays', () => {
  const text = ['while (left §a zero) return', 'const total = items §b first'];
  const lines = withLigaturesSpelled(linesOf(text, ['≥', '→']));
  expect(lines.map((line) => line.text)).toEqual([
    'while (left ≥ zero) return',
    'const total = items → first',
  ]);
});

test('withLigaturesSpelled: in a proportional font, signs stay', () => {
  const cell = (character: string) => (/[il:/.]/.test(character) ? 3 : /[mw]/.test(character) ? 12 : 7);
  const lines = withLigaturesSpelled(linesOf(CODE, READ, cell));
  expect(lines[0]!.text).toBe('const total = items ⇒ first');
});

test('withLigaturesSpelled: unclear readings as wide as &&, || and |> become these, in doubt', () => {
  const code = [
    'const both = left §&& right',
    'return total §|> print',
    'if (left §|| right)',
    ...CODE.slice(0, 1),
  ];
  const page = linesOf(code, ['δ6', '>', 'Il', '⇒']);
  page[2]!.words[2]!.confidence = 0.4;
  const [and, pipe] = [page[0]!.words[4]!, page[1]!.words[2]!];
  and.confidence = 0.64;
  pipe.confidence = 0.23;
  expect(withLigaturesSpelled(page).map(({ text }) => text)).toEqual(
    code.map((text) => text.replace('§', '')),
  );
  expect(and).toMatchObject({ confidence: 0.5, readings: ['δ6'] });
  expect(pipe).toMatchObject({ confidence: 0.5, readings: ['>'] });
});

test('withLigaturesSpelled: a sure comparison, and a figure as wide as &&, stay', () => {
  const code = ['const both = left > right', 'return total + 66 + print', ...CODE.slice(0, 1)];
  const lines = withLigaturesSpelled(linesOf(code, ['⇒']));
  expect(lines.map(({ text }) => text)).toEqual(code.map((text) => text.replace('§', '')));
});

test('withLigaturesSpelled: a short name of a letter and a figure stays, however doubtful', () => {
  const code = ['const both = l1 + right', ...CODE.slice(0, 1)];
  const page = linesOf(code, ['⇒']);
  page[0]!.words[3]!.confidence = 0.56;
  expect(withLigaturesSpelled(page)[0]!.text).toBe(code[0]);
});
