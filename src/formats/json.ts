import type { ExportedJson } from '#contract/exported-json';
import { boundsOf } from '#geometry/boxes';
import { required } from './checked.ts';
import type { PositionedText, PositionedTextLine, PositionedTextWord } from './positioned-text.ts';
import { textOf } from './tables.ts';
import type { WriterInput } from './writer-input.ts';

/** All data of the text, for programs; `contract/exported-json.ts` documents each field. Several pages form a list. */
export function writeJson(pages: readonly WriterInput[]): string {
  const [first, ...others] = pages.map(contentOf);
  const content =
    others.length === 0 ? first : { format: 'glyphlift-pages', version: 1, pages: [first, ...others] };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function contentOf({ positionedText, tables }: WriterInput): ExportedJson {
  const { text, languages, confidence, picture, paragraphs, layout } = positionedText;
  const current = currentText(positionedText);
  const steps = new Map(layout.indents.map((indent) => [indent.line, indent.steps]));
  return {
    format: 'glyphlift-text',
    version: 1,
    text,
    languages: [...languages],
    confidence,
    picture,
    paragraphs: paragraphs.map(({ lines }) => ({ lines: lines.map((line) => lineOf(line, steps)) })),
    tables: tables.map((table) => ({
      rows: table.rows.map((row) => [...row]),
      headerRows: table.headerRows,
      box: table.box,
      confidence: table.confidence,
      cells: table.cells.map(({ words: _, ...cell }) => cell),
    })),
    // Text that a user removed is no longer a heading, item or field.
    headings: layout.headings
      .map(({ lines, ...heading }) => ({ text: current.lines(lines), ...heading }))
      .filter((heading) => heading.text !== ''),
    listItems: layout.listItems
      .map(({ lines, ...item }) => ({ text: current.lines(lines), ...item }))
      .filter((item) => item.text !== ''),
    fields: layout.fields
      .map(({ label, value, ...field }) => ({
        label: current.words(label),
        value: current.words(value),
        ...field,
      }))
      .filter((field) => field.label !== ''),
  };
}

type Run = { line: number; from: number; to: number };

/** The current text of recognized words and lines. */
function currentText({ paragraphs }: PositionedText) {
  const byLine = new Map<number, PositionedTextWord[]>();
  for (const word of paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words))) {
    if (word.source) byLine.set(word.source.line, [...(byLine.get(word.source.line) ?? []), word]);
  }
  const wordsInRun = ({ line, from, to }: Run) =>
    (byLine.get(line) ?? []).filter(
      ({ source }) => required(source).word >= from && required(source).word < to,
    );
  return {
    words: (runs: readonly Run[]) => textOf(runs.flatMap(wordsInRun)),
    lines: ({ from, to }: { from: number; to: number }) =>
      textOf(Array.from({ length: to - from }, (_, i) => byLine.get(from + i) ?? []).flat()),
  };
}

const lineOf = ({ words }: PositionedTextLine, steps: ReadonlyMap<number, number>) => ({
  text: words
    .map(({ text, spaced }) => (spaced ? `${text} ` : text))
    .join('')
    .trimEnd(),
  ...indentOf(words, steps),
  box: boundsOf(words.filter(({ placed }) => placed).map(({ box }) => box)),
  words: words.map(({ text, box, placed, confidence, read, readings, ruby }) => ({
    text,
    box: placed ? box : null,
    confidence,
    ...(read !== null && { read }),
    ...(readings.length > 0 && { readings: [...readings] }),
    ...(ruby && { ruby: [...ruby] }),
  })),
});

function indentOf(words: readonly PositionedTextWord[], steps: ReadonlyMap<number, number>) {
  const indent = steps.get(words.find(({ source }) => source)?.source?.line ?? -1);
  return indent === undefined ? {} : { indent };
}
