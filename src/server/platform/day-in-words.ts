/** A day in long US form, in UTC, as the pages have it: "May 4, 2026". */
export function dayInWords(date: Date): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
