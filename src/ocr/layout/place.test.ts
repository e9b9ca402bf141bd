import { describe, expect, it } from 'vitest';
import { wordSchema } from '#contract/extraction';
import { LineImage } from '../page/line-image.ts';
import type { Picture } from '../picture/picture.ts';
import { dewarpPage } from './dewarped-page.ts';
import { placeFragment } from './place.ts';

/** The working picture has half its size. */
const picture = { width: 200, height: 100, original: { width: 400, height: 200 }, scale: 0.5 } as Picture;
const words = [
  { text: 'left', confidence: 0.9, readings: ['lift'], from: 0, to: 2 },
  { text: 'right', confidence: 0.8, readings: [], from: 2.5, to: 5 },
];

describe('placeFragment', () => {
  it('places its words in the pixels of the original picture', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: 0 };
    const fragment = placeFragment(new LineImage(picture, region), words, dewarpPage([], 0));
    expect(fragment.words.map((word) => word.box)).toEqual([
      { x: 20, y: 20, width: 80, height: 40 },
      { x: 120, y: 20, width: 100, height: 40 },
    ]);
    expect(fragment.upright).toEqual({ x: 20, y: 20, width: 200, height: 40 });
  });

  it('places the start and end of each word on the leveled page', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: Math.PI };
    const { uprightWords } = placeFragment(new LineImage(picture, region), words, dewarpPage([], Math.PI));
    expect(uprightWords.map(({ x, width }) => [Math.round(x), Math.round(x + width)])).toEqual([
      [-220, -140],
      [-120, -20],
    ]);
  });

  it('adds the corners of words that do not lie level, from the top left as they read, as the API documents them', () => {
    const wide = { width: 800, height: 600, original: { width: 800, height: 600 }, scale: 1 } as Picture;
    const region = { cx: 300, cy: 200, width: 200, height: 40, angle: 0.1 };
    const [left] = placeFragment(new LineImage(wide, region), words, dewarpPage([], 0)).words;
    const documented = wordSchema.shape.polygon.meta()?.examples;
    expect(documented).toEqual([left!.polygon]);
    const turned = { ...region, angle: Math.PI / 2 };
    const [down] = placeFragment(new LineImage(wide, turned), words, dewarpPage([], 0)).words;
    expect(down!.polygon).toEqual([
      { x: 320, y: 100 },
      { x: 320, y: 180 },
      { x: 280, y: 180 },
      { x: 280, y: 100 },
    ]);
    const level = { ...region, angle: 0.015 };
    expect(placeFragment(new LineImage(wide, level), words, dewarpPage([], 0)).words[0]).not.toHaveProperty(
      'polygon',
    );
  });

  it('keeps the other readings of a word, where there are any', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: 0 };
    const [left, right] = placeFragment(new LineImage(picture, region), words, dewarpPage([], 0)).words;
    expect(left).toMatchObject({ text: 'left', readings: ['lift'] });
    expect(right).not.toHaveProperty('readings');
  });

  it('places the boxes of an upside-down page on the picture and on the page', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: Math.PI };
    const fragment = placeFragment(new LineImage(picture, region), words, dewarpPage([], Math.PI));
    const [first, second] = fragment.words;
    expect(first!.box.x).toBeGreaterThan(second!.box.x);
    // The top left of such a picture is the end of the page.
    expect(fragment.upright.x).toBeCloseTo(-220);
    expect(fragment.upright.y).toBeCloseTo(-60);
  });

  it('keeps its boxes inside the picture', () => {
    const region = { cx: 5, cy: 5, width: 100, height: 20, angle: 0 };
    const [word] = placeFragment(
      new LineImage(picture, region),
      [{ ...words[0]!, to: 5 }],
      dewarpPage([], 0),
    ).words;
    expect(word!.box).toEqual({ x: 0, y: 0, width: 110, height: 30 });
  });
});
