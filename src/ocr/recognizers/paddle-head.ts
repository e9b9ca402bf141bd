/** The last layer of the secondary recognizer: from the features of a line's steps to the probabilities of characters. */

import { bytesOfBase64, type Network, type OpenModel, singleFlight } from '../networks/network.ts';
import { emptyGraph, encodeModel, operation } from '../networks/onnx-writer.ts';
import type { Alphabet, Posteriors } from './ctc.ts';

/** The format of `last-layer.json` beside the networks; numbers in base64. */
export interface StoredLayer {
  madeOf: string;
  /** Class 0 is CTC's blank and an empty string. From `trainedFrom` on, characters occur for a second time. */
  characters: readonly string[];
  /** The first of the rows that were trained for characters that are rare in texts in Latin letters. */
  trainedFrom: number;
  features: number;
  /** 32-bit floats: the factor of each row. */
  scales: string;
  /** Signed bytes: `characters.length` rows of `features` weights and one bias. */
  weights: string;
}

/** Signs that are common in every text and have no prior against them. */
const COMMON_SIGN = /^[\x20-\x7e£€¥§°©®™«»„“”‘’–—•…·×±½¡¿]$/u;
/**
 * Signs that are rare but possible in every text: units, fractions, currencies, mathematics, arrows, check marks, notes. Left
 * out: signs that only a font distinguishes from ASCII, control pictures and signs for ideographic text.
 */
const RARE_SIGN =
  /^[¢¤¦ª¬¯²³´µ¶·¸¹º¼¾÷‖‚†‡‣‰′″※⁰ⁱ⁴-⁹⁺⁻⁼⁽⁾ⁿ₀-₎₠-₿℃℉№℗℠℡Ω℮⅐-⅞←-⇿∀-∈∉∋∏∑∓√∛∜∝∞∟∠∡∥∧∨∩∪∫∬∮∴∵∼≀≃≅≈≠≡≢≤≥≦≧≪≫⊂-⊇⊕⊗⊥⌀⌘⌥⏎⌂①-⑳Ⓜ■□▪▫▲△▶▷▼▽◀◁◆◇◉◊○◎●◦◻◼◽◾☀-☄★☆☎☏☐☑☒☕☞☺☻♀♂♠-♯✂✅✆✈✉✍✓✔✕✖✗✘✚✦✧✩✪✫✬✭✮✯✱-✽❌❍❏-❒❖❤❶-❿➀-➓➔➜➝➞➡➤⬅⬆⬇⬛⬜⭐⭕ﬁﬂ›‹‛‟]$/u;
/** Letters of other languages in the same script, and Greek letters for quantities and units. */
const RARE_LETTER = /^[\p{Script=Latin}αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ]$/u;
/** Latin letters that are left out: phonetic ones, those of old print, letter-like signs and ligatures of two letters. */
const NO_LETTER_OF_TEXT = /[\u0180-\u0217\u021c-\u02ff\u2100-\u218f\uff00-\uff5eĲĳŀĿŉſ]/u;
/**
 * The prior against a rare character, as a natural logarithm that is subtracted from its score: in print a speck is no accent.
 * Signs have none, nor do letters in English texts: the recognizer was trained further with as many of them as of others.
 * Trained rows hold a prior of their own, which is too great since then by `trained`; the published row of the same character
 * gets `untrained`. Found on drawn lines and on the tuning set.
 */
const RARE = { letter: 1.2, greek: 3, trained: -0.8, untrained: 1.2 };
/** Marks that occur between ideographs only. */
const IDEOGRAPHIC_MARK = /^[\u2103\u3001-\u3017\u30fb\uff01-\uff5e]$/u;
const HAN = /\p{Script=Han}/u;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const GREEK = /\p{Script=Greek}/u;
const LATIN = /\p{Script=Latin}/u;
/** Letters of the English data, with the é of borrowed words. */
const ENGLISH = /^[A-Za-zé]$/;
const isEnglishOnly = (letters: ReadonlySet<string>): boolean =>
  [...letters].every((letter) => ENGLISH.test(letter));

