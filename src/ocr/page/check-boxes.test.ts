import { expect, test } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import { checkBoxesIn } from './check-boxes.ts';

const HEIGHT = 48;

function paper(width: number): GrayImage {
  return { gray: new Uint8Array(width * HEIGHT).fill(255), width, height: HEIGHT };
}
const ink = ({ gray, width }: GrayImage, x: number, y: number) => {
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
  ] as const)
    gray[(y + dy) * width + x + dx] = 0;
};
/** A square of 28 pixels with sides of two. */
function square(image: GrayImage, left: number, top = 10, size = 28): void {
  for (let i = 0; i < size; i++) {
    ink(image, left + i, top);
    ink(image, left + i, top + size - 1);
    ink(image, left, top + i);
    ink(image, left + size - 1, top + i);
  }
}
function line(image: GrayImage, from: readonly [number, number], to: readonly [number, number]): void {
  for (let step = 0; step <= 40; step++)
    ink(
      image,
      Math.round(from[0] + ((to[0] - from[0]) * step) / 40),
      Math.round(from[1] + ((to[1] - from[1]) * step) / 40),
    );
}
const letterAt = (image: GrayImage, x: number) => line(image, [x, 10], [x, 36]);
const marks = (image: GrayImage) => checkBoxesIn(image).boxes.map(({ text }) => text);

test('checkBoxesIn: an empty, a ticked and a crossed box are distinguished', () => {
  const image = paper(260);
  for (const left of [5, 75, 145]) square(image, left);
  line(image, [81, 24], [87, 32]);
  line(image, [87, 32], [97, 14]);
  line(image, [151, 16], [167, 32]);
  line(image, [167, 16], [151, 32]);
  letterAt(image, 220);
  expect(marks(image)).toEqual(['☐', '☑', '☒']);
});

test('checkBoxesIn: the box is removed from the line and the letters stay', () => {
  const image = paper(120);
  square(image, 5);
  letterAt(image, 80);
  const { boxes, rest } = checkBoxesIn(image);
  expect(boxes).toMatchObject([{ text: '☐' }]);
  const columns = Array.from({ length: rest.width }, (_, x) =>
    Array.from({ length: HEIGHT }, (_, y) => rest.gray[y * rest.width + x]!).some((gray) => gray < 128),
  );
  expect(columns.slice(0, 60)).not.toContain(true);
  expect(columns.slice(78, 84)).toContain(true);
});

test('checkBoxesIn: square dot-matrix letters beside other letters are no boxes', () => {
  const image = paper(120);
  square(image, 5);
  square(image, 40);
  expect(marks(image)).toEqual([]);
});

test('checkBoxesIn: a round letter and a filled square are no boxes', () => {
  const image = paper(160);
  for (let angle = 0; angle < 360; angle += 2)
    ink(
      image,
      Math.round(25 + 13 * Math.cos((angle * Math.PI) / 180)),
      Math.round(24 + 13 * Math.sin((angle * Math.PI) / 180)),
    );
  for (let row = 10; row < 38; row++) image.gray.fill(0, row * image.width + 90, row * image.width + 118);
  expect(marks(image)).toEqual([]);
});
