import { describe, expect, it } from 'vitest';
import { directionOf, isBeyondWords, mendMarks } from './scripts.ts';

describe('direction', () => {
  it('is that of most letters, whatever digits stand between them', () => {
    expect(directionOf('שעה 18:30 של Anna ודוד')).toBe('rtl');
    expect(directionOf('Anna reads الكتب')).toBe('ltr');
  });

  it('is undecided for a text without letters', () => {
    expect(directionOf('18:30 – 19:00')).toBeUndefined();
  });
});

describe('words', () => {
  it('cannot be told by length or dictionary in scripts without spaces, nor in a single Korean syllable', () => {
    for (const text of ['尊', 'すべて', 'ห้องสมุด', '책']) expect(isBeyondWords(text)).toBe(true);
    for (const text of ['a', 'Würde', 'книги', '도서관은', '12']) expect(isBeyondWords(text)).toBe(false);
  });
});

describe('marks', () => {
  it('between ideographs become full-width', () => {
    expect(mendMarks('自由,在尊嚴')).toBe('自由，在尊嚴');
    expect(mendMarks('良心,')).toBe('良心，');
  });

  it('in figures and in other scripts stay as they are', () => {
    for (const text of ['18:30', '2,500元', 'Gut, ja!', '하다, 그']) expect(mendMarks(text)).toBe(text);
  });

  it('of Tamil lose a joiner that has no meaning there, and Persian keeps its own', () => {
    expect(mendMarks('மனிதப்\u200c')).toBe('மனிதப்');
    expect(mendMarks('می\u200cروم')).toBe('می\u200cروم');
  });
});
