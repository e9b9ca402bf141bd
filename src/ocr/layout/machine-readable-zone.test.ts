import { describe, expect, test } from 'vitest';
import type { Line } from '../types.ts';
import { lineOf } from './lines.ts';
import { withRepairedZones } from './machine-readable-zone.ts';

/** The specimens of ICAO 9303. */
const PASSPORT = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
];
const CARD = [
  'I<UTOD231458907<<<<<<<<<<<<<<<',
  '7408122F1204159UTO<<<<<<<<<<<6',
  'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
];
const SMALL_CARD = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];
const VISA = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4XXX4009078F96121096ZE184226B<<<<<<'];

const linesOf = (texts: readonly string[], confidence = 0.7): Line[] =>
  texts.map((text) =>
    lineOf(
      text.split(' ').map((word) => ({ text: word, confidence, box: { x: 0, y: 0, width: 1, height: 1 } })),
      0,
    ),
  );
const repaired = (texts: readonly string[]) => withRepairedZones(linesOf(texts)).map(({ text }) => text);

describe('withRepairedZones', () => {
  test.each([
    ['a passport', PASSPORT],
    ['an identity card', CARD],
    ['a small card', SMALL_CARD],
    ['a visa', VISA],
  ])('the zone of %s stays as it is, and its checked lines are sure', (_, zone) => {
    const lines = withRepairedZones(linesOf(zone));
    expect(lines.map(({ text }) => text)).toEqual(zone);
    expect(lines.map(({ confidence }) => confidence).filter((one) => one > 0.9)).not.toEqual([]);
  });

  test('zeros in names and letters in dates are replaced by the characters of their fields', () => {
    expect(
      repaired([PASSPORT[0]!.replaceAll('O', '0'), PASSPORT[1]!.replace('7408122F', '74O8I22F')]),
    ).toEqual(PASSPORT);
    expect(repaired(CARD.map((line) => line.replace('UTO', 'UT0').replace(/^I/, '|')))).toEqual(CARD);
  });

  test('a look-alike in the number is corrected where its check digit determines it', () => {
    expect(repaired([PASSPORT[0]!, PASSPORT[1]!.replace('L898902C36', 'L8989O2C36')])).toEqual(PASSPORT);
  });

  test('fillers of a line of names are recounted', () => {
    expect(repaired([PASSPORT[0]!.slice(0, -4), PASSPORT[1]!])).toEqual(PASSPORT);
  });

  test('a zone keeps its division into words', () => {
    const [first, second] = withRepairedZones(
      linesOf([PASSPORT[0]!.replaceAll('O', '0').replace('<<ANNA', '<< ANNA'), PASSPORT[1]!]),
    );
    expect(first!.words.map(({ text }) => text)).toEqual(['P<UTOERIKSSON<<', PASSPORT[0]!.slice(15)]);
    expect(second!.text).toBe(PASSPORT[1]);
  });

  test('a wrong check digit lowers the confidence of its line', () => {
    const [names, holder] = withRepairedZones(linesOf([PASSPORT[0]!, PASSPORT[1]!.replace('L898', 'L897')]));
    expect(names!.confidence).toBe(0.7);
    expect(holder!.confidence).toBeLessThanOrEqual(0.5);
  });

  test('lines without a zone stay unchanged', () => {
    const texts = [
      'PART<<0123',
      'O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1O1',
      'P<'.padEnd(44, '<'),
      '1234567890'.repeat(5).slice(0, 44),
    ];
    expect(repaired(texts)).toEqual(texts);
  });
});
