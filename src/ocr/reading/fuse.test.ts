import { describe, expect, it } from 'vitest';
import { blankPicture } from '../../../tests/support/gray-picture.ts';
import { dataIn } from '../languages/language-data.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { LineImage } from '../page/line-image.ts';
import { choose, fuseLine } from './fuse.ts';
import type { LineReadings } from './recognize.ts';
import type { LineReading } from './recognizer.ts';

const lexicon = new Lexicons(dataIn([])).of(['eng']);

function reading(text: string, confidence: number, likelihood?: LineReading['likelihood']): LineReading {
  const glyphs = [...text].flatMap((character, index) =>
    character === ' '
      ? []
      : [
          {
            text: character,
            confidence,
            center: index / 2 + 0.25,
            startsWord: index === 0 || text[index - 1] === ' ',
          },
        ],
  );
  return { glyphs, ...(likelihood && { likelihood }) };
}

function line(first: LineReading, second?: LineReading, length = 8): LineReadings {
  return {
    image: new LineImage(blankPicture(1, 1), { cx: 0, cy: 0, width: length * 20, height: 20, angle: 0 }),
    reader: first.likelihood ? 'network' : 'tesseract',
    first,
    checks: second ? [{ from: 0, to: length, reading: second }] : [],
    boxes: [],
    blanks: [],
    length,
  };
}

const textOf = (readings: LineReadings) =>
  fuseLine(readings, lexicon)
    .map((word) => word.text)
    .join(' ');
/** The secondary recognizer a likelihood function that accepts one text only. */
const certainOf = (text: string) => (asked: string) => (asked === text ? -0.01 : -8);

describe('fuseLine: two readings of a word', () => {
  it('that agree get more confidence than two that differ', () => {
    const [agreed] = fuseLine(
      line(
        reading('Receipt', 0.7),
        reading('Receipt', 0.98, () => -0.01),
      ),
      lexicon,
    );
    const [differing] = fuseLine(
      line(
        reading('Reccipl', 0.7),
        reading('Receipt', 0.98, () => -0.01),
      ),
      lexicon,
    );
    expect(agreed!.confidence).toBeGreaterThan(differing!.confidence);
    expect(agreed!.confidence).toBeGreaterThan(0.9);
  });

  it('that differ are decided for the surer one', () => {
    const second = reading('Receipt', 0.99, certainOf('Receipt'));
    expect(textOf(line(reading('Reccipl', 0.4), second))).toBe('Receipt');
    const unsure = reading('Reccipl', 0.4, () => -2);
    expect(textOf(line(reading('Receipt', 0.96), unsure))).toBe('Receipt');
  });

  it('that differ get less confidence', () => {
    const [word] = fuseLine(
      line(
        reading('Rxqpt', 0.4),
        reading('Rxgpt', 0.5, () => -1),
      ),
      lexicon,
    );
    expect(word!.confidence).toBeLessThan(0.6);
  });

  it('are dropped if only one recognizer saw something with low confidence', () => {
    expect(textOf(line(reading('~', 0.3), reading('', 0)))).toBe('');
  });
});

describe('fuseLine: other readings of a word', () => {
  const unsure = (first: string, second: string) =>
    fuseLine(
      line(
        reading(first, 0.4),
        reading(second, 0.5, (asked) => (asked === 'house' ? -0.5 : -1)),
      ),
      lexicon,
    )[0]!;

  it('hold the reading that was not chosen, corrected as the text is', () => {
    const word = unsure('Rxqpt', 'Rxgpt');
    expect([word.text, ...word.readings].toSorted()).toEqual(['Rxgpt', 'Rxqpt']);
    const amount = unsure('RMQ.50', 'RMO.50');
    expect(amount.readings).not.toContain(amount.text);
    expect([amount.text, ...amount.readings]).toContain('RM0.50');
  });

  it('hold words of the lexicon one letter away, the likeliest first, and never more than three', () => {
    const word = unsure('hoxse', 'hoxze');
    expect(word.readings).toHaveLength(3);
    expect(new Set(word.readings).size).toBe(3);
    expect([word.text, ...word.readings]).toContain('house');
    expect([word.text, ...word.readings].indexOf('house')).toBeLessThan(
      [word.text, ...word.readings, 'horse'].indexOf('horse'),
    );
  });

  it('are empty for a word that is hardly in doubt', () => {
    const [word] = fuseLine(
      line(
        reading('Receipt', 0.7),
        reading('Receipt', 0.98, () => -0.01),
      ),
      lexicon,
    );
    expect(word!.readings).toEqual([]);
  });

  it('hold whole amounts for an amount that was torn in two', () => {
    const [word] = fuseLine(
      line(
        reading('7. 42', 0.3),
        reading('1. 42', 0.3, () => -2),
      ),
      lexicon,
    );
    expect([word!.text, ...word!.readings].toSorted()).toEqual(['1.42', '7.42']);
  });
});

describe('choose', () => {
  it('needs no model where both readings are equal', () => {
    const evidence = {
      first: 'same',
      second: 'same',
      firstConfidence: 0.1,
      firstLeast: 0.1,
      secondLeast: 0.1,
      secondMean: 0.1,
      firstLikelihood: -8,
      secondLikelihood: -8,
      firstOwnLikelihood: 0,
      secondOwnLikelihood: 0,
      firstInLexicon: 1 as const,
      secondInLexicon: 1 as const,
      firstLacks: false,
      secondLacks: false,
    };
    expect(choose(evidence, { trainedOn: '', weights: {} })).toBe('same');
  });
});

describe('fuseLine: a line', () => {
  it('has its torn amounts joined', () => {
    expect(textOf(line(reading('Total 7. 42', 0.96)))).toBe('Total 7.42');
  });

  it('has the parentheses of a call without arguments joined, and not those of a form', () => {
    const near = (text: string, confidence: number) => {
      const { glyphs, ...rest } = reading(text, confidence);
      const last = glyphs.at(-1)!;
      return { ...rest, glyphs: [...glyphs.slice(0, -1), { ...last, center: last.center - 0.45 }] };
    };
    expect(textOf(line(near('load( )', 0.96)))).toBe('load()');
    expect(textOf(line(near('yes ( )', 0.96)))).toBe('yes ( )');
  });

  it('places its words in line heights', () => {
    const [first, second] = fuseLine(line(reading('ab cd', 0.96), undefined, 2.5), lexicon);
    expect(first).toMatchObject({ text: 'ab', from: 0, to: 1.25 });
    expect(second).toMatchObject({ text: 'cd', from: 1.25, to: 2.5 });
  });
});
