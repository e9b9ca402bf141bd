import { escapeFormulas, withoutInvalidXmlCharacters } from './markup.ts';
import type { WriterInput } from './writer-input.ts';

/**
 * All tables, separated by an empty row; RFC 4180, in UTF-8 with a byte order mark. Text with possible separators or formulas
 * is quoted, because some spreadsheets use semicolons or tabs.
 */
export function writeCsv(pages: readonly WriterInput[]): string {
  const written = pages
    .flatMap(({ tables }) => tables)
    .map(({ rows }) => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join(''));
  return `\ufeff${written.join('\r\n')}`;
}

/** Words and numbers, which cannot be part of a formula, whatever the reader's separator. */
const UNQUOTED = /^-?(?!\s)[\p{L}\p{M}\p{N} .%€$£’]*(?<!\s)$/u;

function cellOf(text: string): string {
  const safe = escapeFormulas(withoutControls(text));
  return UNQUOTED.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`;
}

/** Keeps tabs and line breaks, which a user may have typed. */
const withoutControls = (text: string) =>
  withoutInvalidXmlCharacters(text).replaceAll(/[\u007f-\u009f]/g, '');
