/** The last layer of the second recogniser: from the features of a line's steps to the chances of characters. */

import { openModel, singleFlight } from '../networks/network.ts';
import { emptyGraph, encodeModel, operation } from '../networks/onnx-writer.ts';
import type { Alphabet, Posteriors } from './ctc.ts';

/** As it lies in `last-layer.json` beside the networks; numbers in base64. */
export interface StoredLayer {
  madeOf: string;
  /** Class 0 is CTC's blank and stands as an empty string. From `trainedFrom` on, characters stand for a second time. */
  characters: readonly string[];
  /** The first of the rows that were trained for characters that are rare in texts in Latin letters. */
  trainedFrom: number;
  features: number;
  /** 32-bit floats: what each row's numbers are to be multiplied by. */
  scales: string;
  /** Signed bytes: `characters.length` rows of `features` weights and one bias. */
  weights: string;
}

/** Signs that are common in every text: no prior speaks against them. */
const COMMON_SIGN = /^[\x20-\x7e£€¥§°©®™«»„“”‘’–—•…·×±½¡¿]$/u;
/**
 * Signs that are rare but possible in every text: units, fractions, currencies, mathematics, arrows, check marks, notes.
 * Left out: signs that only a font tells from one of ASCII, control pictures and signs for ideographic text.
 */
const RARE_SIGN =
  /^[¢¤¦ª¬¯²³´µ¶·¸¹º¼¾÷‖‚†‡‣‰′″※⁰ⁱ⁴-⁹⁺⁻⁼⁽⁾ⁿ₀-₎₠-₿℃℉№℗℠℡Ω℮⅐-⅞←-⇿∀-∈∉∋∏∑∓√∛∜∝∞∟∠∡∥∧∨∩∪∫∬∮∴∵∼≀≃≅≈≠≡≢≤≥≦≧≪≫⊂-⊇⊕⊗⊥⌀⌘⌥⏎⌂①-⑳Ⓜ■□▪▫▲△▶▷▼▽◀◁◆◇◉◊○◎●◦◻◼◽◾☀-☄★☆☎☏☐☑☒☕☞☺☻♀♂♠-♯✂✅✆✈✉✍✓✔✕✖✗✘✚✦✧✩✪✫✬✭✮✯✱-✽❌❍❏-❒❖❤❶-❿➀-➓➔➜➝➞➡➤⬅⬆⬇⬛⬜⭐⭕ﬁﬂ›‹‛‟]$/u;
/** Letters of other languages in the same script, and those of Greek that stand for quantities and units. */
const RARE_LETTER = /^[\p{Script=Latin}αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ]$/u;
/** Latin letters that are left out: phonetic ones, those of old print, letter-like signs and ligatures of two letters. */
const NO_LETTER_OF_TEXT = /[\u0180-\u0217\u021c-\u02ff\u2100-\u218f\uff00-\uff5eĲĳŀĿŉſ]/u;
/**
 * The prior against a rare character, as a natural logarithm that is subtracted from its score: in English print a speck is no
 * accent. Found on the tuning set; trained rows hold the greater part of theirs already.
 */
const RARE = { letter: 1.2, greek: 3, sign: 0.3 };
/** Marks that stand between ideographs and nowhere else. */
const IDEOGRAPHIC_MARK = /^[\u2103\u3001-\u3017\u30fb\uff01-\uff5e]$/u;
const HAN = /\p{Script=Han}/u;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const GREEK = /\p{Script=Greek}/u;
const LATIN = /\p{Script=Latin}/u;
/** Letters of the English data, which has one of borrowed words. */
const ENGLISH = /^[A-Za-zé]$/;

/**
 * How much speaks against each character in a text of some letters, as a natural logarithm; undefined for one that cannot be in it.
 * @param letters single characters of the text's languages
 */
export function priorsFor(letters: ReadonlySet<string>): (character: string) => number | undefined {
  const ideographic = [...letters].some((letter) => IDEOGRAPH.test(letter));
  const han = [...letters].some((letter) => HAN.test(letter));
  const latin = [...letters].some((letter) => LATIN.test(letter));
  return (character) => {
    if (character === '' || letters.has(character)) return 0;
    if (COMMON_SIGN.test(character) && !LETTER.test(character)) return 0;
    if (ideographic && IDEOGRAPHIC_MARK.test(character)) return 0;
    if (han && HAN.test(character)) return 0;
    if (RARE_SIGN.test(character)) return RARE.sign;
    if (latin && RARE_LETTER.test(character) && !NO_LETTER_OF_TEXT.test(character))
      return GREEK.test(character) ? RARE.greek : RARE.letter;
    return undefined;
  };
}

