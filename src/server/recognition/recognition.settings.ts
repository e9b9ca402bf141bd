import { availableParallelism } from 'node:os';
import type { QueueLimits } from '#ocr';
import type { Config } from '../config.ts';
import { longestExtractionMs } from './extract.ts';
import type { AllowanceLimits } from './quota/allowance.ts';
import { longestUploadMs, type MinimumRate } from './upload/upload.ts';

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

export function queueOf({ ocrQueueLimit, ocrPremiumReserve }: Config): QueueLimits {
  return { queueLimit: ocrQueueLimit, premiumReserve: ocrPremiumReserve };
}

/** Concurrent pages of jobs: one less than the engine's concurrency, which leaves room for interactive extractions. */
export function jobPagesOf({ jobPagesAtOnce, ocrConcurrency }: Config): number {
  return jobPagesAtOnce ?? Math.max(1, (ocrConcurrency ?? availableParallelism()) - 1);
}

export function minimumRateOf({ uploadMinRate, uploadStallSeconds }: Config): MinimumRate {
  return { bytesPerSecond: uploadMinRate, windowMs: uploadStallSeconds * 1000 };
}

/** Maximum time from the first byte of an upload to its response. */
export function longestAnswerMs(config: Config): number {
  return longestUploadMs(minimumRateOf(config)) + longestExtractionMs(timesOf(config));
}

/** Time limit of a graceful shutdown of the server. */
export function longestStopMs(config: Config): number {
  return longestAnswerMs(config) + 10_000;
}

/** Time limit of a graceful shutdown of a worker, which may have just taken another image. */
export function longestWorkerStopMs(config: Config): number {
  return 2 * timesOf(config).workMs + 10_000;
}
