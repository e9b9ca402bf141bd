/** Reads the lines of a page: all of them with the primary recognizer, and its doubtful parts with the secondary one. */

import { checkBoxesIn } from '../page/check-boxes.ts';
import { type Contrast, cutColumns, gapsOf } from '../page/crop.ts';
import { median, type Region } from '../page/geometry.ts';
import type { LineImage } from '../page/line-image.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { withBulletResolved } from './bullets.ts';
import {
  confidenceCheckFor,
  doubtfulSpans,
  doubtfulWords,
  type IsSure,
  isBeyondDoubt,
  joinedWhereNear,
  type Span,
} from './doubt.ts';
import { inkBoxesOf } from './ink-boxes.ts';
import {
  withDashesResolved,
  withLookAlikesResolved,
  withoutParts,
  withRaisedFigures,
} from './letter-shapes.ts';
import type { Lexicon } from './lexicon.ts';
import type { ScriptShares } from './other-script.ts';
import { withPrimesResolved } from './primes.ts';
import {
  type FirstReader,
  type Glyph,
  type LineReading,
  type LineRecognizer,
  meanConfidenceOf,
  type PageReader,
} from './recognizer.ts';
import { withCountedSigns } from './repeated-signs.ts';
import type { Blank, Check } from './segments.ts';
import { FOREIGN } from './word-shape.ts';
import { withZerosResolved } from './zeros.ts';

/**
 * Rows of dots on a page that make a halftone ground: the text detector takes them for lines, a hundred on a page. No page of text in the benchmark has more than
 * six such lines.
 */
const HALFTONE_LINES = 24;
/** The primary recognizer reads no letter of dots with more mean confidence. */
const BADLY_READ = 0.5;
/** Share of a row's ink that has one size, within this many pixels of the crop. */
const ALIKE = { share: 0.9, pixels: 2 } as const;

/** The readings of one line. */
export interface LineReadings<R extends Region = Region> {
  image: LineImage<R>;
  /** The primary recognizer. */
  reader: FirstReader;
  first: LineReading;
  /** Empty when the primary reading raised no doubt, or when the secondary recognizer does not read the script. */
  checks: Check[];
  /** Check boxes. They are removed from the crops of the recognizers. */
  boxes: LineBox[];
  /** Spans without ink, in line heights. */
  blanks: Blank[];
  /** In line heights. */
  length: number;
  /** A row of dots of a halftone ground; it has no characters. */
  isHalftone?: true;
}

/** A check box. `from` and `to` are in line heights from the line's left edge. */
export interface LineBox {
  text: string;
  from: number;
  to: number;
}

export interface Readers {
  first: PageReader;
  /** Calls of the primary recognizer worth making in parallel. */
  threads: number;
  /** The secondary recognizer. */
  second: LineRecognizer;
  lexicon: Lexicon;
  signal: AbortSignal;
  /** Called with the number of lines read so far. */
  onProgress?: (read: number) => void;
}

/** The best contrast for each recognizer, found on the tuning set. */
const FIRST_CONTRAST: Contrast = { black: 0.03, white: 0.7 };
export const SECOND_CONTRAST: Contrast = { black: 0.01, white: 0.8 };
/** Batches per thread: few enough to be cheap, enough that no thread waits long for the others. */
const BATCHES_PER_THREAD = 3;
/**
 * Context that the secondary recognizer sees on either side of a span, in line heights: letters at an edge are read poorly.
 */
const CONTEXT = 1;

/** A line as the primary recognizer gets it. */
export const cropFor = ({ cropHeight }: PageReader, image: LineImage): GrayImage =>
  image.ink(cropHeight, FIRST_CONTRAST);

/** Reads the lines and returns the readings of each, in the same order. */
export async function readLines<R extends Region>(
  images: readonly LineImage<R>[],
  readers: Readers,
): Promise<LineReadings<R>[]> {
  const { first, threads, lexicon, signal, onProgress } = readers;
  const isSure = confidenceCheckFor(lexicon, first.sure);
  const lines = new Array<LineReadings<R>>(images.length);
  // Longest first and dealt out in turn, so that all batches take about as long.
  const dotRows: LineReadings<R>[] = [];
  const order = [...images.keys()].sort((a, b) => aspect(images[b]!) - aspect(images[a]!));
  const count = Math.min(order.length, threads * BATCHES_PER_THREAD);
  let read = 0;
  const batches = Array.from({ length: count }, (_, batch) =>
    order.filter((_, index) => index % count === batch),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const seen = batch.map((index) => checkBoxesIn(cropFor(first, images[index]!)));
      const crops = seen.map(({ rest }) => rest);
      const readings = await first.read(crops, signal);
      for (const [place, index] of batch.entries()) {
        const crop = crops[place]!;
        const line: LineReadings<R> = {
          image: images[index]!,
          reader: first.name,
          first: withGlyphs(readings[place]!, resolvedByShape(readings[place]!.glyphs, crop)),
          checks: [],
          boxes: seen[place]!.boxes.map(({ text, from, to }) => ({
            text,
            from: from / crop.height,
            to: to / crop.height,
          })),
          blanks: blanksOf(crop),
          length: crop.width / crop.height,
        };
        lines[index] = line;
        if (isDotRow(line.first, crop)) dotRows.push(line);
        // The doubtful parts of a batch are read while the next batches are being read.
        else await check(line, isSure, readers);
        onProgress?.(++read);
      }
    }),
  );
  if (dotRows.length < HALFTONE_LINES) for (const line of dotRows) await check(line, isSure, readers);
  else
    for (const line of dotRows) Object.assign(line, { first: { glyphs: [] }, boxes: [], isHalftone: true });
  const ofText = lines.filter(({ isHalftone }) => !isHalftone);
  await checkAroundForeign(ofText, readers);
  return lines;
}

