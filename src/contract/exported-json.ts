import { z } from 'zod';
import { boxSchema, rubySchema } from './extraction.ts';

/** Of the format's shape; a change that a reader of the earlier one would stumble over raises it. */
export const EXPORTED_JSON_VERSION = 1;

const percentSchema = z.int().min(0).max(100);

const exportedWordSchema = z.object({
  text: z.string(),
  box: boxSchema.nullable().describe('Null for a word that a person added.'),
  confidence: percentSchema.nullable().describe('Null for a word that a person wrote.'),
  read: z.string().optional().describe('What was read in its place, where a person wrote something else.'),
  readings: z
    .array(z.string())
    .optional()
    .describe('What else a doubtful word could say that stands as it was read, the likelier ones first.'),
  ruby: z.array(rubySchema).optional().describe('Of a word that stands as it was read.'),
});

/** The JSON file that a text can be taken away in. Boxes are in pixels of the picture as a person sees it. */
export const exportedJsonSchema = z.object({
  format: z.literal('glyphlift-text'),
  version: z.literal(EXPORTED_JSON_VERSION),
  text: z.string().describe('As it stands, edits included.'),
  languages: z.array(z.string()).describe('As the web names them; the main one first.'),
  confidence: percentSchema.describe('Of what was read.'),
  picture: z.object({
    name: z.string(),
    width: z.int(),
    height: z.int(),
    rotation: z.number().describe('Degrees clockwise by which it was turned to read it.'),
  }),
  paragraphs: z
    .array(
      z.object({
        lines: z.array(
          z.object({
            text: z.string(),
            box: boxSchema.nullable().describe('Around the words that have a place.'),
            indent: z
              .int()
              .positive()
              .optional()
              .describe('By how many steps it begins further in than the lines around it.'),
            words: z.array(exportedWordSchema),
          }),
        ),
      }),
    )
    .describe('In the order of reading; lines are those of the picture.'),
  tables: z.array(
    z.object({
      rows: z.array(z.array(z.string())),
      headerRows: z.int().nonnegative().describe('Rows at its top that say what the columns hold.'),
      box: boxSchema,
      confidence: percentSchema.describe(
        'The share of its cells that were expected to be right as they were read.',
      ),
      cells: z
        .array(
          z.object({
            row: z.int().nonnegative(),
            column: z.int().nonnegative(),
            rowSpan: z.int().positive(),
            columnSpan: z.int().positive(),
            box: boxSchema.describe('Around the cell, not the words in it.'),
            text: z.string(),
          }),
        )
        .describe('Those with something in them.'),
    }),
  ),
  headings: z.array(
    z.object({ text: z.string(), level: z.int().positive(), box: boxSchema, confidence: percentSchema }),
  ),
  listItems: z.array(
    z.object({
      text: z.string(),
      mark: z.string().describe('As it was read; `text` begins with it.'),
      level: z.int().positive(),
      box: boxSchema,
      confidence: percentSchema,
    }),
  ),
  fields: z
    .array(z.object({ label: z.string(), value: z.string(), box: boxSchema, confidence: percentSchema }))
    .describe('What a form asks for, and what stands there.'),
});
export type ExportedJson = z.infer<typeof exportedJsonSchema>;
