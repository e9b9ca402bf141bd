import type { JobsOptions } from 'bullmq';
import type { Language } from '#ocr';
import { type ConfinementReport, OCR_ERRORS, OcrError, type Stage } from '#ocr';

/** What web processes and workers say to one another over BullMQ: never a picture and never a text. */

/** What everything in Redis begins with. */
export const PREFIX = 'glyphlift';
/** BullMQ's queue of who comes next. */
export const QUEUE = 'pictures';

export const QUEUE_OPTIONS = { prefix: PREFIX } as const;

/** What is to become of a picture. */
export type PictureTask =
  | { kind: 'recognise'; languages: readonly string[]; filter: boolean; priority: number }
  | { kind: 'preview'; maxSide: number };

/** Of a job, while it is in work. */
export type PictureNews = { stage: Stage } | { workedMs: number };

/** What a worker tells of itself. */
export interface WorkerNote {
  languages: Language[];
  confinement: ConfinementReport | undefined;
}

/** Its answer lies elsewhere before a job ends, so nothing of the job is kept: neither is there anything in it to read. */
export const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 };

/** On this channel ids of pictures are called out that nobody waits for any more. */
export const GIVEN_UP = `${PREFIX}:given-up`;

export function unavailable(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.unavailable, message, { cause });
}
