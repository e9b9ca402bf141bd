import { z } from 'zod';
import { FORMATS } from './formats.ts';

/*
 * The formats of a response with a text: the page's JSON, plain text, and the file formats of `formats.ts`.
 */

interface AnswerFormat {
  name: string;
  /** Media type without parameters. */
  type: string;
  premium: boolean;
}

const withoutParameters = (mediaType: string): string => mediaType.split(';', 1).join();

const fromFileFormat = <Id extends keyof typeof FORMATS>(id: Id): AnswerFormat => {
  const { name, mediaType, premium } = FORMATS[id];
  return { name, type: withoutParameters(mediaType), premium };
};

/** In order of preference for a client that accepts anything. */
export const ANSWER_FORMATS = {
  json: { name: 'JSON', type: 'application/json', premium: false },
  text: { name: 'Plain text', type: 'text/plain', premium: false },
  markdown: fromFileFormat('markdown'),
  hocr: fromFileFormat('hocr'),
  alto: fromFileFormat('alto'),
  pdf: fromFileFormat('pdf'),
  csv: fromFileFormat('csv'),
  xlsx: fromFileFormat('xlsx'),
  docx: fromFileFormat('docx'),
} as const satisfies Record<string, AnswerFormat>;

/** Formats of a document besides JSON, by their types. */
export const OTHER_ANSWER_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(ANSWER_FORMATS)
    .filter(({ type }) => type !== ANSWER_FORMATS.json.type)
    .map(({ type, name }) => [type, name]),
);

export type AnswerFormatId = keyof typeof ANSWER_FORMATS;

/** Whether a format contains only tables, so that it needs one. */
export const needsTable = (id: AnswerFormatId): boolean =>
  id in FORMATS && FORMATS[id as keyof typeof FORMATS].needs === 'table';

export const answerFormatSchema = z.enum([
  'json',
  'text',
  'markdown',
  'hocr',
  'alto',
  'pdf',
  'csv',
  'xlsx',
  'docx',
] satisfies AnswerFormatId[]);
