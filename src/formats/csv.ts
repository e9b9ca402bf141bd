import { harmless } from './markup.ts';
import type { Material } from './material.ts';

/** Every table, an empty row between them; as RFC 4180 has it, in UTF-8 with the mark that spreadsheets know it by. */
export function writeCsv(pages: readonly Material[]): string {
  const written = pages
    .flatMap(({ tables }) => tables)
    .map(({ rows }) => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join(''));
  return `\ufeff${written.join('\r\n')}`;
}

function cellOf(text: string): string {
  const safe = harmless(text);
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
