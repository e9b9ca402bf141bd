const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/**
 * A day in long US form in UTC: "May 4, 2026". Input is ISO 8601. Without `Intl.DateTimeFormat`, whose first use takes a
 * desktop some twenty milliseconds, and a phone eighty.
 */
export function longDate(moment: string | Date): string {
  const day = new Date(moment);
  return `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`;
}
