import { describe, expect, test } from 'vitest';
import { blankPicture } from '../../../tests/support/gray-picture.ts';
import { dataIn } from '../languages/language-data.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { LineImage } from '../page/line-image.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { choose, fuseLine } from './fuse.ts';
import type { LineBox, LineReadings } from './recognize.ts';
import type { Glyph, LineReading } from './recognizer.ts';

const lexicon = new Lexicons(dataIn([])).of(['eng']);

/** Characters of half a line height each; `gap` line heights between two words. */
function lineOf(words: readonly string[], gap: number, { confidence = 0.95, boxes = [] as LineBox[] } = {}) {
  const glyphs: Glyph[] = [];
  const blanks: { from: number; to: number }[] = [];
  let at = 0;
  for (const [i, word] of words.entries()) {
    if (i > 0) {
      blanks.push({ from: at, to: at + gap });
      at += gap;
    }
    for (const [place, text] of [...word].entries()) {
      glyphs.push({ text, confidence, center: at + 0.25, startsWord: place === 0 });
      at += 0.5;
    }
  }
  const line: LineReadings = {
    image: new LineImage(blankPicture(1, 1), { cx: 0, cy: 0, width: at * 20, height: 20, angle: 0 }),
    reader: 'tesseract',
    first: { glyphs },
    checks: [],
    boxes,
    blanks,
    length: at,
  };
  return line;
}
const textsOf = (line: LineReadings) => fuseLine(line, lexicon).map(({ text }) => text);

describe('fuseLine: an opening mark and its word, a name and its ending', () => {
  test.each([
    [['“', 'never'], '“never'],
    [['(', '12'], '(12'],
    [['notes', '.py'], 'notes.py'],
  ])('%j are one word where the gap between them is narrower than a space', (words, joined) => {
    expect(textsOf(lineOf(words, 0.1))).toEqual([joined]);
    expect(textsOf(lineOf(words, 0.3))).toEqual(words);
  });

  test('are not joined to anything else', () => {
    expect(textsOf(lineOf(['never', 'again'], 0.1))).toEqual(['never', 'again']);
    expect(textsOf(lineOf(['end', '.Next'], 0.1))).toEqual(['end', '.Next']);
  });
});

describe('fuseLine: a currency sign and an amount', () => {
  test('are one word where the gap between them is narrower than a space', () => {
    const words = fuseLine(lineOf(['₹', '1,250'], 0.2), lexicon);
    expect(words).toMatchObject([{ text: '₹1,250', from: 0 }]);
    expect(words[0]!.to).toBeCloseTo(3.2);
  });

  test('stay two words where a space stands between them', () => {
    expect(textsOf(lineOf(['₹', '1,250'], 0.3))).toEqual(['₹', '1,250']);
  });

  test('are not joined to a word, nor a word to the amount', () => {
    expect(textsOf(lineOf(['€', 'each'], 0.2))).toEqual(['€', 'each']);
    expect(textsOf(lineOf(['No', '1,250'], 0.2))).toEqual(['No', '1,250']);
  });

  test('get the lower of both confidences, and their other readings are whole amounts', () => {
    const line = lineOf(['€', '7.25'], 0.2);
    const doubtful = { ...line, first: { glyphs: line.first.glyphs.map(doubtfulFigure) } };
    const [amount] = fuseLine({ ...doubtful, first: { glyphs: doubtful.first.glyphs.slice(1) } }, lexicon);
    const [sum] = fuseLine(doubtful, lexicon);
    expect(sum!.text).toBe('€7.25');
    expect(sum!.confidence).toBeLessThanOrEqual(amount!.confidence + 0.01);
    for (const reading of sum!.readings) expect(reading).toMatch(/\d/);
  });
});

const doubtfulFigure = (glyph: Glyph): Glyph => (glyph.text === '€' ? glyph : { ...glyph, confidence: 0.3 });

test('fuseLine: two halves of an amount are joined across a tear and not across a space', () => {
  expect(textsOf(lineOf(['7.', '42'], 0.3))).toEqual(['7.42']);
  expect(textsOf(lineOf(['7.', '42'], 0.6))).toEqual(['7.', '42']);
});

