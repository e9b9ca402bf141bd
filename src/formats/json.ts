import type { ExportedJson } from '#contract/exported-json';
import type { TranscriptLine } from './transcript.ts';
import { boundsOf } from './upright.ts';
import type { Material } from './writers.ts';

/** Everything that is known of the text, for programs; `contract/exported-json.ts` says what each field means. */
export function writeJson({ transcript, tables }: Material): string {
  const { text, languages, confidence, picture, paragraphs } = transcript;
  const content: ExportedJson = {
    format: 'glyphlift-text',
    version: 1,
    text,
    languages: [...languages],
    confidence,
    picture,
    paragraphs: paragraphs.map(({ lines }) => ({ lines: lines.map(lineOf) })),
    tables: tables.map(({ rows }) => ({ rows: rows.map((row) => [...row]) })),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
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
