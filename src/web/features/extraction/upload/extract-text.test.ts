import { expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import note from '../../../../../tests/fixtures/extractions/note.json' with { type: 'json' };
import { onOriginal } from './extract-text.ts';

it('scaled picture: boxes of its extraction refer to the chosen picture', () => {
  const read = extractionSchema.parse(note);
  const original = { width: 3 * read.image.width, height: 3 * read.image.height };
  const moved = onOriginal(read, original);
  expect(moved.image).toEqual({ ...read.image, ...original });
  const boxes = ({ lines, hidden }: typeof read) =>
    [...lines.flatMap((line) => [line, ...line.words]), ...hidden].map(({ box }) => box);
  expect(boxes(moved)).toEqual(
    boxes(read).map(({ x, y, width, height }) => ({
      x: 3 * x,
      y: 3 * y,
      width: 3 * width,
      height: 3 * height,
    })),
  );
  expect(moved.extractedText).toBe(read.extractedText);
  expect(moved.notices.at(-1)?.code).toBe('scaled_down');
  expect(extractionSchema.parse(moved)).toEqual(moved);
});