describe('fuseLine: a word between two figures', () => {
  test.each([
    ['2024to31', ['2024', 'to', '31']],
    ['12and15', ['12', 'and', '15']],
    ['5or6', ['5', 'or', '6']],
  ])('%s is split into three words', (text, expected) => {
    const words = fuseLine(lineOf([text], 0), lexicon);
    expect(words.map((word) => word.text)).toEqual(expected);
    expect(words[0]!.from).toBe(0);
    for (const [i, word] of words.slice(1).entries()) expect(word.from).toBeCloseTo(words[i]!.to);
    expect(words.at(-1)!.to).toBeCloseTo(text.length / 2);
  });

  test.each(['2024x31', '5tons', 'to31', '12for15'])('%s stays one word', (text) => {
    expect(textsOf(lineOf([text], 0))).toEqual([text]);
  });
});

test('fuseLine: a check box stands in its place among the words', () => {
  const boxes = [
    { text: '☑', from: 2.05, to: 2.45 },
    { text: '☐', from: -1, to: -0.5 },
  ];
  const words = fuseLine(lineOf(['Paid', 'Open'], 0.5, { boxes }), lexicon);
  expect(words.map(({ text }) => text)).toEqual(['☐', 'Paid', '☑', 'Open']);
  expect(words[0]!.confidence).toBeGreaterThan(0.9);
});

describe('choose: a lone sign', () => {
  const evidence = (changes: Partial<Evidence>): Evidence => ({
    first: '#',
    second: '≠',
    firstConfidence: 0.99,
    firstLeast: 0.99,
    secondLeast: 0.6,
    secondMean: 0.6,
    firstLikelihood: -6,
    secondLikelihood: -0.5,
    firstOwnLikelihood: 0,
    secondOwnLikelihood: 0,
    firstInLexicon: 0,
    secondInLexicon: 0,
    firstLacks: true,
    secondLacks: false,
    ...changes,
  });
  /** Has no weights, so it throws when used: a result then comes from the rules alone. */
  const model = { trainedOn: '', weights: {} };

  test('that only the secondary recognizer knows wins over the primary reading, however sure that is', () => {
    expect(choose(evidence({}), model)).toBe('≠');
  });

  test('a lone dash is the longer one of both readings', () => {
    expect(choose(evidence({ first: '-', second: '–', firstLacks: false }), model)).toBe('–');
    expect(choose(evidence({ first: '–', second: '-', firstLacks: false }), model)).toBe('–');
  });

  test('that only the primary recognizer saw is kept where it is common and sure', () => {
    const alone = { second: '', secondMean: 0, secondLikelihood: -8 };
    expect(choose(evidence({ ...alone, first: '&', firstConfidence: 0.9 }), model)).toBe('&');
    expect(choose(evidence({ ...alone, first: '&', firstConfidence: 0.8 }), model)).toBe('');
    expect(choose(evidence({ ...alone, first: '~', firstConfidence: 0.99 }), model)).toBe('');
    expect(choose(evidence({ ...alone, first: 'I', firstConfidence: 0.98 }), model)).toBe('I');
    expect(choose(evidence({ ...alone, first: 'I', firstConfidence: 0.9 }), model)).toBe('');
  });
});

describe('choose: a word with accents that the primary recognizer lacks', () => {
  const evidence: Evidence = {
    first: 'Capek',
    second: 'Čapek',
    firstConfidence: 0.99,
    firstLeast: 0.99,
    secondLeast: 0.85,
    secondMean: 0.97,
    firstLikelihood: -0.5,
    secondLikelihood: -0.03,
    firstOwnLikelihood: 0,
    secondOwnLikelihood: -0.4,
    firstInLexicon: 0,
    secondInLexicon: 0,
    firstLacks: true,
    secondLacks: false,
  };
  /** Has no weights, so it throws when used. */
  const model = { trainedOn: '', weights: {} };

  test('is taken where the secondary recognizer is surer of it', () => {
    expect(choose(evidence, model)).toBe('Čapek');
  });

  test('is judged as any other word where it hardly is, or where the primary one has the accent', () => {
    expect(() => choose({ ...evidence, firstLikelihood: -0.1 }, model)).toThrow();
    expect(() => choose({ ...evidence, firstLacks: false }, model)).toThrow();
  });
});

