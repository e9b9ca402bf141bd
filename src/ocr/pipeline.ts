import type { CropWord, GrayImage, PageLine, PageWord } from './engines/tesseract.ts';
import { OCR_ERRORS, OcrError } from './errors.ts';
import { type DecodeContext, decodePicture } from './stages/decode.ts';
import type { Picture } from './stages/picture.ts';
import type { Box, HiddenText, Line, Recognition, Stage, Word } from './types.ts';

/** Tesseract on worker threads, as the stages see it. */
export interface Recognisers {
  readPage(page: GrayImage, languages: readonly string[], signal?: AbortSignal): Promise<PageLine[]>;
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
  signal: AbortSignal;
  onStage(stage: Stage): void;
}

/**
 * One encoded picture to its text. Runs on the recognising process' main thread and only conducts: pixels are worked
 * on in sharp's and the recognisers' threads.
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
  const pageLines = await context.recognisers.readPage(picture, options.languages, context.signal);
  throwIfAborted(context.signal);

  context.onStage({ name: 'ordering' });
  const all = pageLines.map((line) => toLine(line, picture));
  const { lines, hidden } = options.filter ? hideNoise(all) : { lines: all, hidden: [] };
  const notices = [...picture.notices];
  if (lines.length === 0) {
    notices.push({ code: 'no_text', message: 'No text was found in this picture.' });
  }
  return {
    text: textOf(lines),
    confidence: meanConfidence(lines.flatMap((line) => line.words)),
    lines,
    hidden,
    image: { ...picture.original, rotation: 0 },
    language: options.languages.join('+'),
    notices,
    durationMs: performance.now() - startedAt,
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}

function toLine({ paragraph, box, words }: PageLine, picture: Picture): Line {
  return lineOf(
    words.map((word) => toWord(word, picture)),
    inOriginal(box, picture),
    paragraph,
  );
}

function toWord({ text, confidence, box }: PageWord, picture: Picture): Word {
  return { text, confidence, box: inOriginal(box, picture) };
}

function lineOf(words: Word[], box: Box, paragraph: number): Line {
  return {
    text: words.map((word) => word.text).join(' '),
    confidence: meanConfidence(words),
    box,
    paragraph,
    words,
  };
}

/** A box of the working picture in the pixels of the picture as it came. */
function inOriginal(box: Box, { scale, original }: Picture): Box {
  const x = Math.min(original.width, Math.round(box.x / scale));
  const y = Math.min(original.height, Math.round(box.y / scale));
  return {
    x,
    y,
    width: Math.min(original.width - x, Math.round(box.width / scale)),
    height: Math.min(original.height - y, Math.round(box.height / scale)),
  };
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
    kept.push(words.length === line.words.length ? line : lineOf(words, line.box, line.paragraph));
  }
  return { lines: kept, hidden };
}

function isNoise({ text, confidence }: Word): boolean {
  return confidence < (/[\p{L}\p{N}]/u.test(text) ? DOUBTFUL : DOUBTFUL_MARKS);
}
