/** The last layer of the second recogniser: from the features of a line's steps to the chances of characters. */

import type { Alphabet, Posteriors } from './ctc.ts';

/** As it lies in `weights/*.json`: int16 numbers in base64, to be multiplied by `scale`. */
export interface StoredHead {
  trainedOn: string;
  /** Class 0 is CTC's blank and stands as an empty string. */
  characters: string[];
  features: number;
  scale: number;
  /** `characters.length` rows of `features` weights and one bias. */
  weights: string;
}

export class PaddleHead implements Alphabet {
  readonly characters: readonly string[];
  readonly #classOf = new Map<string, number>();
  readonly #features: number;
  readonly #weights: Float32Array;

  private constructor(characters: readonly string[], features: number, weights: Float32Array) {
    if (weights.length !== characters.length * (features + 1)) {
      throw new Error('the layer has another size than it says');
    }
    this.characters = characters;
    this.#features = features;
    this.#weights = weights;
    for (const [index, character] of characters.entries()) this.#classOf.set(character, index);
  }

  static from({ characters, features, scale, weights }: StoredHead): PaddleHead {
    const bytes = Buffer.from(weights, 'base64');
    const numbers = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
    return new PaddleHead(
      characters,
      features,
      Float32Array.from(numbers, (number) => number * scale),
    );
  }

  /**
   * The same layer without the letters that a text cannot hold: in English print a speck is no accent.
   * Digits and marks stay.
   */
  restrictedTo(letters: ReadonlySet<string>): PaddleHead {
    const kept = [...this.characters.keys()].filter((index) => {
      const character = this.characters[index]!;
      return !/\p{L}/u.test(character) || letters.has(character);
    });
    const size = this.#features + 1;
    const weights = new Float32Array(kept.length * size);
    for (const [row, index] of kept.entries()) {
      weights.set(this.#weights.subarray(index * size, (index + 1) * size), row * size);
    }
    return new PaddleHead(
      kept.map((index) => this.characters[index]!),
      this.#features,
      weights,
    );
  }

  /** The class of a character; undefined for one that this layer cannot read. */
  classOf(character: string): number | undefined {
    return this.#classOf.get(character);
  }

  /** `features` holds `steps` rows of the network's features. */
  posteriors(features: Float32Array, steps: number): Posteriors {
    const classes = this.characters.length;
    const size = this.#features;
    const weights = this.#weights;
    const logs = new Float32Array(steps * classes);
    for (let step = 0; step < steps; step++) {
      const input = step * size;
      const output = step * classes;
      let most = Number.NEGATIVE_INFINITY;
      for (let row = 0; row < classes; row++) {
        let at = row * (size + 1);
        let sum = weights[at + size]!;
        for (let i = 0; i < size; i++) sum += features[input + i]! * weights[at++]!;
        logs[output + row] = sum;
        if (sum > most) most = sum;
      }
      let total = 0;
      for (let row = 0; row < classes; row++) total += Math.exp(logs[output + row]! - most);
      const shift = most + Math.log(total);
      for (let row = 0; row < classes; row++) logs[output + row]! -= shift;
    }
    return { steps, classes, logs };
  }
}