/** Whether a badly read line consists of parts of one size. @param crop of the primary recognizer */
function isDotRow(reading: LineReading, crop: GrayImage): boolean {
  if (meanConfidenceOf(reading) >= BADLY_READ) return false;
  const boxes = inkBoxesOf(crop);
  if (boxes.length < 2) return false;
  const sizes = boxes.map(({ from, to, top, bottom }) => ({ width: to - from, height: bottom - top }));
  const [width, height] = [median(sizes.map((size) => size.width)), median(sizes.map((size) => size.height))];
  const alike = sizes.filter(
    (size) => Math.abs(size.width - width) <= ALIKE.pixels && Math.abs(size.height - height) <= ALIKE.pixels,
  );
  return alike.length >= ALIKE.share * sizes.length;
}

/** Least confidence of an underscore between two letters or figures: in handwriting, strokes are taken for underscores. */
const SURE_UNDERSCORE = 0.8;

/** Whether a line holds a name of two parts with an underscore between them. */
export function hasIdentifier({ first, checks }: LineReadings): boolean {
  const isPart = (glyph: Glyph | undefined) => glyph !== undefined && /^[A-Za-z0-9]$/.test(glyph.text);
  return [first, ...checks.map(({ reading }) => reading)].some(({ glyphs }) =>
    glyphs.some(
      ({ text, confidence }, i) =>
        text === '_' && confidence >= SURE_UNDERSCORE && isPart(glyphs[i - 1]) && isPart(glyphs[i + 1]),
    ),
  );
}

/**
 * Reads lines with foreign letters whole with the secondary recognizer: where the primary one lacks a letter of one word, it
 * may lack those of the words beside it as well. With many such lines, all lines of the page are read again.
 */
async function checkAroundForeign(lines: readonly LineReadings[], readers: Readers): Promise<void> {
  const { letters } = readers.lexicon;
  // English data has "é" for borrowed words, but the primary recognizer seldom reads it correctly.
  const knowsMore = [...letters].some((letter) => FOREIGN.test(letter) && !BORROWED.test(letter));
  const isForeign = ({ checks }: LineReadings) =>
    checks.some(({ reading }) =>
      reading.glyphs.some(({ text }) => FOREIGN.test(text) && !(knowsMore && letters.has(text))),
    );
  const foreign = lines.filter(isForeign);
  const isOfPage = foreign.length >= FOREIGN_PAGE.share * lines.length && foreign.length > 0;
  await checkWhole(isOfPage ? lines : foreign, readers);
}

/**
 * Reads lines whole with the secondary recognizer: the primary one is sometimes sure and wrong, and a line gives more context
 * than its parts.
 * @param lines their checks are replaced
 * @param options `views`: each line is read in several views, which takes as many times as long; otherwise fully read lines
 * stay unchanged
 */
export async function checkWhole(
  lines: readonly LineReadings[],
  readers: Pick<Readers, 'second' | 'signal'>,
  { views = false } = {},
): Promise<void> {
  for (const line of lines) {
    if (!views && line.checks.some(({ from, to }) => from === 0 && to === line.length)) continue;
    line.checks = [];
    await check(line, undefined, { ...readers, views: views ? VIEWS : [] });
  }
}

/** How a line is cut out: with which contrast, and how far down, as a share of its height. */
interface View {
  contrast: Contrast;
  down: number;
}

/** Beside the usual view of a line. */
const VIEWS: readonly View[] = [
  { contrast: { black: 0.04, white: 0.6 }, down: 0.04 },
  { contrast: { black: 0.002, white: 0.9 }, down: -0.04 },
];

