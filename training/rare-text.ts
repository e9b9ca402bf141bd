/**
 * Generates lines with signs and letters that are rare in English: fractions, units, currencies, arrows, accents of other
 * languages.
 */
import type { Random } from '../scripts/random.ts';
import type { LineSource } from './text-source.ts';

/** Signs of any text, from which the rare ones have to be distinguished. */
const COMMON_SIGNS = [...'½±×·°•§…«»“”‘’–—©®™'];

/** Letters of languages in Latin script beside the English ones. */
const LETTERS_OF: readonly string[] = [
  'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ',
  'áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ',
  'äčďľĺňôŕšťúýžÄČĎĽĹŇÔŔŠŤÚÝŽ',
  'áéíóöőúüűÁÉÍÓÖŐÚÜŰ',
  'ăâîșțĂÂÎȘȚşţŞŢ',
  'çğıİöşüÇĞÖŞÜ',
  'äöüßÄÖÜẞ',
  'àâæçéèêëïîôœùûüÿÀÂÆÇÉÈÊËÏÎÔŒÙÛÜŸ',
  'áéíñóúüÁÉÍÑÓÚÜ',
  'ãáàâçéêíõóôúÃÁÀÂÇÉÊÍÕÓÔÚ',
  'åäöÅÄÖ',
  'æøåÆØÅ',
  'áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ',
  'āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽ',
  'ąčęėįšųūžĄČĘĖĮŠŲŪŽ',
  'õäöüšžÕÄÖÜŠŽ',
  'čćđšžČĆĐŠŽ',
  'ċġħżĊĠĦŻ',
  'ŵŷâêîôûŴŶÂÊÎÔÛ',
  'ĉĝĥĵŝŭĈĜĤĴŜŬ',
  'ăâđêôơưĂÂĐÊÔƠƯạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
  'ẹọṣẸỌṢàáèéìíòóùú',
  'əçğıöşüƏÇĞÖŞÜ',
]; // prettier
/** Letters without an accent, by the English one that replaces them. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ø: 'o',
  Ø: 'O',
  œ: 'o',
  Œ: 'O',
  æ: 'a',
  Æ: 'A',
  þ: 't',
  Þ: 'T',
  ß: 's',
  ẞ: 'S',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  ə: 'e',
  Ə: 'E',
}; // prettier

/** Characters without a row in the published network that its features still distinguish. */
export const ADDED_CHARACTERS: readonly string[] = [
  ...'‹›‚◦⅓⅔⅛⅜⅝⅞№✗►◄⚠⚡ẹọṣẸỌṢəƏẞ',
  ...'ạảấầẩẫậắằẳẵặẻẽếềểễệỉịỏốổỗộơớờởỡợụủưứừửữựỳỵỷỹ',
  ...'ẠẢẤẦẨẪẬẮẰẲẴẶẺẼẾỀỂỄỆỈỊỎỐỒỔỖỘƠỚỜỞỠỢỤỦƯỨỪỬỮỰỲỴỶỸ',
];

/** Signs by their context. */
const KINDS = {
  fraction: /[½¼¾⅐-⅞]/u,
  currency: /[¢¤₠-₿]/u,
  raised: /[ª²³¹ºⁱⁿ⁰-₎]/u,
  degree: /[°℃℉°′″]/u,
  micro: /[µμΩ℮]/u,
  relation: /[<>±×·÷∈-⋿⊂-⊗≀-⋿←-⇿√∛∜]/u,
  bullet: /[•‣·▪▫■□▲△▶▷▼▽◀◁◆◇◉◊○◎●◦◻◼◽◾☐☑☒✓✔✕✖✗✘➔➜❖➢➤★☆►◄⚠⚡]/u,
} as const;

/**
 * @param rare characters to draw; each occurs about as often as every other one of its kind
 * @param plain lines without them, as negative examples
 */
