import { longDate } from '#contract/long-date';
import { numberInWords } from '#contract/product';

const plurals = new Intl.PluralRules('en-US');

/** "1 text", "2 texts"; `plural` for irregular forms. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${plurals.select(count) === 'one' ? singular : plural}`;
}

/** The free quota in words: "two pictures a day". */
export function picturesADay(limit: number): string {
  return `${numberInWords(limit)} ${plurals.select(limit) === 'one' ? 'picture' : 'pictures'} a day`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Rounded time until a moment: "in 19 h", "in 25 min", "in 12 days". */
export function timeUntil(moment: string, now: number): string {
  const left = Math.max(MINUTE_MS, new Date(moment).getTime() - now);
  if (left < HOUR_MS) return `in ${Math.ceil(left / MINUTE_MS)} min`;
  const hours = Math.round(left / HOUR_MS);
  return hours < 48 ? `in ${hours} h` : `in ${Math.round(hours / 24)} days`;
}

/** Absolute time in UTC: "November 23, 2026, 00:00 UTC". */
export function momentInWords(moment: string): string {
  return `${longDate(moment)}, ${moment.slice(11, 16)} UTC`;
}

/** Megabytes of 1024 × 1024 bytes with two decimals, such as `1.25 MB`. */
export const formatSize = (bytes: number) => `${(bytes / (1024 * 1024)).toFixed(2)} MB`;