/**
 * The prior against each character in a text of some letters, as a natural logarithm; undefined for an impossible character.
 * @param letters single characters of the text's languages
 */
export function priorsFor(letters: ReadonlySet<string>): (character: string) => number | undefined {
  const ideographic = [...letters].some((letter) => IDEOGRAPH.test(letter));
  const han = [...letters].some((letter) => HAN.test(letter));
  const latin = [...letters].some((letter) => LATIN.test(letter));
  const letter = isEnglishOnly(letters) ? 0 : RARE.letter;
  return (character) => {
    if (character === '' || letters.has(character)) return 0;
    if (COMMON_SIGN.test(character) && !LETTER.test(character)) return 0;
    if (ideographic && IDEOGRAPHIC_MARK.test(character)) return 0;
    if (han && HAN.test(character)) return 0;
    if (RARE_SIGN.test(character)) return 0;
    if (latin && RARE_LETTER.test(character) && !NO_LETTER_OF_TEXT.test(character))
      return GREEK.test(character) ? RARE.greek : letter;
    return undefined;
  };
}

/** All rows of the layer; a head uses those of its letters. */
export class LastLayer {
  readonly #stored: StoredLayer;
  readonly #scales: Float32Array;
  readonly #weights: Int8Array;
  readonly #known: ReadonlySet<string>;

  readonly #openModel: OpenModel;

  constructor(stored: StoredLayer, openModel: OpenModel) {
    this.#openModel = openModel;
    this.#scales = new Float32Array(bytesOfBase64(stored.scales).buffer);
    this.#weights = new Int8Array(bytesOfBase64(stored.weights).buffer);
    this.#stored = stored;
    this.#known = new Set(stored.characters.slice(0, stored.trainedFrom));
    const rows = stored.characters.length;
    if (this.#scales.length !== rows || this.#weights.length !== rows * (stored.features + 1)) {
      throw new Error('the size of the layer does not match its header');
    }
  }

  /** The share of some letters that can be read, 0 to 1; 0 for an empty set. */
  coverageOf(letters: ReadonlySet<string>): number {
    let known = 0;
    for (const letter of letters) if (this.#known.has(letter)) known++;
    return known / Math.max(1, letters.size);
  }

  /**
   * A layer for texts of one or several languages. It also reads rare signs and, where the language has Latin letters, all
   * other Latin letters and Greek ones, each with the prior of `RARE` against it. It reads all ideographs: no language's list
   * of them is complete.
   * @param letters single characters of the languages
   * @param options `trained`: with the rows that were trained for texts in Latin letters
   */
  headFor(letters: ReadonlySet<string>, { trained = true } = {}): PaddleHead {
    const { features } = this.#stored;
    const priorOf = priorsFor(letters);
    const rows = this.#rowsFor(letters, trained);
    const kept = [...rows.keys()].filter((character) => priorOf(character) !== undefined);
    const weightsOf = (choice: (of: Rows, prior: number) => { row: number; prior: number }) => {
      const weights = new Float32Array(kept.length * (features + 1));
      for (const [at, character] of kept.entries()) {
        const { row, prior } = choice(rows.get(character)!, priorOf(character)!);
        this.#copyRow(row, prior, weights.subarray(at * (features + 1)));
      }
      return weights;
    };
    const best = weightsOf(({ own, trained }, prior) =>
      trained === undefined ? { row: own, prior } : { row: trained, prior: prior + RARE.trained },
    );
    const hasBoth = kept.some((character) => rows.get(character)!.trained !== undefined);
    if (!hasBoth) return new PaddleHead(kept, features, [best], this.#openModel);
    const others = weightsOf(({ own, trained }, prior) =>
      trained === undefined ? { row: own, prior } : { row: own, prior: prior + RARE.untrained },
    );
    return new PaddleHead(kept, features, [best, others], this.#openModel);
  }

  /** Writes a row's weights and its bias, less `prior`, to the front of `target`. */
  #copyRow(row: number, prior: number, target: Float32Array): void {
    const { features } = this.#stored;
    const size = features + 1;
    for (let i = 0; i < size; i++) target[i] = this.#weights[row * size + i]! * this.#scales[row]!;
    target[features]! -= prior;
  }

  /**
   * The rows of each character. A sign in texts in Latin letters and an accented letter in texts in English letters have a
   * trained row, because the trained rows were learned from these texts only.
   */
  #rowsFor(letters: ReadonlySet<string>, trained: boolean): Map<string, Rows> {
    const { characters, trainedFrom } = this.#stored;
    const all = [...letters];
    const isLatin = all.some((letter) => LATIN.test(letter)) && !all.some((letter) => IDEOGRAPH.test(letter));
    const isEnglish = isEnglishOnly(letters);
    const usesTrained = (character: string) =>
      trained && isLatin && !letters.has(character) && (isEnglish || !LETTER.test(character));
    const rows = new Map<string, Rows>();
    for (const [index, character] of characters.entries()) {
      if (index < trainedFrom) rows.set(character, { own: index });
      else if (usesTrained(character))
        rows.set(character, { own: index, ...rows.get(character), trained: index });
    }
    return rows;
  }
}

/** A character's published row, and the row that was trained for texts in Latin letters. */
interface Rows {
  own: number;
  trained?: number;
}

export class PaddleHead implements Alphabet {
  readonly characters: readonly string[];
  readonly #classOf = new Map<string, number>();
  readonly #features: number;
  readonly #rows: readonly Float32Array[];
  readonly #network: () => Promise<Network>;

