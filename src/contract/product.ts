/*
 * Names, prices, limits and permissions of the product, for page, server and legal texts alike; a test finds copies
 * elsewhere. Limits that an operator may change have their defaults here and live in the server's configuration.
 */

export const BRAND = {
  name: 'Glyphlift',
  tagline: 'Lift the words out of any picture.',
} as const;

/** In MiB, written as "MB" in the interface. */
export const MAX_IMAGE_MB = 10;
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1024 ** 2;

/** Limits of a word's alternatives. Longer ones are dropped, because they are not words. */
export const ALTERNATIVES = { max: 3, maxLength: 60 } as const;

/** Pixels; read from a picture's header before anything is decoded. */
export const DEFAULT_MAX_PIXELS = 100_000_000;

/** Maximum pixels for recognition. Larger images are downscaled first, in the browser or by the engine. */
export const ENGINE_PIXELS = 9_000_000;

export const FREE_DAILY_LIMIT = 3;
export const PREMIUM_MONTHLY_LIMIT = 1500;
/** Shown by page and server when the free extractions of the day are used up. */
export const DAILY_LIMIT_REACHED = 'Daily limit reached. Upgrade to Premium for unlimited extractions!';

/** Price of a month of premium. The server rejects requests with another price. */
export const PREMIUM_PRICE = { amount: '4.99', currency: 'USD' } as const;
export const PRICE_TEXT = `$${PREMIUM_PRICE.amount}`;

const STORAGE_GB = 1;
/** Maximum bytes of saved texts with premium (UTF-8, names included). */
export const STORAGE_LIMIT_BYTES = STORAGE_GB * 1024 ** 3;
export const STORAGE_LIMIT_TEXT = `${STORAGE_GB} GB`;

/** Limits of the results that a browser stores: their number, their bytes, and their days. */
export const RECENT_RESULTS_LIMITS = { most: 100, bytes: 200 * 1024 ** 2, days: 30 } as const;

/** Maximum number of images in a batch: the number of stored results, so that all results survive a reload. */
export const MAX_BATCH_IMAGES = RECENT_RESULTS_LIMITS.most;

export const PREMIUM_LANGUAGES = '100+';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A whole number in running text: spelled out up to ten, then in digits ("1,500"). */
export function numberInWords(count: number): string {
  return NUMBERS[count] ?? new Intl.NumberFormat('en-US').format(count);
}

/** Progress shown before the response: step and cap in percent, interval in milliseconds. */
export const PROGRESS_STEP = 10;
export const PROGRESS_CAP = 90;
export const PROGRESS_INTERVAL_MS = 200;
/** Seconds without progress after which the page shows a notice. */
export const SILENCE_SECONDS = 10;

/**
 * Confidence thresholds in percent. Below the first, a word is doubtful: marked, counted and part of the review, except for
 * punctuation without letters or digits. Below the second, it is only underlined with dots.
 */
export const DOUBTFUL_BELOW = 60;
export const REVIEW_BELOW = 85;

/** Page confidence in percent below which the page suggests a better image instead of reporting a success. */
export const LOW_CONFIDENCE_BELOW = 50;
