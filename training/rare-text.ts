/**
 * Generates lines with symbols and letters that are rare in English: fractions, units, currencies, arrows, accented letters.
 */
import type { Random } from '../scripts/random.ts';
import type { LineSource } from './text-source.ts';

/** Common symbols, from which the rare ones have to be distinguished. */
const COMMON_SYMBOLS = [...'½±×·°•§…«»“”‘’–—©®™'];

/** Letters of languages in Latin script that are not in the English alphabet. */
const ALPHABETS: readonly string[] = [
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
];
/** English base letters of letters without a decomposition. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
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
};

/** Characters without a row in the published last layer, although its features distinguish them. */
export const ADDED_CHARACTERS: readonly string[] = [
  ...'‹›‚◦⅓⅔⅛⅜⅝⅞№✗►◄⚠⚡ẹọṣẸỌṢəƏẞ',
  ...'ạảấầẩẫậắằẳẵặẻẽếềểễệỉịỏốổỗộơớờởỡợụủưứừửữựỳỵỷỹ',
  ...'ẠẢẤẦẨẪẬẮẰẲẴẶẺẼẾỀỂỄỆỈỊỎỐỒỔỖỘƠỚỜỞỠỢỤỦƯỨỪỬỮỰỲỴỶỸ',
];

/** Symbols by the context in which they occur. */
const SYMBOL_KINDS = {
  fraction: /[½¼¾⅐-⅞]/u,
  currency: /[¢¤₠-₿]/u,
  superscripts: /[ª²³¹ºⁱⁿ⁰-₎]/u,
  degree: /[°℃℉°′″]/u,
  micro: /[µμΩ℮]/u,
  relation: /[<>±×·÷∈-⋿⊂-⊗≀-⋿←-⇿√∛∜]/u,
  bullet: /[•‣·▪▫■□▲△▶▷▼▽◀◁◆◇◉◊○◎●◦◻◼◽◾☐☑☒✓✔✕✖✗✘➔➜❖➢➤★☆►◄⚠⚡]/u,
} as const;

/**
 * @param rare characters to generate; those of one kind occur about equally often
 * @param plain generator of lines without them, as negative examples
 */
export function rareLineSource(
  words: readonly string[],
  random: Random,
  rare: readonly string[],
  plain: LineSource,
): LineSource {
  const known = new Set(rare);
  const rareSymbols = rare.filter((character) => !/\p{L}/u.test(character) || /[ªºµμΩⁱⁿ]/u.test(character));
  const symbols = [...rareSymbols, ...COMMON_SYMBOLS, ...COMMON_SYMBOLS];
  const ofKind = (kind: RegExp) => symbols.filter((symbol) => kind.test(symbol));
  const [fractions, currencies, superscripts, degrees, micro, relations, bullets] = [
    SYMBOL_KINDS.fraction,
    SYMBOL_KINDS.currency,
    SYMBOL_KINDS.superscripts,
    SYMBOL_KINDS.degree,
    SYMBOL_KINDS.micro,
    SYMBOL_KINDS.relation,
    SYMBOL_KINDS.bullet,
  ].map(ofKind) as [string[], string[], string[], string[], string[], string[], string[]];
  const greek = rare.filter((character) => /\p{Script=Greek}/u.test(character));
  const alphabets = ALPHABETS.map((letters) =>
    byBaseLetter([...letters].filter((letter) => known.has(letter))),
  );
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
  const symbolInContext = () => {
    const symbol = random.of(symbols);
    return random.of([
      `${symbol} ${word()}`,
      `${word()} ${symbol}`,
      `${word()}${symbol}`,
      `${symbol}${word()}`,
      `(${symbol})`,
      `${number()}${symbol}`,
      `${symbol}${number()}`,
      `${word()} ${symbol} ${word()}`,
      symbol.repeat(random.whole(2, 5)),
    ]);
  };
  const token = (alphabet: ReadonlyMap<string, string[]>): string => {
    const roll = random.next();
    if (roll < 0.1) {
      const fraction = random.of(fractions);
      const asciiFraction = random.of(['1/2', '1/4', '3/4', '2/3']);
      return random.of([
        `${fraction} ${word()}`,
        `${random.whole(1, 12)}${fraction} ${word()}`,
        `${random.whole(1, 12)}${fraction}`,
        `${random.whole(1, 12)} ${fraction}`,
        `${asciiFraction} ${word()}`,
        `${random.whole(1, 100)}% ${word()}`,
        `${random.whole(1, 40)} ${word()}`,
      ]);
    }
    if (roll < 0.17) {
      const symbol = random.of(currencies);
      const letter = random.of(['W', 'P', 'R', 'T', 'L', 'N', 'K', 'B', 'F', 'D', 'G', 'C', 'S', 'E']);
      return random.of([
        `${symbol}${amount()}`,
        `${symbol} ${amount()}`,
        `${amount()} ${symbol}`,
        `${letter}${amount()}`,
      ]);
    }
    if (roll < 0.22) {
      return random.of([
        `${word().toLowerCase().slice(0, random.whole(1, 3))}${random.of(superscripts)}`,
        `${number()}${random.of(superscripts)}`,
        `10${random.of([...'⁻⁺'].filter((symbol) => known.has(symbol)).concat(''))}${random.of(superscripts)}`,
        `m${random.of(superscripts)}`,
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
    if (roll < 0.56) return symbolInContext();
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
      // Lines that start with an "o" or another plain character are negative examples for bullets.
      let text = random.chance(0.2)
        ? `${random.of([...bullets, ...bullets, '-', '*', 'o', 'O', '+'])} ${word()}`
        : token(alphabet);
      while (text.length < length) text += ` ${token(alphabet)}`;
      return text.replace(/\s+/g, ' ').trim();
    },
  };
}

/** Accented letters by their English base letter. */
function byBaseLetter(letters: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const letter of letters) {
    const base = BASE_LETTERS[letter] ?? letter.normalize('NFD').charAt(0);
    found.set(base, [...(found.get(base) ?? []), letter]);
  }
  return found;
}
