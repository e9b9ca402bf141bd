import { describe, expect, it } from 'vitest';
import { align, dissimilarity } from './align.ts';

const placed = (text: string, advance = 0.5) =>
  [...text].map((character, index) => ({ text: character, center: index * advance }));

function shown(first: string, second: string): string[] {
  return align(placed(first), placed(second)).pairs.map(([i, j]) => `${first[i] ?? '·'}${second[j] ?? '·'}`);
}

describe('align', () => {
  it('pairs equal characters and leaves out those of only one reading', () => {
    expect(shown('Total', 'Toal')).toEqual(['TT', 'oo', 't·', 'aa', 'll']);
  });

  it('pairs look-alikes rather than leaving both unpaired', () => {
    expect(shown('1O5', 'I05')).toEqual(['1I', 'O0', '55']);
  });

  it('prefers the partner at the same place on the line', () => {
    const ones = [
      { text: '1', center: 0 },
      { text: 'i', center: 5 },
    ];
    expect(align([{ text: 'l', center: 5 }], ones).pairs).toContainEqual([0, 1]);
  });

  it('reports the similarity of the readings', () => {
    expect(align(placed('same'), placed('same')).similarity).toBe(1);
    expect(align(placed('same'), placed('qqqq')).similarity).toBeLessThan(0.1);
    expect(align([], placed('abc')).similarity).toBeLessThan(0.2);
  });
});

describe('dissimilarity', () => {
  it('is 0 for the same letter, small for another case, half for look-alikes', () => {
    expect([
      dissimilarity('a', 'a'),
      dissimilarity('a', 'A'),
      dissimilarity('5', 'S'),
      dissimilarity('5', 'x'),
    ]).toEqual([0, 0.3, 0.5, 1]);
  });
});