export function rareLineSource(
  words: readonly string[],
  random: Random,
  rare: readonly string[],
  plain: LineSource,
): LineSource {
  const known = new Set(rare);
  const rareSigns = rare.filter((character) => !/\p{L}/u.test(character) || /[ªºµμΩⁱⁿ]/u.test(character));
  const signs = [...rareSigns, ...COMMON_SIGNS, ...COMMON_SIGNS];
  const ofKind = (kind: RegExp) => signs.filter((sign) => kind.test(sign));
  const [fractions, currencies, raised, degrees, micro, relations, bullets] = [
    KINDS.fraction,
    KINDS.currency,
    KINDS.raised,
    KINDS.degree,
    KINDS.micro,
    KINDS.relation,
    KINDS.bullet,
  ].map(ofKind) as [string[], string[], string[], string[], string[], string[], string[]];
  const greek = rare.filter((character) => /\p{Script=Greek}/u.test(character));
  const alphabets = LETTERS_OF.map((letters) => byBase([...letters].filter((letter) => known.has(letter))));
  const word = () => {
    const one = random.of(words);
    if (random.chance(0.15)) return one.toUpperCase();
    return random.chance(0.3) ? one.charAt(0).toUpperCase() + one.slice(1) : one;
  };
  const number = () =>
    random.of([
      `${random.whole(0, 9)}`,
      `${random.whole(10, 999)}`,
      `${random.whole(1, 9)},${random.whole(100, 999)}`,
    ]);
  const amount = () => random.of([number(), `${number()}.${random.whole(10, 99)}`]);

  const accented = (alphabet: ReadonlyMap<string, string[]>) =>
    [...word()]
      .map((letter) => {
        const forms = alphabet.get(letter);
        return forms && random.chance(0.5) ? random.of(forms) : letter;
      })
      .join('');
  const quoted = () => {
    const text = random.chance(0.3) ? `${word()} ${word()}` : word();
    return random.of([
      `‹${text}›`,
      `›${text}‹`,
      `«${text}»`,
      `„${text}“`,
      `„${text}”`,
      `‚${text}‘`,
      `“${text}”`,
      `‘${text}’`,
      `"${text}"`,
      `'${text}'`,
      `<${text}>`,
      `${number()}–${number()}…`,
    ]);
  };
  const anySign = () => {
    const sign = random.of(signs);
    return random.of([
      `${sign} ${word()}`,
      `${word()} ${sign}`,
      `${word()}${sign}`,
      `${sign}${word()}`,
      `(${sign})`,
      `${number()}${sign}`,
      `${sign}${number()}`,
      `${word()} ${sign} ${word()}`,
      sign.repeat(random.whole(2, 5)),
    ]);
  };
  const token = (alphabet: ReadonlyMap<string, string[]>): string => {
    const roll = random.next();
    if (roll < 0.1) {
      const fraction = random.of(fractions);
      const plainOne = random.of(['1/2', '1/4', '3/4', '2/3']);
      return random.of([
        `${fraction} ${word()}`,
        `${random.whole(1, 12)}${fraction} ${word()}`,
        `${random.whole(1, 12)}${fraction}`,
        `${random.whole(1, 12)} ${fraction}`,
        `${plainOne} ${word()}`,
        `${random.whole(1, 100)}% ${word()}`,
        `${random.whole(1, 40)} ${word()}`,
      ]);
    }
    if (roll < 0.17) {
      const sign = random.of(currencies);
      const letter = random.of(['W', 'P', 'R', 'T', 'L', 'N', 'K', 'B', 'F', 'D', 'G', 'C', 'S', 'E']);
      return random.of([
        `${sign}${amount()}`,
        `${sign} ${amount()}`,
        `${amount()} ${sign}`,
        `${letter}${amount()}`,
      ]);
    }
    if (roll < 0.22) {
      return random.of([
        `${word().toLowerCase().slice(0, random.whole(1, 3))}${random.of(raised)}`,
        `${number()}${random.of(raised)}`,
        `10${random.of([...'⁻⁺'].filter((sign) => known.has(sign)).concat(''))}${random.of(raised)}`,
        `m${random.of(raised)}`,
      ]);
    }
    if (roll < 0.28) {
      return random.of([
        `${number()}${random.of(degrees)}`,
        `${number()} ${random.of(micro)}${random.of(['m', 'l', 'g', 'A', 's', 'F', ''])}`,
        `${number()} k${random.of(micro)}`,
        `${number()}'`,
        `${number()}"`,
        `${random.whole(1, 7)}${random.of(["'", '′'])} ${random.whole(0, 11)}${random.of(['"', '″'])}`,
      ]);
    }
    if (roll < 0.38) {
      const relation = random.of(relations);
      return random.of([
        `${relation} ${number()}`,
        `${relation}${number()}`,
        `${number()} ${relation} ${number()}`,
        `${word()} ${relation} ${word()}`,
        `x ${relation} y`,
      ]);
    }
    if (roll < 0.46) return quoted();
    if (roll < 0.56) return anySign();
    if (roll < 0.6)
      return random.of([
        random.of(greek),
        `${random.of(greek)} = ${number()}`,
        `${random.of(greek)}-${word()}`,
      ]);
    if (roll < 0.9) return accented(alphabet) + random.of(['', '', '', ',', '.', ':']);
    return plain.line(random.whole(3, 12));
  };
  return {
    line(length) {
      if (random.chance(0.15)) return plain.line(length);
      const alphabet = random.of(alphabets);
      // An "o" and other plain characters occur at the start of lines as well.
      let text = random.chance(0.2)
        ? `${random.of([...bullets, ...bullets, '-', '*', 'o', 'O', '+'])} ${word()}`
        : token(alphabet);
      while (text.length < length) text += ` ${token(alphabet)}`;
      return text.replace(/\s+/g, ' ').trim();
    },
  };
}

/** Accented letters by their English base letter. */
function byBase(letters: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const letter of letters) {
    const base = STANDS_FOR[letter] ?? letter.normalize('NFD').charAt(0);
    found.set(base, [...(found.get(base) ?? []), letter]);
  }
  return found;
}
