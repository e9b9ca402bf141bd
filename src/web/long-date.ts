/** A date in long US form, in UTC, whichever the machine's own zone: "May 4, 2026". */
export function longDate(iso: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso));
}
