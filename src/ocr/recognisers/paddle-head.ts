/** The last layer of the second recogniser: from the features of a line's steps to the chances of characters. */

import { openModel, singleFlight } from '../networks/network.ts';
import { emptyGraph, encodeModel, operation } from '../networks/onnx-writer.ts';
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
  readonly #network = singleFlight(() => openModel(this.#model(), 1));

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
