import { describe, expect, test } from 'vitest';
import type { Line, Word } from '../types.ts';
import { type Filtered, filterLines, type WordEvidence } from './filter.ts';
import { lineOf } from './lines.ts';

const TEXT: WordEvidence = { known: true, width: 80, height: 18, alone: false };
const ICON: WordEvidence = { known: false, width: 12, height: 11, alone: true };

/** Words with their evidence, and their lines. */
class Result {
  readonly evidence = new Map<Word, WordEvidence>();
  readonly lines: Line[] = [];

  line(paragraph: number, ...words: [text: string, confidence: number, evidence: WordEvidence][]): this {
    const made = words.map(([text, confidence, evidence], i) => {
      const word = {
        text,
        confidence,
        box: {
          x: i * 100,
          y: this.lines.length * 30,
          width: evidence.alone ? evidence.width : 80,
          height: 18,
        },
      };
      this.evidence.set(word, evidence);
      return word;
    });
    this.lines.push(lineOf(made, paragraph));
    return this;
  }

  filter(options?: { onHalftone?: boolean; monospaced?: boolean }) {
    return filterLines(this.lines, (word) => this.evidence.get(word), options);
  }
}

const menu = () =>
  new Result()
    .line(0, ['O', 0.6, ICON], ['File', 0.97, TEXT], ['Edit', 0.97, TEXT], ['x', 0.73, ICON])
    .line(1, ['Billing', 0.98, TEXT]);

const MARK: WordEvidence = { known: false, width: 20, height: 18, alone: false, mark: true };

test('filterLines: a mark beside a line is hidden, whatever the confidence of its reading', () => {
  const { lines, hidden } = new Result()
    .line(0, ['S', 0.96, MARK], ['Harbour', 0.97, TEXT], ['Mills', 0.97, TEXT])
    .line(1, ['8', 0.2, MARK], ['Telephone', 0.97, TEXT])
    .filter();
  expect(lines.map(({ text }) => text)).toEqual(['Harbour Mills', 'Telephone']);
  expect(hidden).toMatchObject([
    { text: 'S', reason: 'icon', at: { line: 0, word: 0 } },
    { text: '8', reason: 'icon', at: { line: 1, word: 0 } },
  ]);
});

test('filterLines: a figure, an amount and a pictorial sign as high as a mark stay', () => {
  const { lines } = new Result()
    .line(0, ['5', 0.4, MARK], ['days', 0.97, TEXT])
    .line(1, ['$', 0.95, MARK], ['12', 0.97, TEXT])
    .line(2, ['★', 0.95, MARK], ['rated', 0.97, TEXT])
    .filter();
  expect(lines.map(({ text }) => text)).toEqual(['5 days', '$ 12', '★ rated']);
});

test('filterLines: an isolated glyph stays if it is a sign; letters are hidden with their place', () => {
  const fromSign: WordEvidence = { known: false, width: 14, height: 17, alone: true, fromSign: true };
  const { lines, hidden } = new Result()
    .line(0, ['return;', 0.9, TEXT])
    .line(1, ['}', 0.8, fromSign])
    .line(2, ['2', 0.9, fromSign])
    .filter();
  expect(lines.map(({ text }) => text)).toEqual(['return;', '}']);
  expect(hidden).toMatchObject([{ text: '2', reason: 'noise', at: { line: 2, word: null } }]);
});

describe('filterLines: other scripts', () => {
  const unknown: WordEvidence = { ...TEXT, known: false };

  test('a phrase without spaces stays at any confidence, because it is a whole sentence', () => {
    const { hidden } = new Result()
      .line(0, ['元来日本語は漢文に倣い', 0.02, unknown])
      .line(0, ['않다가', 0.01, unknown])
      .line(0, ['悬挂防干', 0.01, unknown])
      .filter();
    expect(hidden).toEqual([]);
  });

  test('a word that only one recognizer read is hidden only below the lower threshold', () => {
    const { lines, hidden } = new Result()
      .line(0, ['स्लीप', 0.2, unknown], ['φᾳα', 0.04, unknown], ['Pglfw', 0.2, unknown])
      .filter();
    expect(lines.map((line) => line.text)).toEqual(['स्लीप']);
    expect(hidden.map(({ text }) => text)).toEqual(['φᾳα', 'Pglfw']);
  });

  test('a word in stacked letters stays at any confidence', () => {
    const { hidden } = new Result()
      .line(0, ['ಪರಸ್ಪರ', 0.02, unknown], ['དབང་ཚུ་', 0.08, unknown], ['ब्)', 0.01, unknown])
      .filter();
    expect(hidden.map(({ text }) => text)).toEqual(['ब्)']);
  });

  test('a single character with low confidence is noise in any script', () => {
    const { hidden } = new Result().line(0, ['店名', 0.9, unknown], ['昼|', 0.01, unknown]).filter();
    expect(hidden.map(({ text }) => text)).toEqual(['昼|']);
  });
});

