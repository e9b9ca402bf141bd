/** Reads the lines of a page: all with the first recogniser, what it doubts (or all again) with the second one as well. */

import { type Contrast, cleaned, cutColumns, cutLine, gapsOf } from '../page/crop.ts';
import type { Region } from '../page/geometry.ts';
import type { GrayImage, Picture } from '../picture/picture.ts';
import {
  doubtfulStretches,
  doubtfulWords,
  type IsSure,
  isBeyondDoubt,
  joinedWhereNear,
  type Stretch,
  surenessIn,
} from './doubt.ts';
import type { Lexicon } from './lexicon.ts';
import type { FirstReader, LineReading, LineRecogniser, PageReader } from './recogniser.ts';
import type { Blank, Check } from './segments.ts';

/** What was read of one region. */
export interface LineReadings<R extends Region = Region> {
  region: R;
  /** Who gave the first reading. */
  reader: FirstReader;
  first: LineReading;
  /** None when the first reading raised no doubt, or when the second recogniser leaves all of it alone. */
  checks: Check[];
  /** Stretches without ink, in line heights. */
  blanks: Blank[];
  /** In line heights. */
  length: number;
}

export interface Readers {
  first: PageReader;
  /** Calls of the first one worth making at the same time. */
  threads: number;
  /** Reads what the first one doubts. */
  second: LineRecogniser;
  lexicon: Lexicon;
  /** The second one reads every line whole: what the first is sure of is sometimes wrong, and a line tells more than its parts. */
  thorough?: boolean | undefined;
  signal: AbortSignal;
  /** Called with the number of lines read so far. */
  onProgress?: (read: number) => void;
}

/** What each recogniser reads best, found on the tuning set. */
const FIRST_CONTRAST: Contrast = { black: 0.03, white: 0.7 };
export const SECOND_CONTRAST: Contrast = { black: 0.01, white: 0.8 };
/** Batches for each thread: few enough to be cheap, enough that no thread waits long for the others. */
const BATCHES_PER_THREAD = 3;
/** What the second recogniser sees on either side of a stretch, in line heights: letters at an edge are read poorly. */
const CONTEXT = 1;

/** A region as the first recogniser wants to see it. */
export function cropFor({ cropHeight }: PageReader, picture: Picture, region: Region): GrayImage {
  return cleaned(cutLine(picture, region, cropHeight), FIRST_CONTRAST);
}

export async function readRegions<R extends Region>(
  picture: Picture,
  regions: readonly R[],
  readers: Readers,
): Promise<LineReadings<R>[]> {
  const { first, threads, lexicon, signal, onProgress } = readers;
  const isSure = surenessIn(lexicon, first.sure);
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
      const crops = batch.map((index) => cropFor(first, picture, regions[index]!));
      const readings = await first.read(crops, signal);
      for (const [place, index] of batch.entries()) {
        const crop = crops[place]!;
        const line: LineReadings<R> = {
          region: regions[index]!,
          reader: first.name,
          first: readings[place]!,
          checks: [],
          blanks: blanksOf(crop),
          length: crop.width / crop.height,
        };
        lines[index] = line;
        // What is doubtful in a batch is looked at while the next batches are being read.
        await check(picture, line, isSure, readers);
        onProgress?.(++read);
      }
    }),
  );
  return lines;
}

async function check(
  picture: Picture,
  line: LineReadings,
  isSure: IsSure,
  { second, thorough, signal }: Pick<Readers, 'second' | 'thorough' | 'signal'>,
): Promise<void> {
  if (!thorough && isBeyondDoubt(line.first, line.length, isSure)) return;
  const crop = cleaned(cutLine(picture, line.region, second.cropHeight), SECOND_CONTRAST);
  const { width, height } = crop;
  line.blanks = blanksOf(crop);
  const look = async ({ from, to }: Stretch): Promise<boolean> => {
    const left = Math.max(0, Math.floor((from - CONTEXT) * height));
    const right = Math.min(width, Math.ceil((to + CONTEXT) * height));
    const reading = await second.read(cutColumns(crop, left, right), signal);
    if (reading) line.checks.push({ from, to, reading: within(from, to, movedBy(left / height, reading)) });
    return reading !== undefined;
  };
  const doubts = [line.first, line.blanks, line.length, isSure] as const;
  const stretches = thorough ? [{ from: 0, to: line.length }] : doubtfulStretches(...doubts);
  for (const stretch of stretches) {
    if (await look(stretch)) continue;
    // Some of its words may be in other letters than the rest.
    const words = doubtfulWords(...doubts).filter(({ from, to }) => from >= stretch.from && to <= stretch.to);
    if (words.length > 1) for (const word of joinedWhereNear(words, 0)) await look(word);
  }
}

function blanksOf(crop: GrayImage): Blank[] {
  return gapsOf(crop).map(({ from, to }) => ({ from: from / crop.height, to: to / crop.height }));
}

/** A reading without what was seen of the neighbours. */
function within(from: number, to: number, { glyphs, ...reading }: LineReading): LineReading {
  const inside = glyphs.filter(({ centre }) => centre >= from && centre <= to);
  return { ...reading, glyphs: inside.map((glyph, i) => (i === 0 ? { ...glyph, startsWord: true } : glyph)) };
}

/** A reading of a part of a line, with its distances counted from the line's edge. */
function movedBy(offset: number, { glyphs, likelihood }: LineReading): LineReading {
  return {
    glyphs: glyphs.map((glyph) => ({ ...glyph, centre: glyph.centre + offset })),
    ...(likelihood && {
      likelihood: (text: string, from: number, to: number) => likelihood(text, from - offset, to - offset),
    }),
  };
}

const aspect = ({ width, height }: Region): number => width / height;
