import type { JobsOptions } from 'bullmq';
import type { Language } from '#ocr';
import { type ConfinementReport, OCR_ERRORS, OcrError, type Origin, type Stage } from '#ocr';
import type { RedisLink } from '../../platform/redis.ts';

/** The messages between web processes and workers over BullMQ: never a picture and never a text. */

/**
 * The version of all messages: jobs, stored pictures, answers, events, notes. Any change to one of them, or another
 * major version of BullMQ, raises it. Web processes and workers of one version do not see those of another, so that in
 * an update old workers serve old web processes until both are gone.
 */
export const PROTOCOL = 5;

export const QUEUE = 'pictures';

/** Where in Redis those of one protocol meet. */
export interface QueueKeys {
  prefix: string;
  /** The queue of BullMQ, which names its jobs after it. */
  queue: string;
  room: string;
  /** The channel on which ids of cancelled pictures are published. */
  cancelled: string;
}

export function queueKeys({ prefix: all }: Pick<RedisLink, 'prefix'>, protocol = PROTOCOL): QueueKeys {
  const prefix = `${all}:${protocol}`;
  return { prefix, queue: `${prefix}:${QUEUE}`, room: `${prefix}:room`, cancelled: `${prefix}:given-up` };
}

export type PictureTask =
  | {
      kind: 'recognize';
      languages: readonly string[];
      filter: boolean;
      thorough: boolean;
      priority: number;
      page?: number | undefined;
    }
  | { kind: 'preview'; maxSide: number; page?: number | undefined }
  | { kind: 'pages'; priority: number };

export type QueueMessage = PictureTask & { origin?: Origin | undefined };

export type PictureNews = { stage: Stage } | { workedMs: number };

export interface WorkerNote {
  languages: Language[];
  confinement: ConfinementReport | undefined;
}

/** The answer is stored elsewhere before a job ends, so the job is deleted: it contains nothing. */
export const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 };

export function unavailable(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.unavailable, message, { cause });
}
