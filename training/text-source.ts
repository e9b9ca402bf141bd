/** Generates lines of text in Latin letters with and without accents: prose, receipts, user interfaces, codes. */
import type { Random } from '../scripts/random.ts';

/** Accented forms of letters. They replace letters of English words, so that models learn shapes and no vocabulary. */
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'áàâäãåąăā',
  c: 'çćč',
  d: 'ďđ',
  e: 'éèêëęěė',
  g: 'ğ',
  i: 'íìîïı',
  l: 'łľĺ',
  n: 'ñńň',
  o: 'óòôöõøő',
  r: 'řŕ',
  s: 'śšşș',
  t: 'ťț',
  u: 'úùûüůűū',
  y: 'ýÿ',
  z: 'źžż',
  A: 'ÁÀÂÄÃÅĄ',
  C: 'ÇĆČ',
  D: 'ĎĐ',
  E: 'ÉÈÊËĘĚ',
  I: 'ÍÌÎÏİ',
  L: 'ŁĽ',
  N: 'ÑŃŇ',
  O: 'ÓÒÔÖÕØŐ',
  R: 'Ř',
  S: 'ŚŠŞ',
  T: 'Ť',
  U: 'ÚÙÛÜŮŰ',
  Y: 'Ý',
  Z: 'ŹŽŻ',
};
const LIGATURES = ['ß', 'æ', 'œ', 'Æ', 'Œ', 'þ', 'ð'];
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~£€¥§°©®™«»„“”‘’–—•…·×±½¡¿';
const UNITS = ['kg', 'g', 'ml', 'L', 'pcs', 'PCS', 'm', 'cm', 'mm', 'km', '%', 'x', 'GB', 'MHz', '°C'];
const CURRENCIES = ['$', '€', '£', 'RM', 'RM ', 'USD ', 'EUR ', 'Rs.', 'kr ', ''];
const MONTHS = [
  'Jan',
  'Feb',
  'March',
  'April',
  'May',
  'June',
  'July',
  'Aug',
  'September',
  'Oct',
  'Nov',
  'December',
];

/** Every character that generated text can contain, except for the space. */
export const CHARACTERS: readonly string[] = [
  ...new Set([
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    ...PUNCTUATION,
    ...Object.values(ACCENTED).join(''),
    ...LIGATURES,
  ]),
];

export interface LineSource {
  /** A line of about `length` characters, without leading, trailing or double spaces. */
  line(length: number): string;
}

type Style = 'prose' | 'capitals' | 'receipt' | 'labels' | 'codes' | 'marks' | 'foreign';

export function lineSource(words: readonly string[], random: Random): LineSource {
  const word = () => random.of(words);
  const digits = (count: number) => Array.from({ length: count }, () => random.whole(0, 9)).join('');
  const amount = () => {
    const whole = random.chance(0.2) ? `${random.whole(1, 99)},${digits(3)}` : `${random.whole(0, 999)}`;
    return random.of(CURRENCIES) + whole + random.of(['.', '.', '.', ',']) + digits(2);
  };
  const code = () =>
    Array.from({ length: random.whole(3, 10) }, () => random.of([...'ABCDEFGHIJKLMNPQRSTUVWXYZ0123456789']))
      .join('')
      .replace(/^(...)/, random.chance(0.4) ? '$1-' : '$1');
  const date = () => {
    const [d, m, y] = [random.whole(1, 31), random.whole(1, 12), random.whole(1970, 2030)];
    const two = (n: number) => String(n).padStart(2, '0');
    return random.of([
      `${two(d)}/${two(m)}/${y}`,
      `${d}.${m}.${y}`,
      `${y}-${two(m)}-${two(d)}`,
      `${d} ${random.of(MONTHS)} ${y}`,
      `${random.of(MONTHS)} ${d}, ${y}`,
      `${two(random.whole(0, 23))}:${digits(1)}${digits(1)}:${digits(2)}`,
    ]);
  };
  const address = () =>
    random.of([
      `${word()}@${word()}.com`.toLowerCase(),
      `www.${word()}.org`.toLowerCase(),
      `https://${word()}.net/${word()}`.toLowerCase(),
    ]);
  const cased = (text: string, style: Style) => {
    if (style === 'capitals' || (style === 'receipt' && random.chance(0.7))) return text.toUpperCase();
    if (random.chance(style === 'labels' ? 0.6 : 0.15)) return text.charAt(0).toUpperCase() + text.slice(1);
    return text;
  };
  const accented = (text: string) =>
    text.replace(/[a-zA-Z]/g, (letter) => {
      if (!random.chance(0.35)) return letter;
      if (random.chance(0.05)) return random.of(LIGATURES);
      const forms = ACCENTED[letter];
      return forms ? random.of([...forms]) : letter;
    });
  const punctuated = (text: string) => {
    if (random.chance(0.82)) return text;
    return random.of([
      `${text},`,
      `${text}.`,
      `${text}:`,
      `${text};`,
      `${text}?`,
      `${text}!`,
      `(${text})`,
      `"${text}"`,
      `“${text}”`,
      `‘${text}’`,
      `'${text}'`,
      `${text}-${word()}`,
      `${text}/${word()}`,
      `${text}'s`,
      `${text}’s`,
      `– ${text}`,
      `${text} —`,
      `«${text}»`,
      `„${text}“`,
      `[${text}]`,
      `${text}…`,
      `${text} &`,
      `#${text}`,
      `@${text}`,
      `*${text}`,
      `${text}_${word()}`,
    ]);
  };
  const token = (style: Style): string => {
    const roll = random.next();
    switch (style) {
      case 'receipt':
        if (roll < 0.3) return amount();
        if (roll < 0.42) return code();
        if (roll < 0.52) return date();
        if (roll < 0.6) return `${random.whole(1, 500)}${random.of(['', ' ', ''])}${random.of(UNITS)}`;
        if (roll < 0.68) return digits(random.whole(1, 13));
        return punctuated(cased(word(), style));
      case 'codes':
        if (roll < 0.3) return code();
        if (roll < 0.45) return address();
        if (roll < 0.7) return digits(random.whole(1, 10));
        if (roll < 0.85) return date();
        return cased(word(), style);
      case 'marks':
        if (roll < 0.5) return punctuated(word());
        return Array.from({ length: random.whole(1, 3) }, () => random.of([...PUNCTUATION])).join('');
      case 'foreign':
        return punctuated(cased(accented(word()), 'labels'));
      default:
        if (roll < 0.06) return digits(random.whole(1, 4));
        if (roll < 0.08) return amount();
        return punctuated(cased(word(), style));
    }
  };
  return {
    line(length) {
      const style = random.of<Style>([
        'prose',
        'prose',
        'prose',
        'capitals',
        'capitals',
        'receipt',
        'receipt',
        'receipt',
        'labels',
        'codes',
        'marks',
        'foreign',
      ]);
      let text = token(style);
      while (text.length < length) text += ` ${token(style)}`;
      return text.replace(/\s+/g, ' ').trim();
    },
  };
}
