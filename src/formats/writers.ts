import type { FormatId } from '#contract/formats';
import type { Jpeg } from './jpeg.ts';
import type { PngPixels } from './png.ts';
import type { Table } from './tables.ts';
import type { Transcript } from './transcript.ts';

/** What a page of a file is written from. */
export interface Material {
  transcript: Transcript;
  tables: readonly Table[];
  /** For formats that hold the picture itself; null for the others. */
  picture: Jpeg | PngPixels | null;
  /** How large the page is to be in a PDF, upright; left out where nobody knows: a sheet of A4 at most. */
  points?: { width: number; height: number };
}

/** A file's content from at least one page: text is to be stored in UTF-8. */
export type Writer = (pages: readonly Material[]) => string | Uint8Array | Promise<string | Uint8Array>;

const WITH_TABLES: ReadonlySet<FormatId> = new Set(['csv', 'docx', 'json', 'markdown', 'xlsx']);

/** Whether a format is written from the tables too: who makes its material has to find them. */
export const holdsTables = (id: FormatId): boolean => WITH_TABLES.has(id);

/** Each writer with its libraries, fetched when it is asked for. */
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
