import { LinkifyIt } from 'linkify-it';
import { itemAt } from '#formats/checked';
import { type CalendarDate, findDates } from './find-dates.ts';

/** Something in a text that can be acted on; `[start, end)` is where it stands. */
export type Finding = { start: number; end: number } & Target;

export type Target =
  | { kind: 'link'; url: string; host: string; readableHost: string | null }
  | { kind: 'mail'; address: string }
  | { kind: 'phone'; number: string; shown: string }
  | { kind: 'date'; date: CalendarDate }
  /** The content of a code that can only be copied. */
  | { kind: 'text'; text: string };

/**
 * Endings under which a name without "http" or "www" is taken for an address. Left out are those that are words or endings
 * of files ("it", "is", "so", "md", "py"): where a space is missing behind a full stop, sentences would become addresses.
 */
const ENDINGS =
  'com org net edu gov int info biz app dev shop eu uk de fr es nl pt pl cz se dk fi ie ch ca au nz jp kr br mx ar eu example'.split(
    ' ',
  );

/** No top-level domain is a number: "Vat@13.13" names a rate. */
const HAS_DOMAIN = /\.(?:\p{L}{2,}|xn--[\da-z-]+)$/iu;

/** Written at the end of a line, these may go on in the next. */
const GOES_ON = /[-/_=&?.,+%]$/;

const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, tlds: ENDINGS });

interface FindOptions {
  /** Tags of the text's languages, the main one first. */
  languages: readonly string[];
  /** The home country of numbers without a country code, as two letters; null if unknown. */
  country: string | null;
}

/** Addresses, telephone numbers and days that a text names, in its order. What may be something else is left out. */
export async function findInText(text: string, { languages, country }: FindOptions): Promise<Finding[]> {
  const addressed = findAddresses(text);
  const others = [
    ...findDates(text, languages).map(
      ({ start, end, date }): Finding => ({ kind: 'date', start, end, date }),
    ),
    ...(await findNumbers(text, country)),
  ];
  const free = others.filter(({ start, end }) =>
    addressed.every((other) => end <= other.start || start >= other.end),
  );
  return [...addressed, ...free]
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }, at, all) => at === 0 || start >= itemAt(all, at - 1).end);
}

function findAddresses(text: string): Finding[] {
  return (links.match(text) ?? []).flatMap((match): Finding[] => {
    const { index: start, lastIndex: end, schema, raw, url } = match;
    const endsLine =
      /^[ \t]*\n[ \t]*\S/.test(text.slice(end)) &&
      GOES_ON.test(text.slice(start, text.indexOf('\n', end)).trimEnd());
    // In the middle of something longer it is a piece of what it is not.
    if (endsLine || /[\p{L}\p{N}@]$/u.test(text.slice(0, start)) || /^@/.test(text.slice(end))) return [];
    if (schema === 'mailto:') {
      const address = raw.replace(/^mailto:/i, '');
      return HAS_DOMAIN.test(address) ? [{ kind: 'mail', start, end, address }] : [];
    }
    const target = linkTo(schema === '' ? `https://${raw}` : url);
    return target ? [{ ...target, start, end }] : [];
  });
}

/**
 * An address of the web, with the host that it really leads to. Null for every other protocol, and where a name stands
 * before the host to be taken for it. `readableHost`: the host in letters of other alphabets, where it has any.
 */
export function linkTo(address: string): Extract<Target, { kind: 'link' }> | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  const written = /^https?:\/\/([^/?#:]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  const isPlain =
    url.hostname === written || url.hostname.split('.').every((part) => !part.startsWith('xn--'));
  return { kind: 'link', url: url.href, host: url.host, readableHost: isPlain ? null : written };
}

const HAS_NUMBER = /\d[\d\s()./-]{5,}\d/;
/** A number without its country code counts only with a label or in the typical format. */
const SAID_BEFORE =
  /(?<!\p{L})(?:(?:tel|phone|fax|call|mobile?|cell|telefon|téléphone|teléfono|ph)[.:]{0,2}|[tmf][.:])\s?$|☎\s?$/iu;
const WRITTEN_AS_ONE = /^\(\d{2,5}\)|^\d{2,5}([ -])\d{2,4}\1\d{3,}$|^0\d{1,4} ?- ?\d{5,8}$/;

/** Whether a number is parted only where its country parts it: "23 4567 8901" is no number of the United States. */
function isPartedAs(raw: string, national: string): boolean {
  const boundaries = (text: string) => {
    const groups = text.replace(/^\D*0?/, '').match(/\d+/g) ?? [];
    return groups.map((_, at) => groups.slice(0, at + 1).join('').length);
  };
  const allowed = new Set(boundaries(national));
  return boundaries(raw).every((boundary) => allowed.has(boundary));
}

async function findNumbers(text: string, country: string | null): Promise<Finding[]> {
  if (!HAS_NUMBER.test(text)) return [];
  const { findPhoneNumbersInText, isSupportedCountry } = await import('libphonenumber-js/min');
  const home = country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
  return findPhoneNumbersInText(text, home).flatMap(({ number, startsAt, endsAt }): Finding[] => {
    const raw = text.slice(startsAt, endsAt);
    const isSure =
      raw.startsWith('+') ||
      SAID_BEFORE.test(text.slice(Math.max(0, startsAt - 12), startsAt)) ||
      (WRITTEN_AS_ONE.test(raw) && isPartedAs(raw, number.formatNational()));
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