describe('filterLines: icons', () => {
  test('a glyph in a small box of its own is hidden, the menu beside it stays', () => {
    const { lines, hidden } = menu().filter();
    expect(lines.map((line) => line.text)).toEqual(['File Edit', 'Billing']);
    expect(hidden.map(({ text, reason, at }) => [text, reason, at])).toEqual([
      ['O', 'icon', { line: 0, word: 0 }],
      ['x', 'icon', { line: 0, word: 2 }],
    ]);
  });

  test("a letter of its line's size stays, as does one read with high confidence", () => {
    const size: WordEvidence = { ...ICON, width: 12, height: 17 };
    const { hidden } = new Result()
      .line(0, ['Plan', 0.97, TEXT], ['B', 0.6, size])
      .line(0, ['Plan', 0.97, TEXT], ['C', 0.95, ICON])
      .filter();
    expect(hidden).toEqual([]);
  });

  test('a figure is never an icon', () => {
    expect(new Result().line(0, ['Cart', 0.9, TEXT], ['3', 0.3, ICON]).filter().hidden).toEqual([]);
  });

  test('a row of icons only is hidden as one, whatever it was read as', () => {
    const row = new Result().line(0, ['<', 0.57, ICON], ['£', 0.4, ICON], ['0', 0.19, ICON]);
    expect(row.filter()).toMatchObject({
      lines: [],
      hidden: [{ text: '< £ 0', reason: 'interface', at: { line: 0, word: null } }],
    });
  });

  test('a table row with dashes for missing values stays', () => {
    const row = new Result().line(0, ['-', 0.8, ICON], ['3', 0.9, ICON], ['-', 0.8, ICON]);
    expect(row.filter().hidden).toEqual([]);
  });

  test('a glyph that was detected together with words is text', () => {
    const { hidden } = new Result()
      .line(0, ['+', 0.73, { ...ICON, alone: false }], ['Payment', 0.9, TEXT])
      .filter();
    expect(hidden).toEqual([]);
  });
});

describe('filterLines: a magnifier', () => {
  const LETTER: WordEvidence = { known: true, width: 300, height: 18, alone: false };

  test.each(['Search', 'search', 'Suchen', 'Rechercher'])(
    'magnifier: a Q before "%s" is hidden, at the start of its line or apart from the text before it',
    (search) => {
      const { lines, hidden } = new Result()
        .line(0, ['Q', 0.97, LETTER], [search, 0.98, TEXT])
        .line(1, ['Inbox', 0.98, TEXT], ['Q', 0.97, { ...ICON, alone: true }], [search, 0.98, TEXT])
        .filter();
      expect(lines.map((line) => line.text)).toEqual([search, `Inbox ${search}`]);
      expect(hidden).toMatchObject([
        { text: 'Q', reason: 'icon', at: { line: 0, word: 0 } },
        { text: 'Q', reason: 'icon', at: { line: 1, word: 1 } },
      ]);
    },
  );

  test('magnifier: a Q before another word, behind the word, within a sentence or alone stays', () => {
    const close = new Result().line(0, ['Section', 0.98, TEXT], ['Q', 0.97, LETTER], ['search', 0.98, TEXT]);
    close.lines[0]!.words[1]!.box.x = 86;
    expect(close.filter().hidden).toEqual([]);
    const { hidden } = new Result()
      .line(0, ['Q', 0.97, LETTER], ['Results', 0.98, TEXT])
      .line(1, ['Search', 0.98, TEXT], ['Q', 0.97, LETTER])
      .line(2, ['Q', 0.97, LETTER])
      .line(3, ['O', 0.97, LETTER], ['Search', 0.98, TEXT])
      .filter();
    expect(hidden).toEqual([]);
  });
});

