import { harmlessWhereverParted, withoutUnspeakable } from './markup.ts';
import type { Material } from './material.ts';

/**
 * Every table, an empty row between them; as RFC 4180 has it, in UTF-8 with the mark that spreadsheets know it by. Spreadsheets
 * part cells by semicolons or tabs where they are set so: what could part a cell or be calculated is in quotes.
 */
export function writeCsv(pages: readonly Material[]): string {
  const written = pages
    .flatMap(({ tables }) => tables)
    .map(({ rows }) => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join(''));
  return `\ufeff${written.join('\r\n')}`;
}

/** Words and numbers, which are no part of a formula even behind a cell that a reader takes for its beginning. */
const BARE = /^-?(?!\s)[\p{L}\p{M}\p{N} .%€$£’]*(?<!\s)$/u;

function cellOf(text: string): string {
  const safe = harmlessWhereverParted(withoutControls(text));
  return BARE.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}

/** Tabs and line breaks stay: a person may have typed them. */
const withoutControls = (text: string) => withoutUnspeakable(text).replaceAll(/[\u007f-\u009f]/g, '');
