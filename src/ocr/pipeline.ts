import type { Lexicon, Lexicons } from './engines/lexicon.ts';
import type { PaddleModels } from './engines/paddle.ts';
import type { CropWord, GrayImage } from './engines/tesseract.ts';
import { OCR_ERRORS, OcrError } from './errors.ts';
import { cleaned, cutLine } from './stages/crop.ts';
import { type DecodeContext, decodePicture } from './stages/decode.ts';
import { detectText } from './stages/detect.ts';
import { fuseSegments } from './stages/fuse.ts';
import { type Region, wrapAngle } from './stages/geometry.ts';
import { orderLines } from './stages/order.ts';
import { type Orientation, orientPage } from './stages/orient.ts';
import { paragraphNumbers } from './stages/paragraphs.ts';
import type { Picture } from './stages/picture.ts';
import { placePiece, type ReadPiece } from './stages/place.ts';
import { FIRST_CONTRAST, FIRST_HEIGHT, type LineReadings, readRegions } from './stages/recognise.ts';
import { segmentLine, segmentsOf } from './stages/segments.ts';
import type { Box, HiddenText, Line, Notice, Recognition, Stage, Word } from './types.ts';

/** Tesseract on worker threads, as the stages see it. */
export interface Recognisers {
  /** Calls worth making at the same time. */
  readonly size: number;
  readLines(
    crops: readonly GrayImage[],
    languages: readonly string[],
    signal?: AbortSignal,
  ): Promise<CropWord[][]>;
}

export interface ReadOptions {
  languages: readonly string[];
  filter: boolean;
}

/** What a picture meets on its way: the machinery around the stages. */
export interface PipelineContext extends DecodeContext {
  recognisers: Recognisers;
  models: PaddleModels;
  lexicons: Lexicons;
  signal: AbortSignal;
  onStage(stage: Stage): void;
}

/**
 * One encoded picture to its text. Runs on the recognising process' main thread and only conducts: pixels are worked
 * on in sharp's, onnxruntime's and the recognisers' threads.
 * @throws {OcrError}
 */