describe('filterLines: a currency sign', () => {
  const LINE: WordEvidence = { known: false, width: 300, height: 18, alone: false };

  test('that was read in an icon before words is hidden, though it was detected with them and is as high', () => {
    const { lines, hidden } = new Result()
      .line(0, ['£', 0.62, LINE], ['Payment', 0.97, TEXT], ['method', 0.97, TEXT])
      .line(0, ['Help', 0.97, TEXT], ['€', 0.5, LINE])
      .filter();
    expect(lines.map((line) => line.text)).toEqual(['Payment method', 'Help']);
    expect(hidden).toMatchObject([
      { text: '£', reason: 'icon', at: { line: 0, word: 0 } },
      { text: '€', reason: 'icon', at: { line: 1, word: 1 } },
    ]);
  });

  test.each([
    [
      'before an amount',
      [
        ['£', 0.6, LINE],
        ['12.50', 0.9, TEXT],
      ],
    ],
    [
      'behind an amount',
      [
        ['Total', 0.9, TEXT],
        ['12,50', 0.9, TEXT],
        ['€', 0.5, LINE],
      ],
    ],
    [
      'as part of an amount',
      [
        ['£12.50', 0.5, LINE],
        ['each', 0.9, TEXT],
      ],
    ],
    [
      'that is surely read',
      [
        ['Prices', 0.9, TEXT],
        ['in', 0.9, TEXT],
        ['£', 0.93, LINE],
      ],
    ],
    ['that is all of its line', [['£', 0.6, LINE]]],
  ] as [string, [string, number, WordEvidence][]][])('%s stays', (_how, words) => {
    expect(new Result().line(0, ...words).filter().hidden).toEqual([]);
  });
});

describe('filterLines: noise', () => {
  const noise: WordEvidence = { known: false, width: 60, height: 18, alone: false };

  test('an unlikely word outside the lexicons is hidden; a whole line is hidden as one', () => {
    const { lines, hidden } = new Result()
      .line(0, ['Total', 0.9, TEXT])
      .line(1, ['wvl|', 0.2, noise], ['~;', 0.1, noise])
      .line(2, ['Thanks', 0.9, TEXT])
      .filter();
    expect(lines.map((line) => line.text)).toEqual(['Total', 'Thanks']);
    expect(hidden).toMatchObject([{ text: 'wvl| ~;', reason: 'noise', at: { line: 1, word: null } }]);
  });

  test.each([
    ['likely', ['Selangor', 0.7, noise]],
    ['in the lexicon', ['total', 0.2, { ...noise, known: true }]],
    ['with a digit in it', ['A4-X', 0.1, noise]],
  ] as const)('a word that is %s stays', (_, word) => {
    const made = new Result().line(0, [...word]);
    expect(made.filter()).toEqual({ lines: made.lines, hidden: [] });
  });

  test('a word without evidence stays', () => {
    const { lines } = new Result().line(0, ['~', 0.01, noise]);
    expect(filterLines(lines, () => undefined).hidden).toEqual([]);
  });
});

test('filterLines: on a halftone ground, badly read figures and signs are hidden as noise, and words stay', () => {
  const dots: WordEvidence = { known: false, width: 20, height: 18, alone: true };
  const page = () =>
    new Result()
      .line(0, ['HATCH', 0.4, TEXT], ['1,250', 0.9, dots])
      .line(1, ['88', 0.19, dots], [':', 0.44, dots]);
  expect(
    page()
      .filter()
      .lines.map(({ text }) => text),
  ).toEqual(['HATCH 1,250', '88 :']);
  const { lines, hidden } = page().filter({ onHalftone: true });
  expect(lines.map(({ text }) => text)).toEqual(['HATCH 1,250']);
  expect(hidden).toMatchObject([{ text: '88 :', reason: 'noise' }]);
});

test('filterLines: on a halftone ground, dots in a region of their own are hidden, however surely they were read', () => {
  const page = () => new Result().line(0, ['HATCH', 0.97, TEXT]).line(1, ['::', 0.95, ICON]);
  const textsOf = ({ lines }: Filtered) => lines.map(({ text }) => text);
  expect(textsOf(page().filter({ onHalftone: true }))).toEqual(['HATCH']);
  expect(textsOf(page().filter())).toEqual(['HATCH', '::']);
});

