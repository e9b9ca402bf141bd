const LONG_US = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `2026-11-18` as "November 18, 2026", whatever the reader's time zone. */
export const longDate = (day: string): string => LONG_US.format(new Date(day));
