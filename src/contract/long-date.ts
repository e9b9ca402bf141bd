/** A day in long US form, in UTC, whichever the machine's own zone: "May 4, 2026". Text is ISO 8601. */
export function longDate(moment: string | Date): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));
}
