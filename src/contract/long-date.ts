const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/**
 * A day in long US form, in UTC, whichever the machine's own zone: "May 4, 2026". Text is ISO 8601. By hand, since the first
 * `Intl.DateTimeFormat` of a page takes a browser some twenty milliseconds, and a telephone eighty.
 */
export function longDate(moment: string | Date): string {
  const day = new Date(moment);
  return `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}
