import { describe, expect, test } from 'vitest';
import { exactTokens, tokens } from './measure.ts';
import { addLosses, countLosses, type ReadPage, reportLosses } from './silent-loss.ts';

const HEIGHT = 20;
const LETTER = 10;

/** A line of words, separated by a space; `word~40` has a confidence of 40 percent, the others 95. */
function line(top: number, text: string) {
  let x = 0;
  const words = text.split(' ').map((entry) => {
    const [word = '', percent = '95'] = entry.split('~');
    const box = { x, y: top, width: word.length * LETTER, height: HEIGHT };
    x += (word.length + 1) * LETTER;
    return { text: word, confidence: Number(percent) / 100, box };
  });
  return { words };
}

const page = (lines: ReadPage['lines'], more: Partial<ReadPage> = {}): ReadPage => ({
  lines,
  hidden: [],
  unread: [],
  notices: [],
  ...more,
});

const lossesOf = (read: ReadPage, truth: string) => countLosses(read, tokens(truth), tokens);

describe('countLosses: wrong and missing words', () => {
  test('a page without mistakes has no losses', () => {
    const read = page([line(0, 'Total 3.55'), line(40, 'Thank you')]);
    expect(lossesOf(read, 'TOTAL 3.55\nthank you')).toEqual({
      expected: 4,
      wrong: 0,
      missing: 0,
      unmarked: 0,
    });
  });

  test('a confident word that is not in the ground truth is wrong, and the expected word is missing', () => {
    const read = page([line(0, 'weight 120 Ibs in all')]);
    expect(lossesOf(read, 'weight 120 lbs in all')).toEqual({
      expected: 5,
      wrong: 1,
      missing: 1,
      unmarked: 2,
    });
  });

  test('a wrong word counts from 85 percent, rounded as on the page', () => {
    const wrongAt = (percent: number) => lossesOf(page([line(0, `all Ibs~${percent}`)]), 'all').wrong;
    expect([84.4, 84.5, 85, 100].map(wrongAt)).toEqual([0, 1, 1, 1]);
  });

  test('words in a different order are neither wrong nor missing', () => {
    const read = page([line(0, 'right column'), line(40, 'left column')]);
    expect(lossesOf(read, 'left column right column')).toMatchObject({ wrong: 0, missing: 0 });
  });

  test('a repeated word is missing as often as the ground truth has more of it', () => {
    expect(lossesOf(page([line(0, 'ho ho')]), 'ho ho ho ho')).toMatchObject({ wrong: 0, missing: 2 });
  });

  test('exact tokens: case and punctuation make a word wrong, the form of quotes does not', () => {
    const read = page([line(0, "it’s SWIA 2AA, 'so'")]);
    const losses = countLosses(read, exactTokens("it's SW1A 2aa, ‘so’"), exactTokens);
    expect(losses).toMatchObject({ expected: 4, wrong: 2, missing: 2 });
  });
});

describe('countLosses: marks', () => {
  test('a doubtful word at the position of a missing word marks it', () => {
    expect(lossesOf(page([line(0, 'add 121~44 water')]), 'add 12l water')).toMatchObject({
      missing: 1,
      unmarked: 0,
    });
  });

  test('a word is doubtful below 60 percent if it has a letter, a digit or a currency sign', () => {
    const unmarkedWith = (word: string) =>
      lossesOf(page([line(0, `add ${word} water`)]), 'add 12l water').unmarked;
    expect(unmarkedWith('121~59')).toBe(0);
    expect(unmarkedWith('121~60')).toBe(1);
    expect(unmarkedWith('•~10')).toBe(1);
    expect(unmarkedWith('€~10')).toBe(0);
  });

  test('a doubtful word more than a line height away does not mark a missing word', () => {
    const truth = 'one two three four five six';
    expect(lossesOf(page([line(0, 'one two three five~30 six')]), truth).unmarked).toBe(0);
    expect(lossesOf(page([line(0, 'one three four five six~30')]), truth).unmarked).toBe(1);
  });

  test('a doubtful word in the next line marks a wrong word within a line height', () => {
    const second = (top: number) => lossesOf(page([line(0, 'Ibs'), line(top, 'kg~30')]), 'kg');
    expect(second(HEIGHT * 2).unmarked).toBe(0);
    expect(second(HEIGHT * 2 + 1).unmarked).toBe(1);
  });

  test('an unread region in the gap marks a missing word, an unread region elsewhere does not', () => {
    const at = (x: number, y: number) =>
      lossesOf(
        page([line(0, 'axis'), line(200, 'title')], {
          unread: [{ box: { x, y, width: 30, height: HEIGHT } }],
        }),
        'axis upright title',
      ).unmarked;
    expect(at(0, 40)).toBe(0);
    expect(at(0, 170)).toBe(0);
    expect(at(0, 100)).toBe(1);
    expect(at(300, 0)).toBe(1);
  });

  test('hidden text with the missing word marks it, wherever it is', () => {
    const hidden = [{ text: 'PAID', box: { x: 900, y: 900, width: 40, height: HEIGHT } }];
    const read = page([line(0, 'Invoice 17')], { hidden });
    expect(lossesOf(read, 'Invoice 17 paid')).toMatchObject({ missing: 1, unmarked: 0 });
    expect(lossesOf(read, 'Invoice 17 paid paid')).toMatchObject({ missing: 2, unmarked: 1 });
  });

  test('a warning notice marks everything, a notice about rotation marks nothing', () => {
    const noticed = (code: string) =>
      lossesOf(page([line(0, 'GroBe')], { notices: [{ code }] }), 'Größe').unmarked;
    expect(noticed('other_language')).toBe(0);
    expect(noticed('turned')).toBe(2);
  });

  test('a page without text has no silent loss, because the product reports that it found no text', () => {
    expect(lossesOf(page([]), 'Harbour lights')).toEqual({
      expected: 2,
      wrong: 0,
      missing: 2,
      unmarked: 0,
    });
  });

  test('missing words before the first and after the last read word are located beside these words', () => {
    const read = page([line(0, 'two~30 three four five six')]);
    expect(lossesOf(read, 'one two three four five six seven')).toMatchObject({ missing: 2, unmarked: 1 });
  });
});

test('silent loss: counts are summed over pictures before the rate is computed', () => {
  const sum = addLosses([
    { expected: 100, wrong: 1, missing: 2, unmarked: 3 },
    { expected: 300, wrong: 3, missing: 0, unmarked: 1 },
  ]);
  expect(sum).toEqual({ expected: 400, wrong: 4, missing: 2, unmarked: 4 });
  expect(reportLosses(sum)).toEqual({ ...sum, perThousand: { wrong: 10, missing: 5, unmarked: 10 } });
  expect(reportLosses(addLosses([])).perThousand).toEqual({ wrong: 0, missing: 0, unmarked: 0 });
});
