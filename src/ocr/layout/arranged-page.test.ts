import { expect, test } from 'vitest';
import { withNestedBullets } from './arranged-page.ts';
import { lineOf } from './lines.ts';

/** Lines of words that stand 20 pixels apart; each starts at the column before it. */
const textOf = (...lines: readonly (readonly [left: number, text: string])[]) =>
  withNestedBullets(
    lines.map(([left, text], row) =>
      lineOf(
        text.split(' ').map((word, i) => ({
          text: word,
          confidence: 0.9,
          readings: [],
          box: { x: left + 20 * i, y: 30 * row, width: 15, height: 16 },
        })),
        0,
      ),
    ),
  ).map((line) => line.text);

test('withNestedBullets: o and ° that open items further in than filled bullets are hollow bullets', () => {
  expect(textOf([10, '• one'], [50, 'o two'], [51, '° three'], [10, '• four'])).toEqual([
    '• one',
    '◦ two',
    '◦ three',
    '• four',
  ]);
});

test.each<[string, (readonly [number, string])[]]>([
  [
    'without filled bullets',
    [
      [10, '- one'],
      [50, 'o two'],
      [50, 'o three'],
    ],
  ],
  [
    'that stands alone',
    [
      [10, '• one'],
      [50, 'o two'],
      [90, 'o three'],
    ],
  ],
  [
    'as far left as the filled bullets',
    [
      [10, '• one'],
      [10, 'o two'],
      [10, 'o three'],
    ],
  ],
  [
    'as a line of its own',
    [
      [10, '• one'],
      [50, 'o'],
      [50, 'o'],
    ],
  ],
])('withNestedBullets: an o stays %s', (_where, lines) => {
  expect(textOf(...lines)).toEqual(lines.map(([, text]) => text));
});