describe('filterLines: hidden words', () => {
  /** Random results in which every word may be hidden. Lines that are hidden whole have one word. */
  function* results(rounds: number): Generator<Result> {
    let seed = 11;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let round = 0; round < rounds; round++) {
      const result = new Result();
      let paragraph = 0;
      for (let i = random(7); i > 0; i--) {
        const words = Array.from({ length: 1 + random(5) }, () => {
          const drop = random(2) === 0;
          return [
            `w${random(99)}`.replace(/\d/g, drop ? 'q' : '$&'),
            drop ? 0.1 : 0.9,
            { ...TEXT, known: !drop, alone: drop },
          ] as [string, number, WordEvidence];
        });
        if (words.length > 1) words[random(words.length)] = ['kept', 0.9, TEXT];
        result.line(paragraph, ...words);
        paragraph += random(2);
      }
      yield result;
    }
  }

  /** The text of every line with the hidden words restored to their stated places. */
  function restored({ lines, hidden }: Filtered): string[] {
    const texts: string[] = [];
    for (let index = 0; index <= lines.length; index++) {
      const here = hidden.filter(({ at }) => at.line === index);
      texts.push(...here.filter(({ at }) => at.word === null).map(({ text }) => text));
      const words = lines[index]?.words;
      if (!words) break;
      const hiddenAt = (place: number) => here.filter(({ at }) => at.word === place).map(({ text }) => text);
      texts.push(
        [...words.flatMap(({ text }, place) => [...hiddenAt(place), text]), ...hiddenAt(words.length)].join(
          ' ',
        ),
      );
    }
    return texts;
  }

  test('state their places', () => {
    let hidden = 0;
    for (const result of results(500)) {
      const filtered = result.filter();
      hidden += filtered.hidden.length;
      expect(restored(filtered)).toEqual(result.lines.map(({ text }) => text));
      const kept = [...filtered.lines.flatMap(({ words }) => words), ...filtered.hidden];
      expect(kept).toHaveLength(result.lines.flatMap(({ words }) => words).length);
    }
    expect(hidden).toBeGreaterThan(500);
  });

  test('are empty for an empty result', () => {
    expect(filterLines([], () => undefined)).toEqual({ lines: [], hidden: [] });
  });
});

test.each([
  ['before', '₹', '1,250'],
  ['behind', '1,250', '₹'],
])(
  'filterLines: a currency sign %s a figure stays, however unlikely and however small its box',
  (_, first, second) => {
    const evidenceOf = (text: string): WordEvidence => (text === '₹' ? ICON : TEXT);
    const words = [first, second].map((text): [string, number, WordEvidence] => [
      text,
      0.05,
      evidenceOf(text),
    ]);
    expect(new Result().line(0, ...words).filter().hidden).toEqual([]);
  },
);

test('filterLines: a currency sign beside a code does not count as part of an amount', () => {
  const { hidden } = new Result().line(0, ['₹', 0.05, ICON], ['Plan', 0.97, TEXT]).filter();
  expect(hidden).toMatchObject([{ text: '₹', reason: 'icon' }]);
});

describe('filterLines: a word that is as doubtful as noise', () => {
  const INSIDE: WordEvidence = { known: false, width: 400, height: 18, alone: false };
  const sides = (confidence: number) =>
    new Result().line(
      0,
      ['b', confidence, INSIDE],
      ['&û', 0.04, INSIDE],
      ['≤', 0.1, INSIDE],
      ['0x1F)', confidence, INSIDE],
    );

  test('stays between words of its region that are surely text', () => {
    const { lines, hidden } = sides(0.95).filter();
    expect(lines[0]?.text).toBe('b &û ≤ 0x1F)');
    expect(hidden).toEqual([]);
  });
  test('is hidden between words that are in doubt themselves', () => {
    expect(sides(0.6).filter().hidden).toHaveLength(2);
  });
  test('stays beside one such word where it has several letters', () => {
    const { lines } = new Result()
      .line(0, ['Soupe', 0.95, INSIDE], ["l'oignon", 0.01, INSIDE], ['9', 0.21, INSIDE])
      .filter();
    expect(lines[0]?.text).toBe("Soupe l'oignon 9");
  });
  test('is hidden as a single character, which may be an icon, and stays in code', () => {
    const line = () =>
      new Result().line(0, ['I1', 0.95, INSIDE], ['|', 0.19, INSIDE], ['value', 0.95, INSIDE]);
    expect(line().filter().hidden).toMatchObject([{ text: '|', reason: 'noise' }]);
    expect(line().filter({ monospaced: true }).lines[0]?.text).toBe('I1 | value');
  });
  test('is hidden at the edge of a line', () => {
    const { hidden } = new Result().line(0, ['|', 0.1, INSIDE], ['Total', 0.97, INSIDE]).filter();
    expect(hidden).toMatchObject([{ text: '|', reason: 'noise' }]);
  });
  test('is hidden in a region of its own', () => {
    const { hidden } = new Result()
      .line(0, ['Name', 0.97, TEXT], ['≤', 0.1, { ...INSIDE, width: 14, alone: true }], ['Total', 0.97, TEXT])
      .filter();
    expect(hidden).toMatchObject([{ text: '≤' }]);
  });
});