describe('fuseLine: three dots at the end of a word', () => {
  test('are an ellipsis on a line with marks of typeset text', () => {
    expect(textsOf(lineOf(['“so', 'on...”', 'and', 'on...'], 0.4))).toEqual(['“so', 'on...”', 'and', 'on…']);
    expect(textsOf(lineOf(['"so', 'and', 'on...'], 0.4))).toEqual(['"so', 'and', 'on...']);
  });
});

describe('gatherEvidence', () => {
  const glyph = (text: string, center: number): Glyph => ({
    text,
    confidence: 0.9,
    center,
    startsWord: true,
  });
  const segment = (second: LineReading, changes = {}) => ({
    first: [glyph('-', 0.5)],
    second: [],
    check: { from: 0, to: 3, reading: second },
    from: 0.2,
    to: 0.8,
    ...changes,
  });

  test('asks the secondary recognizer for the likeliest mark where it read nothing', () => {
    const spans: number[][] = [];
    const likeliestMark = (from: number, to: number) => {
      spans.push([from, to]);
      return { text: '→', confidence: 0.3 };
    };
    expect(gatherEvidence(segment({ glyphs: [], likeliestMark }), lexicon)).toMatchObject({
      first: '-',
      second: '→',
      secondMean: 0.3,
    });
    expect(spans).toEqual([[0.2, 0.8]]);
  });

  test('takes no unlikely mark, and none whose ink the secondary recognizer read as another character', () => {
    const unlikely = { glyphs: [], likeliestMark: () => ({ text: '→', confidence: 0.05 }) };
    expect(gatherEvidence(segment(unlikely), lexicon).second).toBe('');
    const beside = { glyphs: [glyph('x', 0.6)], likeliestMark: () => ({ text: '→', confidence: 0.5 }) };
    expect(gatherEvidence(segment(beside), lexicon).second).toBe('');
  });

  const word = (text: string, confidence = 0.9) =>
    [...text].flatMap((character, i) =>
      character === ' ' ? [] : [{ text: character, confidence, center: 0.5 * i, startsWord: i === 0 }],
    );
  const secondOf = (first: string, second: string) => {
    const { second: text, secondLacks } = gatherEvidence(
      segment({ glyphs: word(second) }, { first: word(first), second: word(second) }),
      lexicon,
    );
    return [text, secondLacks];
  };

  test.each([
    ['VUCIC', 'VUčIć', 'VUČIĆ'],
    ['Cacak', 'čačak', 'Čačak'],
    ['HaSek', 'Hašek', 'Hašek'],
    ['Gagak', 'čačak', 'čačak'],
  ])('takes the case of accented letters from %s for %s', (first, second, text) => {
    expect(secondOf(first, second)).toEqual([text, false]);
  });

  test('keeps the case of an accented letter that the secondary recognizer is sure of', () => {
    const read = { first: word('Zid'), second: word('žid', 0.98) };
    expect(gatherEvidence(segment({ glyphs: read.second }, read), lexicon).second).toBe('žid');
  });

  test('puts in a letter that the secondary recognizer read nothing for, and reports it', () => {
    expect(secondOf('Hué', 'Hu ')).toEqual(['Hué', true]);
    expect(secondOf('Nguyén', 'Nguy n')).toEqual(['Nguyén', true]);
    expect(secondOf('Nguyén', 'Nguyén')).toEqual(['Nguyén', false]);
  });

  test('puts in no letter where the primary one read the same ink twice, or either text is a known word', () => {
    const twice = [...word('ab'), { ...word('ab')[1]!, text: 'h', center: 0.55 }];
    const read = gatherEvidence(
      segment({ glyphs: word('ab') }, { first: twice, second: word('ab') }),
      lexicon,
    );
    expect([read.second, read.secondLacks]).toEqual(['ab', false]);
    expect(secondOf('housex', 'house ')).toEqual(['house', false]);
  });

  test('reports where the primary recognizer lacks a character of the secondary text', () => {
    const second = { glyphs: [glyph('é', 0.5)] };
    const read = { second: second.glyphs };
    const lacks = (firstCanWrite?: (text: string) => boolean) =>
      gatherEvidence(segment(second, { ...read, firstCanWrite }), lexicon).firstLacks;
    expect(lacks((text) => text !== 'é')).toBe(true);
    expect(lacks(() => true)).toBe(false);
    expect(lacks()).toBe(false);
  });
});
