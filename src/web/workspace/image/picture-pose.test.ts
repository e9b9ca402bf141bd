import { expect, it } from 'vitest';
import type { Piece } from '#formats/pieces';
import { boundsInFrame, fromFrame, intoFrame, poseOf, tiltOf } from './picture-pose.ts';

const image = { width: 1000, height: 500, rotation: 0 };

/** Two lines of four words with this slope. */
const sloping = (slope: number): Piece[] =>
  [0, 1].flatMap((line) =>
    [0, 1, 2, 3].map((word) => ({
      text: 'word',
      confidence: 90,
      box: { x: word * 100, y: 100 + line * 50 + word * 100 * slope, width: 80, height: 30 },
      line,
      paragraph: 0,
      hidden: null,
      readings: [],
    })),
  );

it('picture pose: a page has the tilt of its lines, and a level page has none', () => {
  expect(tiltOf(sloping(0.1), image)).toBeCloseTo(Math.atan(0.1));
  expect(tiltOf(sloping(0.001), image)).toBe(0);
  expect(tiltOf(sloping(0.1).slice(0, 3), image), 'three words are too few').toBe(0);
});

it('picture pose: words of a sloping line are level in the frame, and points round-trip', () => {
  const slope = Math.atan(0.1);
  const pose = poseOf(image, -slope);
  const [from, to] = [
    { x: 0, y: 0 },
    { x: 100, y: 10 },
  ].map((point) => intoFrame(pose, point));
  expect(to!.y).toBeCloseTo(from!.y);
  expect(pose.width).toBeGreaterThan(image.width);
  const back = fromFrame(pose, to!);
  expect([back.x, back.y].map(Math.round)).toEqual([100, 10]);
});

it('picture pose: the original orientation of a rotated picture has the original size', () => {
  const turned = { width: 1000, height: 500, rotation: 90 };
  const original = poseOf(turned, -Math.PI / 2);
  expect([original.width, original.height].map(Math.round)).toEqual([1000, 500]);
  // The upright top left corner is the bottom left one of the picture.
  const corner = intoFrame(original, { x: 0, y: 0 });
  expect([corner.x, corner.y].map(Math.round)).toEqual([0, 500]);
  const all = [
    { x: 0, y: 0 },
    { x: 500, y: 1000 },
  ];
  const { width, height } = boundsInFrame(original, all);
  expect([width, height].map(Math.round)).toEqual([1000, 500]);
});
