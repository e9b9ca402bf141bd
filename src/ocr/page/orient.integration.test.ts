import { beforeAll, describe, expect, it } from 'vitest';
import { decoded } from '../../../tests/support/decoded-picture.ts';
import { textPicture } from '../../../tests/support/pictures.ts';
import { nodeModels } from '../recognizers/node-models.ts';
import { detectText, type TextDetector } from './detect.ts';
import type { LineImage } from './line-image.ts';
import { type OrientationClassifier, orientPage, skewOf } from './orient.ts';

const DEGREE = Math.PI / 180;
const line = (width: number, height: number, angle = 0) => ({ cx: 0, cy: 0, width, height, angle });

describe('skewOf', () => {
  it('is the angle of most of the lines, weighted by length', () => {
    const lines = [line(300, 10, 3 * DEGREE), line(200, 10, 3 * DEGREE), line(60, 10, -20 * DEGREE)];
    expect(skewOf(lines, false)).toBeCloseTo(3 * DEGREE);
  });

  it('ignores short boxes', () => {
    expect(skewOf([line(20, 10, 30 * DEGREE)], false)).toBe(0);
  });

  it('uses the tall boxes of a page on its side', () => {
    expect(skewOf([line(10, 300, 2 * DEGREE), line(60, 10, -9 * DEGREE)], true)).toBeCloseTo(2 * DEGREE);
  });
});

describe('orientPage', () => {
  const models = nodeModels(2, () => Promise.reject(new Error('nothing is read')));
  let detector: TextDetector;
  let direction: OrientationClassifier;
  beforeAll(async () => {
    [detector, direction] = await Promise.all([models.detector(), models.direction()]);
  });

  /** A fake recognizer: text is most legible in the direction in which it was rendered. */
  const legibleAt = (angle: number) => async (lines: readonly LineImage[]) =>
    lines.map(({ region }) => Math.cos(region.angle - angle));

  it.each([0, 90, 180, 270])('detects that a page is turned by %i degrees', async (degrees) => {
    const picture = await decoded(textPicture().rotate(degrees));
    const regions = await detectText(picture, detector);
    const page = await orientPage(picture, regions, { direction, legibility: legibleAt(degrees * DEGREE) });
    expect(page.quarterTurns).toBe(degrees / 90);
    const widest = page.regions.reduce((a, b) => (b.width > a.width ? b : a));
    expect(widest.width).toBeGreaterThan(widest.height * 3);
  });

  it('does not rotate an upright page because of the classifier alone', async () => {
    const picture = await decoded(textPicture().rotate(180));
    const regions = await detectText(picture, detector);
    const page = await orientPage(picture, regions, { direction, legibility: legibleAt(0) });
    expect(page.quarterTurns).toBe(0);
  });

  it('does not change a page without text', async () => {
    const picture = await decoded(textPicture());
    const page = await orientPage(picture, [], { direction, legibility: legibleAt(0) });
    expect(page).toEqual({ regions: [], quarterTurns: 0, angle: 0 });
  });
});
