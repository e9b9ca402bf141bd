/** Builds lines from words, and texts from lines. */
import { meanConfidence } from '../reading/fuse.ts';
import type { Box, Layout, Line, Word } from '../types.ts';

/** @param words in reading order, at least one */
export function lineOf(words: Word[], paragraph: number): Line {
  return {
    text: words.map((word) => word.text).join(' '),
    confidence: meanConfidence(words),
    box: boundsAround(words.map((word) => word.box)),
    paragraph,
    words,
  };
}

/** Makes each table a paragraph of its own, whatever paragraphs the ordering gave its rows. */
export function withTablesApart(lines: readonly Line[], { tables }: Layout): Line[] {
  const tableOf = new Map(
    tables.flatMap(({ cells }, table) =>
      cells.flatMap(({ words }) => words.map(({ line }) => [line, table] as const)),
    ),
  );
  let paragraph = -1;
  return lines.map((line, at) => {
    const before = lines[at - 1];
    const table = tableOf.get(at);
    const continues =
      table === tableOf.get(at - 1) && (table !== undefined || before?.paragraph === line.paragraph);
    if (!before || !continues) paragraph += 1;
    return { ...line, paragraph };
  });
}

/** One line of text for each line, and an empty one between paragraphs. */
export function textOfLines(lines: readonly Line[]): string {
  return lines
    .map((line, index) => {
      const before = lines[index - 1];
      const opensParagraph = before !== undefined && before.paragraph !== line.paragraph;
      return opensParagraph ? `\n${line.text}` : line.text;
    })
    .join('\n');
}

export function boundsAround(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
