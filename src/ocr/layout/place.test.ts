import { describe, expect, it } from 'vitest';
import type { Picture } from '../picture/picture.ts';
import { flatPage } from './flat-page.ts';
import { placePiece } from './place.ts';

/** Worked on at half its size. */
const picture = { width: 200, height: 100, original: { width: 400, height: 200 }, scale: 0.5 } as Picture;
const words = [
  { text: 'left', confidence: 0.9, readings: ['lift'], from: 0, to: 2 },
  { text: 'right', confidence: 0.8, readings: [], from: 2.5, to: 5 },
];

describe('a piece', () => {
  it('has its words in the pixels of the picture as it came', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: 0 };
    const piece = placePiece(region, words, picture, flatPage([], 0));
    expect(piece.words.map((word) => word.box)).toEqual([
      { x: 20, y: 20, width: 80, height: 40 },
      { x: 120, y: 20, width: 100, height: 40 },
    ]);
    expect(piece.upright).toEqual({ x: 20, y: 20, width: 200, height: 40 });
  });

  it('knows where on the level page each of its words begins and ends', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: Math.PI };
    const { uprightWords } = placePiece(region, words, picture, flatPage([], Math.PI));
    expect(uprightWords.map(({ x, width }) => [Math.round(x), Math.round(x + width)])).toEqual([
      [-220, -140],
      [-120, -20],
    ]);
  });

  it('says what else a word could say, where there is something', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: 0 };
    const [left, right] = placePiece(region, words, picture, flatPage([], 0)).words;
    expect(left).toMatchObject({ text: 'left', readings: ['lift'] });
    expect(right).not.toHaveProperty('readings');
  });

  it('of a page on its head has boxes on the picture and a place on the page', () => {
    const region = { cx: 60, cy: 20, width: 100, height: 20, angle: Math.PI };
    const piece = placePiece(region, words, picture, flatPage([], Math.PI));
    const [first, second] = piece.words;
    expect(first!.box.x).toBeGreaterThan(second!.box.x);
    // What lies at the top left of such a picture ends the page.
    expect(piece.upright.x).toBeCloseTo(-220);
    expect(piece.upright.y).toBeCloseTo(-60);
  });

  it('keeps its boxes inside the picture', () => {
    const region = { cx: 5, cy: 5, width: 100, height: 20, angle: 0 };
    const [word] = placePiece(region, [{ ...words[0]!, to: 5 }], picture, flatPage([], 0)).words;
    expect(word!.box).toEqual({ x: 0, y: 0, width: 110, height: 30 });
  });
});
