import type { FormatId } from '#contract/formats';
import type { Material } from './material.ts';

/** A file's content from at least one page; a string is to be stored in UTF-8. */
export type Writer = (pages: readonly Material[]) => string | Uint8Array | Promise<string | Uint8Array>;

const WITH_TABLES: ReadonlySet<FormatId> = new Set(['csv', 'docx', 'json', 'markdown', 'xlsx']);

/** Whether a format needs the tables, which its caller then has to find. */
export const holdsTables = (id: FormatId): boolean => WITH_TABLES.has(id);

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
