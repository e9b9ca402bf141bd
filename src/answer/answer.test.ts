import { describe, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { ALTERNATIVES } from '#contract/product';
import { recognitionOf } from '../../tests/support/server-engine.ts';
import { countWords, toExtraction } from './answer.ts';

describe('countWords', () => {
  it.each([
    ['Hello, world!', 'eng', 2],
    ["Don't panic – it's 7.42 €", 'eng', 4],
    ['one\n\ntwo\tthree', 'eng', 3],
    ['Straße über Ölfeld', 'deu+eng', 3],
    ['你好世界', 'chi_sim', 2],
    ['', 'eng', 0],
    ['--- *** ---', 'eng', 0],
    ['plain words', 'no such language', 2],
  ])('counts in %j in %s: %d', (text, language, count) => {
    expect(countWords(text, language)).toBe(count);
  });
});

describe('toExtraction', () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };

  it('has whole percentages that the contract accepts', () => {
    const hidden = [
      { text: 'OK', confidence: 0.005, box, reason: 'noise', at: { line: 0, word: null } } as const,
    ];
    const answer = toExtraction(recognitionOf('a b', { confidence: 0.995, hidden, durationMs: 12.7 }));
    expect(extractionSchema.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ confidence: 100, durationMs: 13, hidden: [{ confidence: 1 }] });
  });

  it('has alternatives only for doubtful words, capped by the contract', () => {
    const long = 'x'.repeat(ALTERNATIVES.maxLength + 1);
    const word = (text: string, confidence: number, readings?: string[]) => ({
      text,
      confidence,
      box,
      ...(readings && { readings }),
    });
    const words = [
      word('rye', 0.4, ['rye', long, 'eye', 'rue', 'dye', 'bye']),
      word('bread', 0.9, ['broad']),
      word('loaf', 0.4),
      word('four', 0.4, [long]),
    ];
    const line = { text: 'rye bread loaf four', confidence: 0.5, box, paragraph: 0, words };
    const answer = toExtraction(recognitionOf(line.text, { lines: [line] }));
    expect(extractionSchema.parse(answer)).toEqual(answer);
    expect(answer.lines[0]?.words.map(({ readings }) => readings)).toEqual([
      ['eye', 'rue', 'dye'],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has confidence 0 and a notice without text', () => {
    const notices = [{ code: 'blurred', message: 'Blurred.' } as const];
    const answer = toExtraction(recognitionOf(' \n', { confidence: 0.4, notices }));
    expect(answer).toMatchObject({ wordCount: 0, confidence: 0 });
    expect(answer.notices.map(({ code }) => code)).toEqual(['no_text', 'blurred']);
    expect(toExtraction({ ...recognitionOf(''), notices: answer.notices }).notices).toEqual(answer.notices);
  });

  it('has a notice if filtering hid all text', () => {
    const hidden = [
      { text: 'File Edit', confidence: 0.9, box, reason: 'interface', at: { line: 0, word: null } } as const,
    ];
    expect(toExtraction(recognitionOf('', { hidden })).notices[0]?.message).toContain('Filtering hid');
  });
});
