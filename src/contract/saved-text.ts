import { z } from 'zod';

const nameSchema = z.string().trim().min(1, { error: 'Please give the text a name' }).max(200);

/** `POST /api/texts`: opt-in, one result at a time; never an image. */
export const saveTextRequestSchema = z.object({
  name: nameSchema,
  text: z.string().min(1, { error: 'There is no text to save' }).max(1_000_000),
  language: z.string().max(100).optional(),
});

/** `PATCH /api/texts/{id}`. */
export const renameTextRequestSchema = z.object({ name: nameSchema });

export const savedTextSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The first 200 characters. */
  preview: z.string(),
  bytes: z.int().nonnegative(),
  language: z.string(),
  createdAt: z.iso.datetime(),
});
export type SavedText = z.infer<typeof savedTextSchema>;

export const storageSchema = z.object({
  usedBytes: z.int().nonnegative(),
  limitBytes: z.int().positive(),
});

/** `GET /api/texts?search=…&before=…`: newest first; `next` is the `before` of the following page. */
export const listTextsQuerySchema = z.object({
  search: z.string().trim().max(200).optional(),
  before: z.string().max(100).optional(),
});
export const savedTextsResponseSchema = z.object({
  texts: z.array(savedTextSchema),
  storage: storageSchema,
  next: z.string().nullable(),
});
export type SavedTextsResponse = z.infer<typeof savedTextsResponseSchema>;

/** `GET /api/texts/{id}`. */
export const savedTextResponseSchema = z.object({ text: savedTextSchema.extend({ text: z.string() }) });