/** All rows of the layer, of which a reader takes those of its letters. */
export class LastLayer {
  readonly #stored: StoredLayer;
  readonly #scales: Float32Array;
  readonly #weights: Int8Array;
  readonly #known: ReadonlySet<string>;

  constructor(stored: StoredLayer) {
    const scales = Buffer.from(stored.scales, 'base64');
    this.#scales = new Float32Array(Uint8Array.from(scales).buffer);
    this.#weights = new Int8Array(Buffer.from(stored.weights, 'base64'));
    this.#stored = stored;
    this.#known = new Set(stored.characters.slice(0, stored.trainedFrom));
    const rows = stored.characters.length;
    if (this.#scales.length !== rows || this.#weights.length !== rows * (stored.features + 1)) {
      throw new Error('the layer has another size than it says');
    }
  }

  /** The share of some letters that can be read, 0 to 1; 0 of none. */
  coverageOf(letters: ReadonlySet<string>): number {
    let known = 0;
    for (const letter of letters) if (this.#known.has(letter)) known++;
    return known / Math.max(1, letters.size);
  }

  /**
   * A layer for texts of one or several languages. It also reads rare signs and, where the language has Latin letters, all other
   * Latin letters and Greek ones, each with the prior of `RARE` against it. Of ideographs it reads all: no language's list of them
   * is complete.
   * @param letters single characters of the languages
   * @param options `trained`: with the rows that were trained for texts in Latin letters
   */
  headFor(letters: ReadonlySet<string>, { trained = true } = {}): PaddleHead {
    const { features } = this.#stored;
    const priorOf = priorsFor(letters);
    const rows = this.#rowsFor(letters, trained);
    const kept = [...rows.keys()].filter((character) => priorOf(character) !== undefined);
    const size = features + 1;
    const weights = new Float32Array(kept.length * size);
    for (const [row, character] of kept.entries()) {
      const index = rows.get(character)!;
      const scale = this.#scales[index]!;
      for (let i = 0; i < size; i++) weights[row * size + i] = this.#weights[index * size + i]! * scale;
      weights[row * size + features]! -= priorOf(character)!;
    }
    return new PaddleHead(kept, features, weights);
  }

  /**
   * The row of each character: the trained one of a sign for texts in Latin letters, and that of an accented letter for texts in the
   * English ones, which are all that they were learnt from.
   */
  #rowsFor(letters: ReadonlySet<string>, trained: boolean): Map<string, number> {
    const { characters, trainedFrom } = this.#stored;
    const all = [...letters];
    const isLatin = all.some((letter) => LATIN.test(letter)) && !all.some((letter) => IDEOGRAPH.test(letter));
    const isEnglish = all.every((letter) => ENGLISH.test(letter));
    const usesTrained = (character: string) =>
      trained && isLatin && !letters.has(character) && (isEnglish || !LETTER.test(character));
    const rows = new Map<string, number>();
    for (const [index, character] of characters.entries()) {
      if (index < trainedFrom || usesTrained(character)) rows.set(character, index);
    }
    return rows;
  }
}

export class PaddleHead implements Alphabet {
  readonly characters: readonly string[];
  readonly #classOf = new Map<string, number>();
  readonly #features: number;
  readonly #weights: Float32Array;
  readonly #network = singleFlight(() => openModel(this.#model(), 1));

  /** `weights`: a row for each character, its bias last. */
  constructor(characters: readonly string[], features: number, weights: Float32Array) {
    this.characters = characters;
    this.#features = features;
    this.#weights = weights;
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

  /** ONNX: a product with a matrix is not for JavaScript, however small. */
  #model(): Uint8Array {
    const [classes, size] = [this.characters.length, this.#features];
    const matrix = new Float32Array(size * classes);
    const biases = new Float32Array(classes);
    for (let row = 0; row < classes; row++) {
      const start = row * (size + 1);
      for (let i = 0; i < size; i++) matrix[i * classes + row] = this.#weights[start + i]!;
      biases[row] = this.#weights[start + size]!;
    }
    const graph = emptyGraph({ '': 12 }, { name: 'features', dims: ['steps', size] });
    graph.tensors.set('matrix', { dims: [size, classes], data: matrix });
    graph.tensors.set('biases', { dims: [classes], data: biases });
    graph.operations = [
      operation('MatMul', ['features', 'matrix'], 'products'),
      operation('Add', ['products', 'biases'], 'sums'),
      operation('LogSoftmax', ['sums'], 'logs', { axis: 1 }),
    ];
    graph.outputs = ['logs'];
    return encodeModel(graph);
  }
}
