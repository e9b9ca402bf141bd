import { z } from 'zod';

/**
 * One event of `GET /api/extractions/{id}/events`: a server-sent event without a name whose data is this as JSON.
 * The stream may be opened before or after the upload with the same id. `done` is its last event, also after a failure; then
 * the page closes the stream.
 */
export const progressSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('queued') }),
  /** Download of a language (English name): received and total bytes. */
  z.object({ stage: z.literal('fetching-language'), language: z.string(), received: z.int(), of: z.int() }),
  z.object({ stage: z.literal('decoding') }),
  z.object({ stage: z.literal('finding-lines') }),
  /** Line `line` (from 1) of `of` is being read. */
  z.object({ stage: z.literal('reading'), line: z.int(), of: z.int() }),
  z.object({ stage: z.literal('ordering') }),
  z.object({ stage: z.literal('done') }),
]);
export type Progress = z.infer<typeof progressSchema>;

/** Created by the client, new for each upload; for example a UUID. */
export const extractionIdSchema = z.string().regex(/^[\w-]{8,64}$/);
