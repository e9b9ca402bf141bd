import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Extraction, extractionSchema } from '#contract/extraction';
import { type MappedText, mapText, piecesOf } from '#formats/pieces';
import { type PositionedText, positionedTextOf } from '#formats/positioned-text';
import { fromUpright, toUpright } from '#formats/upright';
import { toExtraction } from '../../src/answer/answer.ts';
import { layoutOf, NOTHING_DRAWN } from '../../src/ocr/layout/page-layout.ts';
import type { Line, Word } from '../../src/ocr/types.ts';
import { recognitionOf } from './server-engine.ts';

/** Recorded results of the engine for generated pictures. `turned` and `slanted` show the same four lines. */
export function recordedExtraction(
  name: 'code' | 'columns' | 'form' | 'note' | 'order' | 'slanted' | 'table' | 'turned',
): Extraction {
  const file = path.join(process.cwd(), 'tests/fixtures/extractions', `${name}.json`);
  return withLayout(extractionSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

/** Adds the layout that the engine derives from the word boxes alone, on a picture without ruling lines. */
function withLayout(extraction: Extraction): Extraction {
  const { lines, image } = extraction;
  const asRead = lines.map(
    (line): Line => ({
      ...line,
      words: line.words.map(({ text, box }): Word => ({ text, box, confidence: 0.9 })),
    }),
  );
  const layout = layoutOf({
    lines: asRead,
    placeOf: ({ box }) => ({ box: toUpright(box, image), block: 0 }),
    picture: {
      width: image.width,
      height: image.height,
      gray: new Uint8Array(image.width * image.height).fill(255),
      rgb: new Uint8Array(0),
      original: image,
      scale: 1,
      notices: [],
    },
    flat: {
      boxOf: () => ({ x: 0, y: 0, width: 0, height: 0 }),
      onPicture: (point) => fromUpright({ ...point, width: 0, height: 0 }, image),
      inPerspective: false,
    },
    rules: NOTHING_DRAWN.rules,
  });
  return { ...extraction, layout: toExtraction(recognitionOf('', { layout })).layout };
}

/** An extraction of the given lines: words with their left edge and width. Words are 40 pixels high, lines 60 apart. */
export function extractionOf(
  language: string,
  lines: readonly (readonly [text: string, x: number, width: number])[][],
): Extraction {
  const placed = lines.map((words, row) =>
    words.map(([text, x, width]) => ({
      text,
      confidence: 90,
      box: { x, y: 20 + 60 * row, width, height: 40 },
    })),
  );
  const text = lines.map((words) => words.map(([word]) => word).join(' '));
  return withLayout({
    extractedText: text.join('\n'),
    wordCount: 1,
    confidence: 90,
    lines: placed.map((words, row) => ({
      text: text[row]!,
      confidence: 90,
      box: words[0]!.box,
      paragraph: 0,
      words,
    })),
    hidden: [],
    image: { width: 800, height: 60 * (lines.length + 1), rotation: 0 },
    language,
    durationMs: 0,
    notices: [],
  });
}

/** The text after typing: `from` becomes `to` within its word. */
export function retyped(extraction: Extraction, from: string, to: string): MappedText {
  const { text, marks } = mapText(extraction.extractedText, piecesOf(extraction));
  const at = text.indexOf(from);
  const shift = to.length - from.length;
  return {
    text: text.replace(from, to),
    marks: marks.map((mark) => ({
      ...mark,
      start: mark.start > at ? mark.start + shift : mark.start,
      end: mark.end > at ? mark.end + shift : mark.end,
    })),
  };
}

export const positionedTextFrom = (extraction: Extraction, edited?: MappedText): PositionedText =>
  positionedTextOf({ extraction, name: 'picture.jpg', ...(edited && { edited }) });
