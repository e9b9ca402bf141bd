/** Halftone grounds: the text detector takes their rows of dots for lines, a hundred on a page. */
import { median } from '../page/geometry.ts';
import type { GrayImage } from '../picture/picture.ts';
import { inkBoxesOf } from './ink-boxes.ts';
import { type LineReading, surenessOf } from './recognizer.ts';

/** Rows of dots on a page that make a halftone ground. No page of text in the benchmark has more than six such lines. */
export const HALFTONE_LINES = 24;
/** The primary recognizer reads no letter of dots with more mean confidence. */
const BADLY_READ = 0.5;
/** Share of a row's ink that has one size, within this many pixels of the crop. */
const ALIKE = { share: 0.9, pixels: 2 } as const;

/** Whether a badly read line consists of parts of one size. @param crop of the primary recognizer */
export function isDotRow(reading: LineReading, crop: GrayImage): boolean {
  if (surenessOf(reading) >= BADLY_READ) return false;
  const boxes = inkBoxesOf(crop);
  if (boxes.length < 2) return false;
  const sizes = boxes.map(({ from, to, top, bottom }) => ({ width: to - from, height: bottom - top }));
  const [width, height] = [median(sizes.map((size) => size.width)), median(sizes.map((size) => size.height))];
  const alike = sizes.filter(
    (size) => Math.abs(size.width - width) <= ALIKE.pixels && Math.abs(size.height - height) <= ALIKE.pixels,
  );
  return alike.length >= ALIKE.share * sizes.length;
}
