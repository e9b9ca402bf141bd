/** Business constants that page and server must agree on. Limits an operator may change live in the server's configuration. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Pixels; read from a picture's header before anything is decoded. */
export const DEFAULT_MAX_PIXELS = 100_000_000;

export const FREE_DAILY_LIMIT = 3;
export const PREMIUM_MONTHLY_LIMIT = 1500;

/** A month of premium. The server decides; a request that names anything else is refused. */
export const PREMIUM_PRICE = { amount: '4.99', currency: 'USD' } as const;

/** Progress shown while the answer is awaited: percent, percent, milliseconds. */
export const PROGRESS_STEP = 10;
export const PROGRESS_CAP = 90;
export const PROGRESS_INTERVAL_MS = 200;

/**
 * Chances of being right, in percent. Below the first a word is doubtful: marked, counted and stepped through.
 * Below the second it deserves a glance and gets a dotted line.
 */
export const DOUBTFUL_BELOW = 60;
export const GLANCE_BELOW = 85;
