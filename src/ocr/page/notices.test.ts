import { describe, expect, it } from 'vitest';
import { decoded } from '../../../tests/support/decoded-picture.ts';
import { linesOn } from '../../../tests/support/gray-picture.ts';
import { textPicture } from '../../../tests/support/pictures.ts';
import type { Line } from '../types.ts';
import { noticesOf, type Reading } from './notices.ts';

const line: Line = {
  text: 'x',
  confidence: 1,
  box: { x: 0, y: 0, width: 1, height: 1 },
  paragraph: 0,
  words: [],
};

const region = { cx: 240, cy: 58, width: 283, height: 44, angle: 0 };

async function reading(changes: Partial<Reading> = {}): Promise<Reading> {
  return {
    images: linesOn(await decoded(textPicture()), [region]),
    turned: 0,
    quarterTurns: 0,
    angle: 0,
    inPerspective: false,
    lines: [line],
    confidence: 0.95,
    ...changes,
  };
}

const codes = async (changes: Partial<Reading>) => noticesOf(await reading(changes)).map(({ code }) => code);

describe('notices', () => {
  it('are empty for an upright, sharp picture', async () => {
    expect(await codes({})).toEqual([]);
  });

  it('report a page without text, and nothing else', async () => {
    expect(await codes({ lines: [], turned: 2, confidence: 0 })).toEqual(['no_text']);
  });

  it('report that the page was turned and straightened', async () => {
    const tilt = (5 * Math.PI) / 180;
    expect(await codes({ turned: 1, quarterTurns: 1, angle: Math.PI / 2 + tilt })).toEqual([
      'turned',
      'straightened',
    ]);
    expect(await codes({ quarterTurns: 2, turned: 2, angle: -Math.PI + 0.01 })).toEqual(['turned']);
  });

  it('report the straightening of a page photographed at an angle once', async () => {
    const tilt = (5 * Math.PI) / 180;
    const [notice, ...others] = noticesOf(await reading({ inPerspective: true, angle: tilt }));
    expect(notice).toMatchObject({ code: 'straightened', message: expect.stringContaining('at an angle') });
    expect(others).toEqual([]);
  });

  it('report text that is too small when the result suffers', async () => {
    const small = { ...region, width: 100, height: 9 };
    const images = linesOn(await decoded(textPicture()), [small]);
    expect(await codes({ images, confidence: 0.7 })).toEqual(['too_small']);
    expect(await codes({ images })).toEqual([]);
  });

  it('report a blurred picture when the result suffers', async () => {
    const images = linesOn(await decoded(textPicture().blur(6)), [region]);
    expect(await codes({ images, confidence: 0.7 })).toEqual(['blurred']);
    expect(await codes({ confidence: 0.7 })).toEqual([]);
  });
});
