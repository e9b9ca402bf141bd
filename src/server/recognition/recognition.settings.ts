import { availableParallelism } from 'node:os';
import type { Places } from '#ocr';
import type { Config } from '../config.ts';
import { longestExtractionMs } from './extract.ts';
import type { AllowanceLimits } from './quota/allowance.ts';
import { longestUploadMs, type Pace } from './upload/upload.ts';

export function limitsOf(config: Config): AllowanceLimits {
  return {
    freeDailyLimit: config.freeDailyLimit,
    premiumMonthlyLimit: config.premiumMonthlyLimit,
    addressLimitFactor: config.addressLimitFactor,
    unpaidMsPerDay: config.failedWorkSeconds * 1000,
  };
}

export function timesOf({ ocrTimeoutSeconds, ocrWaitSeconds }: Config) {
  return { workMs: ocrTimeoutSeconds * 1000, waitMs: ocrWaitSeconds * 1000 };
}

export function queueOf({ ocrQueueLimit, ocrPremiumReserve }: Config): Places {
  return { queueLimit: ocrQueueLimit, premiumReserve: ocrPremiumReserve };
}

/** Pages of jobs at a time: one place is left to people who wait at a page. */
export function jobPagesOf({ jobPagesAtOnce, ocrConcurrency }: Config): number {
  return jobPagesAtOnce ?? Math.max(1, (ocrConcurrency ?? availableParallelism()) - 1);
}

export function paceOf({ uploadMinRate, uploadStallSeconds }: Config): Pace {
  return { bytesPerSecond: uploadMinRate, measuredOverMs: uploadStallSeconds * 1000 };
}

/** From the first byte of a picture to its answer. */
export function longestAnswerMs(config: Config): number {
  return longestUploadMs(paceOf(config)) + longestExtractionMs(timesOf(config));
}

/** How long a stopping server may need until the last answer is sent and everything is closed. */
export function longestStopMs(config: Config): number {
  return longestAnswerMs(config) + 10_000;
}

/** The same of a worker, which may have taken a picture into its own queue in the moment before. */
export function longestWorkerStopMs(config: Config): number {
  return 2 * timesOf(config).workMs + 10_000;
}
