/*
 * File formats of a text, except for plain text: their names, and which of them are premium.
 */

interface Format {
  name: string;
  extension: string;
  mediaType: string;
  goodFor: string;
  premium: boolean;
  /** Required to write the format: the picture, a table, or the positions of the words. */
  needs: 'picture' | 'table' | 'places' | null;
}

/** In the order in which they are offered. */
export const FORMATS = {
  pdf: {
    name: 'Searchable PDF',
    extension: 'pdf',
    mediaType: 'application/pdf',
    goodFor: 'The picture, with searchable text',
    premium: true,
    needs: 'picture',
  },
  docx: {
    name: 'Word',
    extension: 'docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    goodFor: 'To go on writing',
    premium: true,
    needs: null,
  },
  xlsx: {
    name: 'Excel',
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    goodFor: 'The table, with real numbers',
    premium: true,
    needs: 'table',
  },
  csv: {
    name: 'CSV',
    extension: 'csv',
    mediaType: 'text/csv;charset=utf-8',
    goodFor: 'The table, for any spreadsheet',
    premium: false,
    needs: 'table',
  },
  markdown: {
    name: 'Markdown',
    extension: 'md',
    mediaType: 'text/markdown;charset=utf-8',
    goodFor: 'For notes and wikis',
    premium: false,
    needs: null,
  },
  json: {
    name: 'JSON',
    extension: 'json',
    mediaType: 'application/json',
    goodFor: 'For programs: words, places, confidence',
    premium: false,
    needs: 'places',
  },
  hocr: {
    name: 'hOCR',
    extension: 'hocr',
    mediaType: 'application/xhtml+xml',
    goodFor: 'For OCR tools: words in place, as HTML',
    premium: false,
    needs: 'places',
  },
  alto: {
    name: 'ALTO',
    extension: 'alto.xml',
    mediaType: 'application/xml',
    goodFor: 'For archives: words in place, as XML',
    premium: false,
    needs: 'places',
  },
} as const satisfies Record<string, Format>;

export type FormatId = keyof typeof FORMATS;

export const FORMAT_IDS = Object.keys(FORMATS).filter((id): id is FormatId => id in FORMATS);
