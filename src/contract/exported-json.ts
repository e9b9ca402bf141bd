import { z } from 'zod';
import { boxSchema } from './extraction.ts';

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
            words: z.array(exportedWordSchema),
          }),
        ),
      }),
    )
    .describe('In the order of reading; lines are those of the picture.'),
  tables: z.array(z.object({ rows: z.array(z.array(z.string())) })),
});
export type ExportedJson = z.infer<typeof exportedJsonSchema>;
