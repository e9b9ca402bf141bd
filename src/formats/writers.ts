import type { FormatId } from '#contract/formats';
import type { WriterInput } from './writer-input.ts';

/** Writes the content of a file with at least one page; strings are stored as UTF-8. */
export type Writer = (pages: readonly WriterInput[]) => string | Uint8Array | Promise<string | Uint8Array>;

const WITH_TABLES: ReadonlySet<FormatId> = new Set(['csv', 'docx', 'json', 'markdown', 'xlsx']);

/** Whether a format needs tables, which the caller then has to find. */
export const needsTables = (id: FormatId): boolean => WITH_TABLES.has(id);

/** Each writer with its libraries, imported on first use. */
const WRITERS: Record<FormatId, () => Promise<Writer>> = {
  pdf: async () => (await import('./pdf.ts')).writePdf,
  docx: async () => (await import('./docx.ts')).writeDocx,
  xlsx: async () => (await import('./xlsx.ts')).writeXlsx,
  csv: async () => (await import('./csv.ts')).writeCsv,
  markdown: async () => (await import('./markdown.ts')).writeMarkdown,
  json: async () => (await import('./json.ts')).writeJson,
  hocr: async () => (await import('./hocr.ts')).writeHocr,
  alto: async () => (await import('./alto.ts')).writeAlto,
};

export const loadWriter = (id: FormatId): Promise<Writer> => WRITERS[id]();
