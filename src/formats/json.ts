import type { ExportedJson } from '#contract/exported-json';
import type { TranscriptLine } from './transcript.ts';
import { boundsOf } from './upright.ts';
import type { Material } from './writers.ts';

/**
 * Everything that is known of the text, for programs; `contract/exported-json.ts` says what each field means. Several pages
 * stand in a list of their own.
 */
export function writeJson(pages: readonly Material[]): string {
  const [first, ...others] = pages.map(contentOf);
  const content =
    others.length === 0 ? first : { format: 'glyphlift-pages', version: 1, pages: [first, ...others] };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function contentOf({ transcript, tables }: Material): ExportedJson {
  const { text, languages, confidence, picture, paragraphs } = transcript;
  return {
    format: 'glyphlift-text',
    version: 1,
    text,
    languages: [...languages],
    confidence,
    picture,
    paragraphs: paragraphs.map(({ lines }) => ({ lines: lines.map(lineOf) })),
    tables: tables.map(({ rows }) => ({ rows: rows.map((row) => [...row]) })),
  };
}

const lineOf = ({ words }: TranscriptLine) => ({
  text: words
    .map(({ text, spaced }) => (spaced ? `${text} ` : text))
    .join('')
    .trimEnd(),
  box: boundsOf(words.filter(({ placed }) => placed).map(({ box }) => box)),
  words: words.map(({ text, box, placed, confidence, read, readings }) => ({
    text,
    box: placed ? box : null,
    confidence,
    ...(read !== null && { read }),
    ...(readings.length > 0 && { readings: [...readings] }),
  })),
});
