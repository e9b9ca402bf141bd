/*
 * Names, prices, limits and permissions of the product, for page, server and legal texts alike; a test finds copies
 * elsewhere. Limits that an operator may change have their defaults here and live in the server's configuration.
 */

export const BRAND = {
  name: 'Glyphlift',
  tagline: 'Lift the words out of any picture.',
} as const;

/** Megabytes, as people say them. */
export const MAX_IMAGE_MB = 10;
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1024 ** 2;

/** Alternatives of a word. Longer readings are left out: they are no words, and need no button. */
export const READINGS = { most: 3, letters: 60 } as const;

/** Pixels; read from a picture's header before anything is decoded. */
export const DEFAULT_MAX_PIXELS = 100_000_000;

/** Pixels that the engine looks at; a picture with more is made smaller first, here or there. */
export const ENGINE_PIXELS = 9_000_000;

export const FREE_DAILY_LIMIT = 3;
export const PREMIUM_MONTHLY_LIMIT = 1500;
/** Shown when the free extractions of the day are used up, by the page and by the server. */
export const DAILY_LIMIT_REACHED = 'Daily limit reached. Upgrade to Premium for unlimited extractions!';

/** A month of premium. The server decides; a request with another price is refused. */
export const PREMIUM_PRICE = { amount: '4.99', currency: 'USD' } as const;
export const PRICE_SHOWN = `$${PREMIUM_PRICE.amount}`;

const STORAGE_GB = 1;
/** Bytes of saved text (UTF-8, names included) that premium holds. */
export const STORAGE_LIMIT_BYTES = STORAGE_GB * 1024 ** 3;
export const STORAGE_SHOWN = `${STORAGE_GB} GB`;

/** Limits of the results that a browser stores: their number, their bytes, and their days. */
export const RECENT_RESULTS_LIMITS = { most: 100, bytes: 200 * 1024 ** 2, days: 30 } as const;

/** How many pictures a job takes; as many as results are kept, so that none of them is lost when the page is left. */
export const MAX_BATCH_IMAGES = RECENT_RESULTS_LIMITS.most;

export const PREMIUM_LANGUAGES = '100+';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A whole number as running text has it: in letters up to ten, then "1,500". */
export function numberInWords(count: number): string {
  return NUMBERS[count] ?? new Intl.NumberFormat('en-US').format(count);
}

/** Progress shown while the answer is awaited: percent, percent, milliseconds. */
export const PROGRESS_STEP = 10;
export const PROGRESS_CAP = 90;
export const PROGRESS_INTERVAL_MS = 200;
/** After so many seconds without anything new the page says so. */
export const SILENCE_SECONDS = 10;

/**
 * Chances of being right, in percent. Below the first a word is doubtful: marked, counted and stepped through,
 * unless it is but a mark without a letter or a figure. Below the second it deserves a glance and gets a dotted line.
 */
export const DOUBTFUL_BELOW = 60;
export const REVIEW_BELOW = 85;

/** Of a whole picture, in percent: below it the text is no success, and the picture is what has to change. */
export const LOW_CONFIDENCE_BELOW = 50;