/** The foreign letter of words that English has borrowed. */
const BORROWED = /^[éÉ]$/;
/** The least share of lines with foreign letters at which every line of the page is read again. */
const FOREIGN_PAGE = { share: 0.15 } as const;

/** @param isSure which characters need no second look; without it the line is read whole */
async function check(
  line: LineReadings,
  isSure: IsSure | undefined,
  { second, signal, views = [] }: Pick<Readers, 'second' | 'signal'> & { views?: readonly View[] },
): Promise<void> {
  if (isSure && isBeyondDoubt(line.first, line.blanks, line.length, isSure)) return;
  const crop = checkedCrop(line, second.cropHeight, { contrast: SECOND_CONTRAST, down: 0 });
  const others = views.map((view) => checkedCrop(line, second.cropHeight, view));
  const { width, height } = crop;
  line.blanks = blanksOf(crop);
  const look = async ({ from, to }: Span): Promise<boolean> => {
    const left = Math.max(0, Math.floor((from - CONTEXT) * height));
    const right = Math.min(width, Math.ceil((to + CONTEXT) * height));
    const reading = await second.read(cutColumns(crop, left, right), {
      views: others.map((other) => cutColumns(other, left, right)),
      signal,
    });
    if (reading) {
      const moved = movedBy(left / height, reading);
      const resolved = withGlyphs(moved, resolvedByShape(moved.glyphs, crop));
      line.checks.push({ from, to, reading: within(from, to, resolved) });
    }
    return reading !== undefined;
  };
  const doubts = [line.first, line.blanks, line.length, isSure ?? (() => false)] as const;
  const spans = isSure ? doubtfulSpans(...doubts) : [{ from: 0, to: line.length }];
  for (const span of spans) {
    if (await look(span)) continue;
    // Some of its words may be in another script.
    const words = doubtfulWords(...doubts).filter(({ from, to }) => from >= span.from && to <= span.to);
    if (words.length > 1) for (const word of joinedWhereNear(words, 0)) await look(word);
  }
}

/** The secondary recognizer's crop of a line, without its check boxes. */
function checkedCrop(
  { image, boxes }: LineReadings,
  cropHeight: number,
  { contrast, down }: View,
): GrayImage {
  const { region } = image;
  const moved = down * region.height;
  const place = {
    ...region,
    cx: region.cx - moved * Math.sin(region.angle),
    cy: region.cy + moved * Math.cos(region.angle),
  };
  const crop = (down === 0 ? image : image.at(place)).ink(cropHeight, contrast);
  const { gray, width, height } = crop;
  for (const { from, to } of boxes) {
    const left = Math.max(0, Math.floor(from * height) - 1);
    const right = Math.min(width, Math.ceil(to * height) + 1);
    for (let y = 0; y < height; y++) gray.fill(255, y * width + left, y * width + right);
  }
  return crop;
}

/** Corrects the recognizer's context guesses from the ink. */
function resolvedByShape(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  const steps = [
    withZerosResolved,
    withLookAlikesResolved,
    withDashesResolved,
    withRaisedFigures,
    withCountedSigns,
    withPrimesResolved,
    withBulletResolved,
  ];
  return steps.reduce((resolved, step) => step(resolved, crop), withoutParts(glyphs));
}

const withGlyphs = (reading: LineReading, glyphs: Glyph[]): LineReading => ({ ...reading, glyphs });

function blanksOf(crop: GrayImage): Blank[] {
  return gapsOf(crop).map(({ from, to }) => ({ from: from / crop.height, to: to / crop.height }));
}

/** The script of a line that the secondary recognizer read whole; undefined for others. */
export function scriptsOf({ checks, length }: LineReadings): ScriptShares | undefined {
  return checks.find(({ from, to }) => from === 0 && to === length)?.reading.scripts?.();
}

/** A reading without the characters of its neighbors. */
function within(from: number, to: number, { glyphs, ...reading }: LineReading): LineReading {
  const inside = glyphs.filter(({ center }) => center >= from && center <= to);
  return { ...reading, glyphs: inside.map((glyph, i) => (i === 0 ? { ...glyph, startsWord: true } : glyph)) };
}

/** A reading of a part of a line, with its distances measured from the line's edge. */
function movedBy(
  offset: number,
  { glyphs, likelihood, likeliestMark, ...reading }: LineReading,
): LineReading {
  return {
    ...reading,
    glyphs: glyphs.map((glyph) => ({ ...glyph, center: glyph.center + offset })),
    ...(likelihood && {
      likelihood: (text: string, from: number, to: number) => likelihood(text, from - offset, to - offset),
    }),
    ...(likeliestMark && {
      likeliestMark: (from: number, to: number) => likeliestMark(from - offset, to - offset),
    }),
  };
}

const aspect = ({ region }: LineImage): number => region.width / region.height;
