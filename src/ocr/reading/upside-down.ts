/** Finds upside-down lines on an upright page, and reads them the other way up. */
import { redirected } from '../page/geometry.ts';
import type { LineImage } from '../page/line-image.ts';
import { cropFor, type LineReadings, type Readers, readLines } from './recognize.ts';
import { type LineReading, meanConfidenceOf } from './recognizer.ts';

/**
 * A line with at least `letters` characters whose mean confidence is below `sure` may be upside down. `sample`: the number of
 * such lines that are tried first.
 */
const BADLY_READ = { sure: 0.75, letters: 4, sample: 8 } as const;
/** The least mean confidence the other way up, and how much higher than before it must be. */
const OTHER_WAY = { sure: 0.85, surer: 0.2 } as const;

/** The sum of the characters' squared confidences: upside-down text gives few characters with low confidence. */
export function legibilityOf({ glyphs }: LineReading): number {
  return glyphs.reduce((sum, { confidence }) => sum + confidence ** 2, 0);
}

/**
 * The same lines in the same order. Lines that read clearly better turned by 180 degrees are replaced by that reading, and
 * their images are turned.
 */
export async function withUpsideDown(
  readings: readonly LineReadings[],
  readers: Readers,
): Promise<LineReadings[]> {
  const candidates = readings.filter(
    ({ first }) => first.glyphs.length >= BADLY_READ.letters && meanConfidenceOf(first) < BADLY_READ.sure,
  );
  const flipped = ({ image }: LineReadings): LineImage => image.at(redirected(image.region, 2));
  const readsBetter = async (lines: readonly LineReadings[]) => {
    const crops = lines.map((line) => cropFor(readers.first, flipped(line)));
    const found = crops.length === 0 ? [] : await readers.first.read(crops, readers.signal);
    return lines.filter((line, i) => {
      const other = found[i]!;
      const least = Math.max(OTHER_WAY.sure, meanConfidenceOf(line.first) + OTHER_WAY.surer);
      return meanConfidenceOf(other) > least && legibilityOf(other) > legibilityOf(line.first);
    });
  };
  // A page of handwriting reads badly either way up. A sample shows that, so that not every line is read twice.
  const sample = await readsBetter(candidates.slice(0, BADLY_READ.sample));
  const rest = sample.length === 0 ? [] : await readsBetter(candidates.slice(BADLY_READ.sample));
  const better = [...sample, ...rest];
  if (better.length === 0) return [...readings];
  const again = await readLines(better.map(flipped), readers);
  const replaced = new Map(better.map((line, i) => [line, again[i]!]));
  return readings.map((line) => replaced.get(line) ?? line);
}
