import { describe, expect, it } from 'vitest';
import { joinedWords } from './tesseract.ts';

const words = (...texts: string[]) => texts.map((text) => ({ text }));

describe('words of a line', () => {
  it('are joined where the running text has no space between them', () => {
    expect(joinedWords(words('부', '터', '자', '유'), '부터 자유\n')).toEqual([false, true, false, true]);
  });

  it('are joined at an ideographic mark even when its wide cell was taken for a space', () => {
    expect(joinedWords(words('自由', '，', '在'), '自由 ， 在\n')).toEqual([false, true, true]);
  });

  it('are all apart where there is no running text to tell', () => {
    expect(joinedWords(words('two', 'words'), undefined)).toEqual([false, false]);
  });

  it('are found again after a word that the running text spells otherwise', () => {
    expect(joinedWords(words('ห้อง', 'สมุด', 'เปิด'), '\u200eห้องสมุด เปิด')).toEqual([false, true, false]);
  });
});
