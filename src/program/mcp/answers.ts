/** Results for a language model: text with marks for doubtful words and unread regions, and structured data with boxes. */

import { z } from 'zod';
import { DOUBTFUL_BELOW } from '#contract/product';
import { itemAt } from '#formats/checked';
import { positionedTextOf } from '#formats/positioned-text';
import { findTables } from '#formats/tables';
import { toExtraction } from '../../answer/answer.ts';
import type { Line, Recognition } from '../../library/engine.ts';

const box = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe('Pixels of the upright image, from its top left corner. A PDF page has 300 dots per inch.');
const percent = z.number().describe('0 to 100: the calibrated probability that it is right.');

export const pageSchema = z.object({
  page: z.int().describe('From 1.'),
  of: z.int(),
  text: z.string(),
  confidence: percent,
  width: z.int(),
  height: z.int(),
  rotation: z.number().describe('Degrees clockwise by which the page was turned to be read.'),
  language: z.string(),
  lines: z.array(z.object({ text: z.string(), confidence: percent, box })),
  doubtful: z.array(z.object({ text: z.string(), confidence: percent, box, readings: z.array(z.string()) })),
  unread: z.array(z.object({ box, why: z.string(), script: z.string().optional() })),
  tables: z.array(
    z.object({
      markdown: z.string(),
      rows: z.array(z.array(z.string())),
      headerRows: z.int(),
      confidence: percent,
      box,
    }),
  ),
  notices: z.array(z.string()),
});
export type PageAnswer = z.infer<typeof pageSchema>;

/** One page as structured data. `page`: its number, from 1; `of`: the number of pages. */
export async function answerOf(recognition: Recognition, page: number, of: number): Promise<PageAnswer> {
  const { image, language, notices } = recognition;
  const extraction = toExtraction(recognition);
  const { markdownOfTable } = await import('#formats/markdown');
  const tables = findTables(positionedTextOf({ extraction, name: '' }));
  return {
    page,
    of,
    text: recognition.text,
    confidence: extraction.confidence,
    ...image,
    language,
    lines: extraction.lines.map(({ text, confidence, box }) => ({ text, confidence, box })),
    doubtful: extraction.lines
      .flatMap(({ words }) => words)
      .filter(({ confidence }) => confidence < DOUBTFUL_BELOW)
      .map(({ text, confidence, box, readings = [] }) => ({
        text,
        confidence,
        box,
        readings: [...readings],
      })),
    unread: recognition.unread,
    tables: tables.map(({ rows, headerRows, confidence, box }) => ({
      markdown: markdownOfTable({ rows, headerRows }),
      rows: rows.map((row) => [...row]),
      headerRows,
      confidence,
      box,
    })),
    notices: notices.map(({ message }) => message),
  };
}

/** The text for a model: `word[?]` is doubtful; unread regions are listed below the text. */
export function markedText({ lines, unread }: Recognition): string {
  const text = lines
    .map(
      (line, at) =>
        `${at > 0 && itemAt(lines, at - 1).paragraph !== line.paragraph ? '\n' : ''}${markedLine(line)}`,
    )
    .join('\n');
  const places = unread.map(({ box: { x, y, width, height }, why, script }) => {
    const reason = why === 'other_script' ? `${script ?? 'another'} script` : 'not legible';
    return `[unread: ${reason}, at x ${x}, y ${y}, ${width} × ${height}]`;
  });
  return [text, ...places].filter(Boolean).join('\n');
}

function markedLine({ text, words }: Line): string {
  let marked = '';
  let from = 0;
  for (const word of words) {
    const at = text.indexOf(word.text, from);
    if (at < 0) continue;
    const end = at + word.text.length;
    marked += text.slice(from, end);
    if (100 * word.confidence < DOUBTFUL_BELOW) marked += '[?]';
    from = end;
  }
  return marked + text.slice(from);
}
