import { describe, expect, it } from 'vitest';
import { findWords, fold, searchWords } from './search.ts';

const find = (search: string, text: string, name = 'Note') => findWords(name, text, searchWords(search));
const marked = (found: ReturnType<typeof find>) =>
  found?.marks.map(({ start, end }) => found.excerpt.slice(start, end));

describe('search', () => {
  it.each([
    ['case', 'HARBOUR', 'The harbour', 'harbour'],
    ['ignored accents', 'cafe creme', 'Un Café CRÈME', 'Café'],
    ['combining accents (NFD)', 'café', 'un cafe\u0301 noir', 'cafe\u0301'],
    ['a sharp s', 'STRASSE', 'Die Straße', 'Straße'],
    ['a final sigma', 'οδοσ', 'Η ΟΔΟΣ και η οδός', 'ΟΔΟΣ'],
    ['typographic ligatures', 'office', 'the o\ufb03ce', 'o\ufb03ce'],
    ['full-width letters', 'abc', 'ＡＢＣ', 'ＡＢＣ'],
    ['Turkish capitals', 'istanbul', 'İSTANBUL', 'İSTANBUL'],
    ['a script without spaces', '東京', '彼は東京に住む', '東京'],
    ['Hangul syllables', '서울', '대한민국 서울시', '서울'],
  ])('given %s, marks the match as it is written', (_what, search, text, first) => {
    expect(marked(find(search, text))?.[0]?.normalize('NFC')).toBe(first.normalize('NFC'));
  });

  it('distinguishes marks that are letters in their script', () => {
    expect(find('กา', 'กิน')).toBeNull();
    expect(fold('कि')).not.toBe(fold('क'));
  });

  it('requires every word, in any order, in the name or in the text', () => {
    expect(find('lane harbour', 'Harbour Lane Bakery')).not.toBeNull();
    expect(find('bakery receipt', 'Harbour Lane Bakery', 'Receipt')).not.toBeNull();
    expect(find('bakery receipt', 'Harbour Lane Bakery')).toBeNull();
  });

  it('treats the query literally', () => {
    for (const typed of ['.*', '%', '_', '(', '[a', '\\', '$&', '^x', '*', '"']) {
      expect(find(typed, 'plain words')).toBeNull();
      expect(marked(find(typed, `before ${typed} after`))).toEqual([typed]);
    }
  });

  it('prefers an excerpt with several words over the first match', () => {
    const found = find('red house', `a red ball ${'and so on '.repeat(50)} the red house by the sea`);
    expect(found?.excerpt).toContain('the red house by the sea');
    expect(marked(found)).toEqual(['red', 'house']);
  });

  it('shows an excerpt in one line, far into a text whose length changes by folding', () => {
    const text = `${'Straße\ncafe\u0301 o\ufb03ce \u{1F600} '.repeat(3000)}the needle\nin here ${'x '.repeat(500)}`;
    const found = find('NEEDLE', text);
    expect(found?.excerpt).toMatch(/^… .*the needle in here x .* …$/);
    expect(marked(found)).toEqual(['needle']);
    expect(found?.excerpt.length).toBeLessThan(220);
  });

  it('marks matches in the name, and shows the beginning of the text if only the name matches', () => {
    expect(find('note', 'Milk and bread', 'Note of a note')).toEqual({
      name: [
        { start: 0, end: 4 },
        { start: 10, end: 14 },
      ],
      excerpt: 'Milk and bread',
      marks: [],
    });
  });

  it('merges adjacent marks, and never splits a character', () => {
    expect(find('ab bc', 'abc')?.marks).toEqual([{ start: 0, end: 3 }]);
    const faces = find('x', `${'\u{1F600}'.repeat(200)}x${'\u{1F600}'.repeat(200)}`);
    expect(faces?.excerpt).not.toMatch(/\p{Surrogate}/u);
  });

  it('searches for eight words at most', () => {
    expect(searchWords('a b c d e f g h i j a')).toHaveLength(8);
    expect(searchWords('  ')).toEqual([]);
  });
});
