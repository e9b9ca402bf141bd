import { z } from 'zod';
import { boxSchema, rubySchema } from './extraction.ts';

/** Version of the format; raised by incompatible changes. */
export const EXPORTED_JSON_VERSION = 1;

const percentSchema = z.int().min(0).max(100);

const exportedWordSchema = z.object({
  text: z.string(),
  box: boxSchema.nullable().describe('Null for a word that was added by hand.'),
  confidence: percentSchema.nullable().describe('Null for a word that was written by hand.'),
  read: z.string().optional().describe('The recognized word, if it was corrected.'),
  readings: z
    .array(z.string())
    .optional()
    .describe('Other readings of a doubtful word that was not corrected, the likeliest first.'),
  ruby: z.array(rubySchema).optional().describe('Only for a word that was not corrected.'),
});

/** The JSON file of an exported text. Boxes are in pixels of the picture after its EXIF orientation. */
export const exportedJsonSchema = z.object({
  format: z.literal('glyphlift-text'),
  version: z.literal(EXPORTED_JSON_VERSION),
  text: z.string().describe('The text with corrections.'),
  languages: z.array(z.string()).describe('BCP 47 tags, the main one first.'),
  confidence: percentSchema.describe('Of the recognized text, before corrections.'),
  picture: z.object({
    name: z.string(),
    width: z.int(),
    height: z.int(),
    rotation: z.number().describe('Degrees clockwise by which the image was turned for reading.'),
  }),
  paragraphs: z
    .array(
      z.object({
        lines: z.array(
          z.object({
            text: z.string(),
            box: boxSchema.nullable().describe('Around the words that have a box.'),
            indent: z
              .int()
              .positive()
              .optional()
              .describe('Steps of indentation, compared with the lines around it.'),
            words: z.array(exportedWordSchema),
          }),
        ),
      }),
    )
    .describe('In reading order; lines are those of the image.'),
  tables: z.array(
    z.object({
      rows: z.array(z.array(z.string())),
      headerRows: z.int().nonnegative().describe('Number of header rows at the top.'),
      box: boxSchema,
      confidence: percentSchema.describe('The expected percentage of correct cells, before corrections.'),
      cells: z
        .array(
          z.object({
            row: z.int().nonnegative(),
            column: z.int().nonnegative(),
            rowSpan: z.int().positive(),
            columnSpan: z.int().positive(),
            box: boxSchema.describe('Of the cell, not of its words.'),
            text: z.string(),
          }),
        )
        .describe('Cells that are not empty.'),
    }),
  ),
  headings: z.array(
    z.object({ text: z.string(), level: z.int().positive(), box: boxSchema, confidence: percentSchema }),
  ),
  listItems: z.array(
    z.object({
      text: z.string(),
      mark: z.string().describe('As read; `text` begins with it.'),
      level: z.int().positive(),
      box: boxSchema,
      confidence: percentSchema,
    }),
  ),
  fields: z
    .array(z.object({ label: z.string(), value: z.string(), box: boxSchema, confidence: percentSchema }))
    .describe('The labels of a form and their values.'),
});
export type ExportedJson = z.infer<typeof exportedJsonSchema>;
