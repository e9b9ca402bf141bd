import { describe, expect, it } from 'vitest';
import type { Word } from '../types.ts';
import type { ReadFragment } from './place.ts';
import { spelledWithRuby, withRuby } from './ruby.ts';

/** Words with the left and right edge of each, on a line of `height` pixels. */
function line(
  y: number,
  height: number,
  ...parts: readonly (readonly [left: number, right: number, text: string, confidence?: number])[]
): ReadFragment {
  const boxes = parts.map(([left, right]) => ({ x: left, y, width: right - left, height }));
  const [first, last] = [boxes[0]!, boxes.at(-1)!];
  return {
    words: parts.map(([, , text, confidence = 0.9], i) => ({ text, confidence, box: boxes[i]! })),
    upright: { x: first.x, y, width: last.x + last.width - first.x, height },
    uprightWords: boxes,
  };
}

/** The words as they are written at last, and the parts that have a ruby. */
function written(...fragments: ReadFragment[]): string[] {
  return withRuby(fragments).lines.flatMap(({ words }) => words.map((word) => spelledWithRuby(word).text));
}

// Characters of 30 pixels: 吾輩は猫である。 from 0 to 240.
const base = () => line(20, 36, [0, 240, '吾輩は猫である。']);

describe('withRuby', () => {
  it('small kana right above ideographs: join the line below as its ruby', () => {
    expect(written(line(0, 25, [0, 60, 'わがはい'], [90, 120, 'ねこ']), base())).toEqual([
      '吾輩（わがはい）は猫（ねこ）である。',
    ]);
  });

  it('a word with ruby: names the annotated characters and the place of the ruby', () => {
    const { lines, ruby } = withRuby([line(0, 25, [90, 120, 'ねこ', 0.7]), base()]);
    expect(ruby.size).toBe(1);
    const { words } = lines[0]!;
    const word = spelledWithRuby(words[0]!);
    expect(word.ruby).toMatchObject([{ from: 3, to: 4, text: 'ねこ', confidence: 0.7 }]);
    expect(word.text).toBe('吾輩は猫（ねこ）である。');
    expect(word.confidence).toBe(0.7);
  });

  it('ruby without a gap over two words of ideographs: is shared out by place', () => {
    // The ruby of 店 and 人 was read as one word.
    expect(written(line(0, 25, [5, 85, 'みせひと']), line(20, 36, [0, 90, '店の人']))).toEqual([
      '店（みせ）の人（ひと）',
    ]);
  });

  it('two words of ruby over neighboring ideographs: each keeps its own', () => {
    expect(
      written(line(0, 25, [4, 56, 'にほん'], [62, 118, 'こくみん']), line(20, 36, [0, 150, '日本国民は'])),
    ).toEqual(['日本（にほん）国民（こくみん）は']);
  });

  it('ruby in katakana that was read with ideographs of the same shape: is kana', () => {
    expect(
      written(line(0, 25, [0, 60, '夕バコ'], [90, 150, 'ビ一ル']), line(20, 36, [0, 180, '煙草と麦酒を'])),
    ).toEqual(['煙草（タバコ）と麦酒（ビール）を']);
  });

  it('ruby wider than its ideographs, which it spreads: joins the words that the gap made of them', () => {
    expect(
      written(line(0, 25, [0, 80, 'とうきょう']), line(20, 36, [0, 34, '東', 0.8], [46, 140, '京へ行', 0.9])),
    ).toEqual(['東京（とうきょう）へ行']);
  });

  it('a small kana that lies nearer to the next word: stays with the kana before it', () => {
    expect(
      written(line(0, 25, [4, 150, 'だいひょうしゃつう']), line(20, 36, [0, 180, '代表者を通じ'])),
    ).toEqual(['代表者（だいひょうしゃ）を通（つう）じ']);
  });

  it('strokes of the line below that were read as an ideograph: are no part of the ruby', () => {
    expect(written(line(0, 25, [66, 114, '二ねこ']), base())).toEqual(['吾輩は猫（ねこ）である。']);
  });

  it('specks that were read as punctuation: are no part of the ruby', () => {
    expect(written(line(0, 25, [0, 120, 'わがはい。、ねこ']), base())).toEqual([
      '吾輩（わがはい）は猫（ねこ）である。',
    ]);
  });

  it('other readings of an annotated word: keep the ruby', () => {
    const plain = base();
    const word: Word = { ...plain.words[0]!, readings: ['吾輩は猪である。', '吾輩は猫'] };
    const { lines } = withRuby([line(0, 25, [90, 120, 'ねこ']), { ...plain, words: [word] }]);
    expect(spelledWithRuby(lines[0]!.words[0]!).readings).toEqual(['吾輩は猪（ねこ）である。']);
  });

  it.each<[string, ReadFragment, ReadFragment]>([
    ['of the same size', line(-20, 36, [0, 120, 'わがはい']), base()],
    ['far above', line(-40, 25, [0, 60, 'わがはい']), base()],
    ['beside the line', line(0, 25, [300, 360, 'わがはい']), base()],
    ['above a line without ideographs', line(0, 25, [0, 60, 'わがはい']), line(20, 36, [0, 120, 'ねこです'])],
    ['with ideographs', line(0, 25, [0, 120, '明治時代の小説']), base()],
    ['below the line', line(46, 25, [0, 60, 'わがはい']), base()],
  ])('small text %s: stays a line', (_where, other, below) => {
    expect(withRuby([other, below]).lines).toEqual([other, below]);
  });

  it('a small line of kana and ideographs in separate regions: stays a line', () => {
    const parts = [line(0, 25, [0, 60, 'これは']), line(0, 25, [66, 120, '注記'])];
    expect(withRuby([...parts, base()]).lines).toHaveLength(3);
  });
});