  /**
   * @param rows sets of weights with a row for each character, its bias last; each character has the best score of all sets
   */
  constructor(
    characters: readonly string[],
    features: number,
    rows: readonly Float32Array[],
    openModel: OpenModel,
  ) {
    this.characters = characters;
    this.#network = singleFlight(() => openModel(this.#model(), 1));
    this.#features = features;
    this.#rows = rows;
    for (const [index, character] of characters.entries()) this.#classOf.set(character, index);
  }

  /** The class of a character; undefined for one that this layer cannot read. */
  classOf(character: string): number | undefined {
    return this.#classOf.get(character);
  }

  /** `features` holds `steps` rows of the network's features. */
  async posteriors(features: Float32Array, steps: number): Promise<Posteriors> {
    const { data } = await (await this.#network()).run(features, [steps, this.#features]);
    return { steps, classes: this.characters.length, logs: data };
  }

  /** ONNX: a matrix product is too slow in JavaScript, however small. */
  #model(): Uint8Array {
    const [classes, size] = [this.characters.length, this.#features];
    const graph = emptyGraph({ '': 12 }, { name: 'features', dims: ['steps', size] });
    graph.operations = this.#rows.flatMap((weights, set) => {
      const matrix = new Float32Array(size * classes);
      const biases = new Float32Array(classes);
      for (let row = 0; row < classes; row++) {
        const start = row * (size + 1);
        for (let i = 0; i < size; i++) matrix[i * classes + row] = weights[start + i]!;
        biases[row] = weights[start + size]!;
      }
      graph.tensors.set(`matrix ${set}`, { dims: [size, classes], data: matrix });
      graph.tensors.set(`biases ${set}`, { dims: [classes], data: biases });
      return [
        operation('MatMul', ['features', `matrix ${set}`], `products ${set}`),
        operation('Add', [`products ${set}`, `biases ${set}`], `sums ${set}`),
      ];
    });
    graph.operations.push(
      operation(
        'Max',
        [...this.#rows.keys()].map((set) => `sums ${set}`),
        'scores',
      ),
      operation('LogSoftmax', ['scores'], 'logs', { axis: 1 }),
    );
    graph.outputs = ['logs'];
    return encodeModel(graph);
  }
}