export async function readPicture(
  bytes: Uint8Array,
  options: ReadOptions,
  context: PipelineContext,
): Promise<Recognition> {
  const startedAt = performance.now();
  context.onStage({ name: 'decoding' });
  const picture = await decodePicture(bytes, context);
  throwIfAborted(context.signal);

  context.onStage({ name: 'finding-lines' });
  const found = await detectText(picture, await context.models.detection());
  throwIfAborted(context.signal);
  const read = (crops: readonly GrayImage[]) =>
    context.recognisers.readLines(crops, options.languages, context.signal);
  const page = await orientPage(picture, found, {
    direction: await context.models.direction(),
    legibility: async (regions) => legibilityOf(await read(cropsOf(picture, regions))),
  });
  throwIfAborted(context.signal);

  const lexicon = context.lexicons.of(options.languages);
  const readings = await readRegions(picture, page.regions, {
    readLines: read,
    threads: context.recognisers.size,
    second: await context.models.recogniserFor(lexicon.letters),
    signal: context.signal,
    onProgress: (line) => context.onStage({ name: 'reading', line, of: page.regions.length }),
  });
  throwIfAborted(context.signal);

  context.onStage({ name: 'ordering' });
  const pieces = readings
    .map((reading) => pieceOf(reading, picture, page, lexicon))
    .filter((piece) => piece.words.length > 0);
  const all = linesInOrder(pieces, lexicon.rightToLeft);
  const { lines, hidden } = options.filter ? hideNoise(all) : { lines: all, hidden: [] };
  return {
    text: textOf(lines),
    confidence: meanConfidence(lines.flatMap((line) => line.words)),
    lines,
    hidden,
    image: { ...picture.original, rotation: (360 - page.quarters * 90) % 360 },
    language: options.languages.join('+'),
    notices: [...picture.notices, ...noticesOf(page, lines)],
    durationMs: performance.now() - startedAt,
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}

const cropsOf = (picture: Picture, regions: readonly Region[]): GrayImage[] =>
  regions.map((region) => cleaned(cutLine(picture, region, FIRST_HEIGHT), FIRST_CONTRAST));

/** Characters that were read with confidence: upside down there are few, and none is sure. */
function legibilityOf(lines: readonly CropWord[][]): number {
  return lines.flat().reduce((sum, { text, confidence }) => sum + text.length * confidence ** 2, 0);
}

function pieceOf(
  reading: LineReadings,
  picture: Picture,
  page: Orientation<Region>,
  lexicon: Lexicon,
): ReadPiece {
  const { region, first, second, blanks, length } = reading;
  const segments = second ? segmentLine(first, second, blanks, length) : segmentsOf(first, blanks, length);
  return placePiece(region, fuseSegments(segments, second, lexicon), picture, page.angle);
}

/** Pieces to lines, in the order in which a person would read them. */
function linesInOrder(pieces: readonly ReadPiece[], rightToLeft: boolean): Line[] {
  const textOf = ({ words }: ReadPiece) => words.map((word) => word.text).join(' ');
  const boxes = pieces.map((piece) => ({ ...piece.upright, text: textOf(piece) }));
  const ordered = orderLines(boxes, { rightToLeft }).map((line) => ({
    ...line,
    words: line.boxes.flatMap((index) => pieces[index]!.words),
  }));
  const placed = ordered.map(({ words, box, block }) => ({
    text: words.map((word) => word.text).join(' '),
    box,
    block,
  }));
  const paragraphs = paragraphNumbers(placed);
  return ordered.map(({ words }, index) => lineOf(words, paragraphs[index]!));
}

/** Slants that a person would notice, in radians. */
const NOTICED_SKEW = (1.5 * Math.PI) / 180;

function noticesOf(page: Orientation<Region>, lines: readonly Line[]): Notice[] {
  if (lines.length === 0) return [{ code: 'no_text', message: 'No text was found in this picture.' }];
  const notices: Notice[] = [];
  const { quarters, angle } = page;
  if (quarters !== 0) {
    const turn = quarters === 2 ? 'by 180 degrees' : 'by 90 degrees';
    notices.push({ code: 'turned', message: `The picture was turned ${turn} to read it.` });
  }
  if (Math.abs(wrapAngle(angle - (quarters * Math.PI) / 2)) > NOTICED_SKEW) {
    notices.push({
      code: 'straightened',
      message: 'The picture was slightly tilted and has been straightened.',
    });
  }
  return notices;
}

function lineOf(words: Word[], paragraph: number): Line {
  return {
    text: words.map((word) => word.text).join(' '),
    confidence: meanConfidence(words),
    box: boundsAround(words.map((word) => word.box)),
    paragraph,
    words,
  };
}

function boundsAround(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function meanConfidence(words: readonly Word[]): number {
  if (words.length === 0) return 0;
  return words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map((line, index) => {
      const opensParagraph = index > 0 && lines[index - 1]!.paragraph !== line.paragraph;
      return opensParagraph ? `\n${line.text}` : line.text;
    })
    .join('\n');
}

/** Under it tesseract's words are more often noise than text. */
const DOUBTFUL = 0.3;
/** Marks without a letter or digit have to be this certain. */
const DOUBTFUL_MARKS = 0.6;

/** Takes out words that are hardly text, and says where each belongs. */
function hideNoise(lines: readonly Line[]): { lines: Line[]; hidden: HiddenText[] } {
  const kept: Line[] = [];
  const hidden: HiddenText[] = [];
  for (const line of lines) {
    const words = line.words.filter((word) => !isNoise(word));
    if (words.length === 0) {
      const { text, confidence, box } = line;
      hidden.push({ text, confidence, box, reason: 'noise', at: { line: kept.length, word: null } });
      continue;
    }
    let position = 0;
    for (const word of line.words) {
      if (isNoise(word)) hidden.push({ ...word, reason: 'noise', at: { line: kept.length, word: position } });
      else position++;
    }
    kept.push(words.length === line.words.length ? line : lineOf(words, line.paragraph));
  }
  return { lines: kept, hidden };
}

function isNoise({ text, confidence }: Word): boolean {
  return confidence < (/[\p{L}\p{N}]/u.test(text) ? DOUBTFUL : DOUBTFUL_MARKS);
}
