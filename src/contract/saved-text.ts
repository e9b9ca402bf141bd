import { z } from 'zod';
import { boxSchema, extractionSchema, layoutTableSchema } from './extraction.ts';

const nameSchema = z.string().trim().min(1, { error: 'Please give the text a name' }).max(200);

const textSchema = z.string().min(1, { error: 'There is no text to save' }).max(1_000_000);

/** `[start, end)` in UTF-16 units. */
const markSchema = z.object({ start: z.int().nonnegative(), end: z.int().positive() });

const pieceNumber = z.int().nonnegative();

/** A text and the range of each of its pieces. */
const mappedSchema = z.object({
  text: z.string(),
  marks: z.array(markSchema.extend({ piece: pieceNumber })),
});

/** Edits of a recognized text. Pieces are words and hidden runs, in reading order. */
const savedWorkSchema = z.object({
  mapped: mappedSchema,
  layout: z.enum(['lines', 'paragraphs', 'page']),
  lines: mappedSchema
    .nullable()
    .describe('For the layout of the page: the lines from which it was laid out.'),
  filled: z
    .array(
      z.object({
        text: z.string(),
        confidence: z.number(),
        box: boxSchema,
        line: z.number(),
        paragraph: z.number(),
        hidden: z.enum(['line', 'word']).nullable(),
        readings: z.array(z.string()),
      }),
    )
    .describe('Text written into empty cells of tables.'),
  notTables: z.array(pieceNumber).describe('Pieces of rejected tables.'),
  tables: z
    .array(layoutTableSchema)
    .optional()
    .describe('Tables with changed rows, columns or cells; absent without changes.'),
  checked: z.array(pieceNumber).describe('Doubtful words that were confirmed.'),
});
export type SavedWork = z.infer<typeof savedWorkSchema>;

/** The extraction of a text, which keeps tables, layout and empty cells; never the image. */
const savedReadingSchema = z.object({
  extraction: extractionSchema,
  work: savedWorkSchema.nullable().describe('Null without edits.'),
});
export type SavedReading = z.infer<typeof savedReadingSchema>;

/** A text has no more words than characters. */
const doubtfulSchema = z.int().nonnegative().max(1_000_000);

/** Maximum JSON size of an extraction that is saved with its text. */
export const MAX_READING_BYTES = 8 * 1024 * 1024;

/** `POST /api/texts`: opt-in, one result at a time; never an image. */
export const saveTextRequestSchema = z.object({
  name: nameSchema,
  text: textSchema,
  language: z.string().max(100).optional(),
  reading: savedReadingSchema.optional(),
  doubtful: doubtfulSchema
    .optional()
    .describe('Doubtful words of the reading that were neither changed nor confirmed, for the list.'),
});

/** `PATCH /api/texts/{id}`: omitted fields stay as they are. */
export const changeTextRequestSchema = z.object({
  name: nameSchema.optional(),
  text: textSchema.optional(),
  version: z
    .int()
    .positive()
    .optional()
    .describe(
      'Version of the text that was changed. If it is no longer the current one, the call is refused; omit it to overwrite.',
    ),
  work: savedWorkSchema.optional().describe('Edits of a text that was saved with its reading.'),
  doubtful: doubtfulSchema
    .optional()
    .describe('Remaining doubtful words. A change without it makes their number unknown.'),
});

export const savedTextSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The first 200 characters. */
  preview: z.string(),
  bytes: z.int().nonnegative(),
  language: z.string(),
  createdAt: z.iso.datetime(),
  version: z.int().positive().describe('Increases with each change of the text, not of its name.'),
  doubtful: doubtfulSchema
    .nullable()
    .describe(
      'Doubtful words that were neither changed nor confirmed. Null where it is not known: the text has no reading, or was changed without its words being counted.',
    ),
});
export type SavedText = z.infer<typeof savedTextSchema>;

export const storageSchema = z.object({
  usedBytes: z.int().nonnegative(),
  limitBytes: z.int().positive(),
});

/** The matches of a search in a text. */
export const foundSchema = z.object({
  /** Matches in the name. */
  name: z.array(markSchema),
  /** Excerpt around the first match in one line; the beginning of the text if only the name matches. */
  excerpt: z.string(),
  /** Matches in the excerpt. */
  marks: z.array(markSchema),
});
export type Found = z.infer<typeof foundSchema>;

export const listedTextSchema = savedTextSchema.extend({ found: foundSchema.optional() });
export type ListedText = z.infer<typeof listedTextSchema>;

/** `GET /api/texts?search=…&before=…`: newest first; `next` is the `before` of the following page. */
export const listTextsQuerySchema = z.object({
  search: z.string().trim().max(200).optional(),
  before: z.string().max(100).optional(),
});
export const savedTextsResponseSchema = z.object({
  texts: z.array(listedTextSchema),
  storage: storageSchema,
  next: z.string().nullable(),
});
export type SavedTextsResponse = z.infer<typeof savedTextsResponseSchema>;

export const savedTextResponseSchema = z.object({
  text: savedTextSchema.extend({ text: z.string(), reading: savedReadingSchema.optional() }),
});
export type WholeText = z.infer<typeof savedTextResponseSchema>['text'];
