import { LinkifyIt } from 'linkify-it';
import { itemAt } from '#formats/checked';
import { type CalendarDate, findDates } from './find-dates.ts';

/** A link, address, number or date at `[start, end)` of the text. */
export type TextMatch = { start: number; end: number } & Target;

export type Target =
  | { kind: 'link'; url: string; host: string; readableHost: string | null }
  | { kind: 'mail'; address: string }
  | { kind: 'phone'; number: string; shown: string }
  | { kind: 'date'; date: CalendarDate }
  /** Content of a code that can only be copied. */
  | { kind: 'text'; text: string };

/**
 * Top-level domains that make a name without "http" or "www" a URL. It omits those that are words or file extensions ("it",
 * "is", "so", "md", "py"), because with a missing space after a period, sentences would become URLs.
 */
const TOP_LEVEL_DOMAINS =
  'com org net edu gov int info biz app dev shop eu uk de fr es nl pt pl cz se dk fi ie ch ca au nz jp kr br mx ar eu example'.split(
    ' ',
  );

/** No top-level domain is a number: "Vat@13.13" names a rate. */
const HAS_DOMAIN = /\.(?:\p{L}{2,}|xn--[\da-z-]+)$/iu;

/** A URL that ends a line with one of these characters may continue on the next line. */
const MAY_CONTINUE = /[-/_=&?.,+%]$/;

const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, tlds: TOP_LEVEL_DOMAINS });

interface FindOptions {
  /** Tags of the text's languages, the main one first. */
  languages: readonly string[];
  /** The home country of numbers without a country code, as two letters; null if unknown. */
  country: string | null;
}

/** Finds URLs, mail addresses, telephone numbers and dates in the order of the text. Omits ambiguous ones. */
export async function findInText(text: string, { languages, country }: FindOptions): Promise<TextMatch[]> {
  const addresses = findAddresses(text);
  const others = [
    ...findDates(text, languages).map(
      ({ start, end, date }): TextMatch => ({ kind: 'date', start, end, date }),
    ),
    ...(await findNumbers(text, country)),
  ];
  const free = others.filter(({ start, end }) =>
    addresses.every((other) => end <= other.start || start >= other.end),
  );
  return [...addresses, ...free]
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }, at, all) => at === 0 || start >= itemAt(all, at - 1).end);
}

function findAddresses(text: string): TextMatch[] {
  return (links.match(text) ?? []).flatMap((match): TextMatch[] => {
    const { index: start, lastIndex: end, schema, raw, url } = match;
    const mayContinue =
      /^[ \t]*\n[ \t]*\S/.test(text.slice(end)) &&
      MAY_CONTINUE.test(text.slice(start, text.indexOf('\n', end)).trimEnd());
    // A match inside a longer word or address is no URL.
    if (mayContinue || /[\p{L}\p{N}@]$/u.test(text.slice(0, start)) || /^@/.test(text.slice(end))) return [];
    if (schema === 'mailto:') {
      const address = raw.replace(/^mailto:/i, '');
      return HAS_DOMAIN.test(address) ? [{ kind: 'mail', start, end, address }] : [];
    }
    const target = linkTo(schema === '' ? `https://${raw}` : url);
    return target ? [{ ...target, start, end }] : [];
  });
}

/**
 * A link with the host that it leads to. Null for other protocols than HTTP and HTTPS, and for URLs with a username, which
 * may pretend to be the host. `readableHost`: the host in Unicode if it has non-ASCII letters, otherwise null.
 */
export function linkTo(address: string): Extract<Target, { kind: 'link' }> | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  const hostText = /^https?:\/\/([^/?#:]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  const isPlain =
    url.hostname === hostText || url.hostname.split('.').every((part) => !part.startsWith('xn--'));
  return { kind: 'link', url: url.href, host: url.host, readableHost: isPlain ? null : hostText };
}

const HAS_NUMBER = /\d[\d\s()./-]{5,}\d/;
/** A number without country code needs a label or the usual grouping of its country. */
const LABEL_BEFORE =
  /(?<!\p{L})(?:(?:tel|phone|fax|call|mobile?|cell|telefon|téléphone|teléfono|ph)[.:]{0,2}|[tmf][.:])\s?$|☎\s?$/iu;
const USUAL_GROUPING = /^\(\d{2,5}\)|^\d{2,5}([ -])\d{2,4}\1\d{3,}$|^0\d{1,4} ?- ?\d{5,8}$/;

/** Whether a number is grouped like the national format: "23 4567 8901" is not a number of the United States. */
function isGroupedAs(raw: string, national: string): boolean {
  const boundaries = (text: string) => {
    const groups = text.replace(/^\D*0?/, '').match(/\d+/g) ?? [];
    return groups.map((_, at) => groups.slice(0, at + 1).join('').length);
  };
  const allowed = new Set(boundaries(national));
  return boundaries(raw).every((boundary) => allowed.has(boundary));
}

async function findNumbers(text: string, country: string | null): Promise<TextMatch[]> {
  if (!HAS_NUMBER.test(text)) return [];
  const { findPhoneNumbersInText, isSupportedCountry } = await import('libphonenumber-js/min');
  const home = country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
  return findPhoneNumbersInText(text, home).flatMap(({ number, startsAt, endsAt }): TextMatch[] => {
    const raw = text.slice(startsAt, endsAt);
    const isSure =
      raw.startsWith('+') ||
      LABEL_BEFORE.test(text.slice(Math.max(0, startsAt - 12), startsAt)) ||
      (USUAL_GROUPING.test(raw) && isGroupedAs(raw, number.formatNational()));
    if (!isSure || raw.includes('\n') || !number.isValid()) return [];
    return [
      {
        kind: 'phone',
        start: startsAt,
        end: endsAt,
        number: number.number,
        shown: number.formatInternational(),
      },
    ];
  });
}

/** The target of a QR code. */
export function targetOf(payload: string): Target {
  const text = payload.trim();
  const mail = /^mailto:([^?\s]+@[^?\s]+)/i.exec(text)?.[1];
  if (mail) return { kind: 'mail', address: decoded(mail) };
  const number = /^tel:(\+?[\d().\s-]{3,})$/i.exec(text)?.[1];
  if (number) return { kind: 'phone', number: number.replace(/[^\d+]/g, ''), shown: number };
  return (/^https?:\/\//i.test(text) && linkTo(text)) || { kind: 'text', text: payload };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
