import { itemAt } from '#formats/checked';

/** A date, and a time if the text has one, without a time zone. */
export interface CalendarDate {
  year: number;
  month: number;
  day: number;
  time: { hours: number; minutes: number } | null;
}

export interface FoundDate {
  start: number;
  end: number;
  date: CalendarDate;
}

const ISO =
  /(?<![\d.\-/])(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:T(?<hours>\d{2}):(?<minutes>\d{2})(?::\d{2})?)?(?![\d\-/])/g;
const NUMBERS =
  /(?<![\d.\-/])(?<first>\d{1,2})(?<sign>[./])\s?(?<second>\d{1,2})\k<sign>\s?(?<year>(?:19|20)\d{2})(?![\d/]|\.\d)/g;
/** `name` matches any word; `parseDate` looks it up among the names of months. */
const DAY_FIRST =
  /(?<![\p{L}\d])(?<day>\d{1,2})(?:st|nd|rd|th|\.|º)?\s(?:of\s|de\s)?(?<name>\p{L}{3,20})\.?,?\s(?:de\s)?(?<year>(?:19|20)\d{2})(?!\d)/giu;
const MONTH_FIRST =
  /(?<!\p{L})(?<name>\p{L}{3,20})\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?<year>(?:19|20)\d{2})(?!\d)/giu;
const TIME =
  /^,?\s{1,2}(?:(?:at|um|à|a las|alle|om|kl\.?)\s)?(?<hours>\d{1,2})[:.](?<minutes>\d{2})(?!\d)(?:\s?(?<meridiem>[ap]\.?m\b\.?))?/iu;

/**
 * Finds complete dates with a year. Only unambiguous ones: not "3/4/2026", which differs between countries, and not
 * "Monday" or "tomorrow", which depend on when the picture was taken.
 * @param languages language tags; names of months are recognized in these and in English
 */
export function findDates(text: string, languages: readonly string[]): FoundDate[] {
  const months = monthNames([...languages, 'en']);
  const found = [ISO, NUMBERS, DAY_FIRST, MONTH_FIRST].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const date = parseDate(match.groups ?? {}, months);
      if (!date) return [];
      const end = match.index + match[0].length;
      return [
        date.time ? { start: match.index, end, date } : withTime(text, { start: match.index, end, date }),
      ];
    }),
  );
  return found
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }, at, all) => at === 0 || start >= itemAt(all, at - 1).end);
}

function parseDate(
  groups: Record<string, string | undefined>,
  months: ReadonlyMap<string, number>,
): CalendarDate | null {
  const year = Number(groups.year);
  const time = groups.hours ? { hours: Number(groups.hours), minutes: Number(groups.minutes) } : null;
  const validDate = (month: number, day: number) => {
    const isDay = month >= 1 && month <= 12 && day >= 1 && day <= new Date(year, month, 0).getDate();
    return isDay && year >= 1900 && year < 2100 && isTime(time) ? { year, month, day, time } : null;
  };
  if (groups.name) return validDate(months.get(groups.name.toLowerCase()) ?? 0, Number(groups.day));
  if (groups.month) return validDate(Number(groups.month), Number(groups.day));
  const [first, second] = [Number(groups.first), Number(groups.second)];
  // With dots the day is first in every country.
  if (groups.sign === '.' || first > 12 || first === second) return validDate(second, first);
  return second > 12 ? validDate(first, second) : null;
}

const isTime = (time: CalendarDate['time']) => time === null || (time.hours < 24 && time.minutes < 60);

/** Adds a time that follows the date. */
function withTime(text: string, found: FoundDate): FoundDate {
  const match = TIME.exec(text.slice(found.end, found.end + 24));
  if (!match?.groups) return found;
  const { hours, minutes, meridiem } = match.groups;
  const hour = Number(hours);
  const isPm = meridiem?.toLowerCase().startsWith('p') ?? false;
  if (meridiem && (hour < 1 || hour > 12)) return found;
  const time = { hours: meridiem ? (hour % 12) + (isPm ? 12 : 0) : hour, minutes: Number(minutes) };
  return isTime(time) ? { ...found, end: found.end + match[0].length, date: { ...found.date, time } } : found;
}

/** Numbers of months by their long and short names, in lower case and without a trailing dot. */
function monthNames(languages: readonly string[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      // Formatted with a day, because many languages then inflect the name.
      const format = new Intl.DateTimeFormat(language, {
        day: 'numeric',
        month,
        timeZone: 'UTC',
        calendar: 'gregory',
      });
      for (let index = 0; index < 12; index += 1) {
        const part = format.formatToParts(Date.UTC(2026, index, 15)).find(({ type }) => type === 'month');
        const name = part?.value.toLowerCase().replace(/\.$/, '') ?? '';
        if (/^\p{L}{3,}$/u.test(name)) names.set(name, index + 1);
      }
    }
  }
  return names.set('sept', 9);
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** An iCalendar file with one event named `title`: an all-day event, or one hour in local time. */
export function calendarFile(
  { year, month, day, time }: CalendarDate,
  title: string,
  stamp: Date,
  id: string,
): string {
  const dayText = (date: Date) =>
    `${date.getUTCFullYear()}${twoDigits(date.getUTCMonth() + 1)}${twoDigits(date.getUTCDate())}`;
  const timeText = (date: Date) =>
    `${dayText(date)}T${twoDigits(date.getUTCHours())}${twoDigits(date.getUTCMinutes())}00`;
  const begins = new Date(Date.UTC(year, month - 1, day, time?.hours ?? 0, time?.minutes ?? 0));
  const ends = new Date(begins.getTime() + (time ? 60 : 24 * 60) * 60_000);
  const when = time
    ? [`DTSTART:${timeText(begins)}`, `DTEND:${timeText(ends)}`]
    : [`DTSTART;VALUE=DATE:${dayText(begins)}`, `DTEND;VALUE=DATE:${dayText(ends)}`];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Glyphlift//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${timeText(stamp)}Z`,
    ...when,
    foldLine(
      `SUMMARY:${title
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/[\\;,]/g, String.raw`\$&`)}`,
    ),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** Folds a line of iCalendar: at most 75 bytes, continued after a line break and a space. */
function foldLine(line: string): string {
  const encoder = new TextEncoder();
  let [result, bytesLeft] = ['', 75];
  for (const character of line) {
    const { length } = encoder.encode(character);
    if (length > bytesLeft) {
      result += '\r\n ';
      bytesLeft = 74;
    }
    result += character;
    bytesLeft -= length;
  }
  return result;
}
