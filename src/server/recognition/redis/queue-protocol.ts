import type { JobsOptions } from 'bullmq';
import type { Language } from '#ocr';
import { type ConfinementReport, OCR_ERRORS, OcrError, type Origin, type Stage } from '#ocr';
import type { RedisLink } from '../../platform/redis.ts';

/** The messages between web processes and workers over BullMQ. They never contain images or texts. */

/**
 * The version of all messages: jobs, stored pictures, results, events, worker information. Increment it for any change of a
 * message, and for a new major version of BullMQ. Web processes and workers of different versions do not see each other, so
 * that during an update old workers serve old web processes until both have stopped.
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

export type PictureEvent = { stage: Stage } | { workedMs: number };

export interface WorkerInfo {
  languages: Language[];
  confinement: ConfinementReport | undefined;
}

/** Completed jobs are deleted, because the result is stored outside of BullMQ. */
export const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 };

export function unavailable(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.unavailable, message, { cause });
}
