import { z } from 'zod';

const nameSchema = z.string().trim().min(1, { error: 'Please give the text a name' }).max(200);

const textSchema = z.string().min(1, { error: 'There is no text to save' }).max(1_000_000);

/** `POST /api/texts`: opt-in, one result at a time; never an image. */
export const saveTextRequestSchema = z.object({
  name: nameSchema,
  text: textSchema,
  language: z.string().max(100).optional(),
});

/** `PATCH /api/texts/{id}`: what is left out stays as it is. */
export const changeTextRequestSchema = z.object({
  name: nameSchema.optional(),
  text: textSchema.optional(),
  version: z
    .int()
    .positive()
    .optional()
    .describe(
      'Of the text that was changed. Another one is refused if not said otherwise by leaving this out.',
    ),
});

export const savedTextSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The first 200 characters. */
  preview: z.string(),
  bytes: z.int().nonnegative(),
  language: z.string(),
  createdAt: z.iso.datetime(),
  version: z.int().positive().describe('Rises with every change of the text; a new name changes nothing.'),
});
export type SavedText = z.infer<typeof savedTextSchema>;

export const storageSchema = z.object({
  usedBytes: z.int().nonnegative(),
  limitBytes: z.int().positive(),
});

/** `[start, end)` in UTF-16 units. */
const markSchema = z.object({ start: z.int().nonnegative(), end: z.int().positive() });

/** What a search found in a text, and where. */
export const foundSchema = z.object({
  /** Of the words in the name. */
  name: z.array(markSchema),
  /** The text around the first place, in one line; its beginning where only the name holds the words. */
  excerpt: z.string(),
  /** Of the words in the excerpt. */
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

/** `GET /api/texts/{id}`. */
export const savedTextResponseSchema = z.object({ text: savedTextSchema.extend({ text: z.string() }) });
export type WholeText = z.infer<typeof savedTextResponseSchema>['text'];
