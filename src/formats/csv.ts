import { escapeFormulas, withoutInvalidXmlCharacters } from './markup.ts';
import type { Material } from './material.ts';

/**
 * Every table, with an empty row between them; RFC 4180, in UTF-8 with a byte order mark. Some spreadsheets separate cells by
 * semicolons or tabs: text that could separate cells or be evaluated is quoted.
 */
export function writeCsv(pages: readonly Material[]): string {
  const written = pages
    .flatMap(({ tables }) => tables)
    .map(({ rows }) => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join(''));
  return `\ufeff${written.join('\r\n')}`;
}

/** Words and numbers, which cannot be part of a formula, even behind a cell that a reader takes for its start. */
const BARE = /^-?(?!\s)[\p{L}\p{M}\p{N} .%€$£’]*(?<!\s)$/u;

function cellOf(text: string): string {
  const safe = escapeFormulas(withoutControls(text));
  return BARE.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}

/** Tabs and line breaks stay: a user may have typed them. */
const withoutControls = (text: string) =>
  withoutInvalidXmlCharacters(text).replaceAll(/[\u007f-\u009f]/g, '');
