import { describe, expect, it } from 'vitest';
import { joinedWords } from './tesseract.ts';

const words = (...texts: string[]) => texts.map((text) => ({ text }));

describe('joinedWords', () => {
  it('joins words where the running text has no space between them', () => {
    expect(joinedWords(words('부', '터', '자', '유'), '부터 자유\n')).toEqual([false, true, false, true]);
  });

  it('joins words at an ideographic mark even when its wide cell was taken for a space', () => {
    expect(joinedWords(words('自由', '，', '在'), '自由 ， 在\n')).toEqual([false, true, true]);
  });

  it('keeps all words apart without a running text', () => {
    expect(joinedWords(words('two', 'words'), undefined)).toEqual([false, false]);
  });

  it('resynchronizes after a word that the running text spells otherwise', () => {
    expect(joinedWords(words('ห้อง', 'สมุด', 'เปิด'), '\u200eห้องสมุด เปิด')).toEqual([false, true, false]);
  });
});
