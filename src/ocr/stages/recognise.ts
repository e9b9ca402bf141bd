/** Reads the lines of a page: all with the first recogniser, those that it doubts with the second one as well. */
import type { LineReading, LineRecogniser } from '../engines/recogniser.ts';
import type { CropWord, GrayImage } from '../engines/tesseract.ts';
import { type Contrast, cleaned, cutLine, gapsOf } from './crop.ts';
import type { Region } from './geometry.ts';
import type { Picture } from './picture.ts';
import type { Blank } from './segments.ts';

/** What was read of one region. */
export interface LineReadings<R extends Region = Region> {
  region: R;
  first: LineReading;
  /** Absent when the first reading raised no doubt, or when no second recogniser knows the script. */
  second?: LineReading;
  /** Stretches without ink, in line heights; empty when `second` is absent. */
  blanks: Blank[];
  /** In line heights. */
  length: number;
}

export interface Readers {
  /** Tesseract in line mode, a batch of crops on each call, which one thread works off. */
  readLines(crops: readonly GrayImage[]): Promise<CropWord[][]>;
  /** Calls worth making at the same time. */
  threads: number;
  /** Reads what the first one doubts; absent for scripts it does not know. */
  second: LineRecogniser | undefined;
  /** Which lines the second one is asked for; by default those that are not `isSure`. */
  doubts?: (line: LineReadings) => boolean;
  signal: AbortSignal;
  /** Called with the number of lines read so far. */
  onProgress?: (read: number) => void;
}

/** What each recogniser reads best, found on the tuning set. */
export const FIRST_HEIGHT = 36;
export const FIRST_CONTRAST: Contrast = { black: 0.03, white: 0.7 };
export const SECOND_CONTRAST: Contrast = { black: 0.01, white: 0.8 };
/** Batches for each thread: few enough to be cheap, enough that no thread waits long for the others. */
const BATCHES_PER_THREAD = 3;
/** Every word of a line must be as sure as this for the line to be taken from the first recogniser alone. */
const SURE = 0.9;
/** Characters for each line height of length below which the first recogniser has left something out. */
const SPARSE = 0.8;

export async function readRegions<R extends Region>(
  picture: Picture,
  regions: readonly R[],
  readers: Readers,
): Promise<LineReadings<R>[]> {
  const lines = await readFirst(picture, regions, readers);
  const { second, signal, doubts = (line) => !isSure(line) } = readers;
  if (second) {
    for (const line of lines) {
      if (!doubts(line)) continue;
      const crop = cleaned(cutLine(picture, line.region, second.cropHeight), SECOND_CONTRAST);
      [line.second] = (await second.read([crop], signal)) as [LineReading];
      line.blanks = gapsOf(crop).map(({ from, to }) => ({ from: from / crop.height, to: to / crop.height }));
    }
  }
  return lines;
}

async function readFirst<R extends Region>(
  picture: Picture,
  regions: readonly R[],
  { readLines, threads, onProgress }: Readers,
): Promise<LineReadings<R>[]> {
  const lines = new Array<LineReadings<R>>(regions.length);
  // Longest first and dealt out in turn, so that all batches take about as long.
  const order = [...regions.keys()].sort((a, b) => aspect(regions[b]!) - aspect(regions[a]!));
  const count = Math.min(order.length, threads * BATCHES_PER_THREAD);
  let read = 0;
  const batches = Array.from({ length: count }, (_, batch) =>
    order.filter((_, index) => index % count === batch),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const crops = batch.map((index) =>
        cleaned(cutLine(picture, regions[index]!, FIRST_HEIGHT), FIRST_CONTRAST),
      );
      const words = await readLines(crops);
      for (const [place, index] of batch.entries()) {
        const crop = crops[place]!;
        lines[index] = {
          region: regions[index]!,
          first: readingOf(words[place]!, crop.height),
          blanks: [],
          length: crop.width / crop.height,
        };
      }
      read += batch.length;
      onProgress?.(read);
    }),
  );
  return lines;
}

const aspect = ({ width, height }: Region): number => width / height;

/** Tesseract places words, not characters: they are spread evenly over their word. */
function readingOf(words: readonly CropWord[], height: number): LineReading {
  const glyphs = words.flatMap(({ text, confidence, x, width, joined }) => {
    const characters = [...text];
    const advance = width / characters.length / height;
    return characters.map((character, index) => ({
      text: character,
      confidence,
      centre: x / height + (index + 0.5) * advance,
      startsWord: index === 0 && !joined,
    }));
  });
  return { glyphs };
}

/** Every word is sure and the line is as full as print is: nothing speaks for asking again. */
export function isSure({ first, length }: LineReadings): boolean {
  return (
    first.glyphs.length > 0 &&
    first.glyphs.length >= length * SPARSE &&
    first.glyphs.every((glyph) => glyph.confidence >= SURE)
  );
}
