import type { JobsOptions } from 'bullmq';
import type { Language } from '#ocr';
import { type ConfinementReport, OCR_ERRORS, OcrError, type Origin, type Stage } from '#ocr';
import type { RedisLink } from '../../platform/redis.ts';

/** The messages between web processes and workers over BullMQ. They never contain images or texts. */

/**
 * The version of all messages: jobs, stored pictures, answers, events, notes. Any change to one of them, or another
 * major version of BullMQ, raises it. Web processes and workers of one version do not see those of another, so that in
 * an update old workers serve old web processes until both are gone.
 */
export const PROTOCOL = 5;

export const QUEUE = 'pictures';

/** The prefix of all keys of one protocol version in Redis. */
export interface QueueKeys {
  prefix: string;
  /** BullMQ's queue; its name is part of BullMQ's keys. */
  queue: string;
  room: string;
  /** Channel for the ids of cancelled images. */
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

/** Completed jobs are deleted, because the answer is stored outside of BullMQ before. */
export const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 };

export function unavailable(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.unavailable, message, { cause });
}
