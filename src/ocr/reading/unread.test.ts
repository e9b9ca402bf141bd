import { expect, test } from 'vitest';
import { blankPicture } from '../../../tests/support/gray-picture.ts';
import { LineImage } from '../page/line-image.ts';
import { type ReadRegion, regionsInQuestion, unreadNotice, unreadRegions } from './unread.ts';

const picture = { ...blankPicture(200, 150), scale: 0.5, original: { width: 400, height: 300 } };
const regionOf = (confidence: number | undefined, changes = {}): ReadRegion => ({
  image: new LineImage(picture, {
    cx: 50,
    cy: 40,
    width: 60,
    height: 20,
    angle: 0,
    score: 0.9,
    ...changes,
  }),
  confidence,
  scripts: undefined,
});
const latin = new Map([['Latn', 0.95]]);
const chinese = new Map([
  ['Latn', 0.05],
  ['Hani', 0.9],
]);
const own = new Set(['Latn']);

test('regionsInQuestion: returns regions without words and regions that were read badly', () => {
  const [silent, weak, sure] = [regionOf(undefined), regionOf(0.3), regionOf(0.9)];
  expect(regionsInQuestion([silent, weak, sure])).toEqual([silent, weak]);
});

test('unreadRegions: a region without words is unread, with its box in pixels of the original', () => {
  expect(unreadRegions([regionOf(undefined)], [latin], own)).toEqual([
    { box: { x: 40, y: 60, width: 120, height: 40 }, why: 'no_reading' },
  ]);
});

test('unreadRegions: letters of another script are unread with their script, however they were read', () => {
  expect(unreadRegions([regionOf(0.3)], [chinese], own)).toMatchObject([
    { why: 'other_script', script: 'Chinese' },
  ]);
  expect(unreadRegions([regionOf(0.3)], [chinese], new Set(['Hani']))).toEqual([]);
});

test('unreadRegions: badly read words, icons and regions with a low detector score are not unread', () => {
  expect(unreadRegions([regionOf(0.3)], [latin], own)).toEqual([]);
  expect(unreadRegions([regionOf(undefined, { width: 22 })], [latin], own)).toEqual([]);
  expect(unreadRegions([regionOf(undefined, { score: 0.6 })], [latin], own)).toEqual([]);
});

test('unreadNotice: counts the places and names their scripts', () => {
  const box = { x: 0, y: 0, width: 1, height: 1 };
  expect(unreadNotice([])).toBeUndefined();
  expect(unreadNotice([{ box, why: 'no_reading' }])).toBe(
    '1 place was not read. It is marked in the picture.',
  );
  expect(
    unreadNotice([
      { box, why: 'other_script', script: 'Chinese' },
      { box, why: 'other_script', script: 'Chinese' },
    ]),
  ).toBe('2 places were not read: Chinese text in 2 lines. They are marked in the picture.');
});
