/**
 * Tesseract's own network of a language, taken from its `.traineddata` file and converted to ONNX. Tesseract in WebAssembly
 * spends most of its time on this network; onnxruntime runs it with the processor's integer instructions. A line takes a
 * quarter of the time, and the probabilities of all characters are available; tesseract reports only its result.
 */

import { itemAt } from '../checked.ts';
import { charactersIn, componentOf, type LoadLanguage } from '../languages/traineddata.ts';
import type { Network } from '../networks/network.ts';
import { addBytes, emptyGraph, encodeModel, type Graph, operation } from '../networks/onnx-writer.ts';
import { bytesForAll, type GrayImage } from '../picture/pixels.ts';
import type { PageReader } from '../reading/recognizer.ts';
import { Recent } from '../recent.ts';
import { type Alphabet, type Posteriors, readingOf } from './ctc.ts';
import {
  charactersOfCodes,
  type Layer,
  type Matrix,
  Reader,
  readNetwork,
  UnsupportedModel,
} from './tesseract-layers.ts';

export interface LineNetwork {
  /**
   * ONNX. In: `[1, 1, height, width]` pixels from −1 for ink to 1 for paper. Out: `[steps, 1, characters.length]`, the
   * log-probabilities of the characters.
   */
  model: Uint8Array;
  /** Line height in pixels, as in training. */
  height: number;
  /** By class; class 0 is CTC's blank and an empty string, as is every class without text. */
  readonly characters: readonly string[];
}

/** Two megabytes each. */
const KEPT_NETWORKS = 4;

/** A network ready to run on any thread. */
export interface LanguageNetwork extends LineNetwork, Alphabet {
  language: string;
}

/** Confidence from which a word is accepted; higher for unknown words, because the network has no dictionary. Found on the tuning set. */
const NETWORK_SURE = { known: 0.9, other: 0.99 };

/** Converts languages' networks on first use and keeps the latest ones. */
export class LineNetworks {
  readonly #load: LoadLanguage;
  readonly #kept = new Recent<{ network: LanguageNetwork | undefined }>(KEPT_NETWORKS);

  constructor(load: LoadLanguage) {
    this.#load = load;
  }

  /**
   * Undefined for a language that only tesseract itself can read.
   * @throws {OcrError} `language_unavailable`
   */
  of(language: string): LanguageNetwork | undefined {
    return this.#kept.get(language, () => {
      const network = lineNetworkOf(this.#load(language));
      if (!network) return { network };
      const classes = new Map(network.characters.map((character, index) => [character, index]));
      const model = bytesForAll(network.model.length);
      model.set(network.model);
      return { network: { ...network, language, model, classOf: (character) => classes.get(character) } };
    }).network;
  }
}

/**
 * The primary recognizer of one language, by its network alone.
 * @param posteriorsOfAll the network's outputs for crops, on any thread
 */
export const networkReader = (
  network: LanguageNetwork,
  posteriorsOfAll: (crops: readonly GrayImage[], signal: AbortSignal | undefined) => Promise<Posteriors[]>,
): PageReader => ({
  name: 'network',
  cropHeight: network.height,
  sure: NETWORK_SURE,
  read: async (crops, signal) => {
    const lines = await posteriorsOfAll(crops, signal);
    return lines.map((posteriors, index) => {
      const { width, height } = itemAt(crops, index);
      return readingOf(posteriors, network, width / posteriors.steps / height);
    });
  },
});

/** Runs a language's network on a crop of one line, at the network's height. */
export async function posteriorsOf(
  network: Network,
  { gray, width, height }: GrayImage,
): Promise<Posteriors> {
  const input = new Float32Array(gray.length);
  for (let at = 0; at < gray.length; at++) input[at] = gray[at]! / 127.5 - 1;
  const { data, dims } = await network.run(input, [1, 1, height, width]);
  return { logs: data, steps: itemAt(dims, 0), classes: itemAt(dims, 2) };
}

/** Undefined for data that only tesseract itself can run: another kind of network, or characters that the recoder maps to several codes. */
export function lineNetworkOf(data: Uint8Array): LineNetwork | undefined {
  const [network, characters, codes] = (['network', 'characters', 'codes'] as const).map((component) =>
    componentOf(data, component),
  );
  if (!network || !characters) return undefined;
  try {
    const { root, blank } = readNetwork(new Reader(network));
    const builder = new ModelBuilder(blank);
    builder.add(root);
    const texts = charactersOfCodes(charactersIn(characters), codes && new Reader(codes));
    const { classes, ...built } = builder.built();
    return { ...built, characters: classes.map((code) => (code === blank ? '' : (texts[code] ?? ''))) };
  } catch (error) {
    if (error instanceof UnsupportedModel || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Tesseract orders its gates as cell, input, forget, output; ONNX as input, output, forget, cell. */
const GATE_ORDER = [1, 3, 2, 0];
/** Unsigned bytes with zero in their middle: signed ones overflow on many processors. */
const ZERO_POINT = 128;
const INPUT = 'x';

/** Converts layer after layer into operations. */
class ModelBuilder {
  readonly #graph: Graph;
  readonly #blank: number;
  /** Input of the next layer. An image is `[1, depth, height, width]`, a row of steps `[width, 1, depth]`. */
  #current = INPUT;
  #count = 0;
  #height = 0;
  /** Tesseract's code of each class. */
  #classes: number[] = [];
  #patches: Extract<Layer, { kind: 'convolve' }> | undefined;

  constructor(blank: number) {
    this.#blank = blank;
    this.#graph = emptyGraph(
      { '': 12, 'com.microsoft': 1 },
      { name: INPUT, dims: [1, 1, 'height', 'width'] },
    );
  }

  add(layer: Layer): void {
    switch (layer.kind) {
      case 'input':
        this.#height = layer.height;
        return;
      case 'series':
        for (const part of layer.layers) this.add(part);
        return;
      case 'convolve':
        this.#patches = layer;
        return;
      case 'pool': {
        const window = [layer.y, layer.x];
        this.#operation('MaxPool', [], { kernel_shape: window, strides: window });
        return;
      }
      case 'transposed':
        if (layer.layer.kind !== 'lstm' || !layer.layer.onlyLast) throw new UnsupportedModel();
        // All columns at once, each its own sequence: [height, width, depth].
        this.#operation('Transpose', [], { perm: [2, 3, 0, 1] });
        this.#operation('Squeeze', [], { axes: [2] });
        this.#lstm(layer.layer, 'forward');
        this.#operation('Transpose', [], { perm: [1, 0, 2] });
        return;
      case 'reversed':
        if (layer.layer.kind !== 'lstm' || layer.layer.onlyLast) throw new UnsupportedModel();
        this.#lstm(layer.layer, 'reverse');
        return;
      case 'lstm':
        if (layer.onlyLast) throw new UnsupportedModel();
        this.#lstm(layer, 'forward');
        return;
      case 'dense':
        if (this.#patches) this.#convolution(this.#patches, layer);
        else this.#lastLayer(layer);
    }
  }

  built(): Pick<LineNetwork, 'model' | 'height'> & { classes: readonly number[] } {
    if (this.#height === 0 || this.#graph.outputs.length !== 1) throw new UnsupportedModel();
    return { model: encodeModel(this.#graph), height: this.#height, classes: this.#classes };
  }

  /** A dense layer after tesseract's Convolve layer, which joins the pixels around each one, column by column: a convolution. */
  #convolution(
    { reachX, reachY }: Extract<Layer, { kind: 'convolve' }>,
    { activation, weights }: Extract<Layer, { kind: 'dense' }>,
  ): void {
    this.#patches = undefined;
    const [width, height] = [2 * reachX + 1, 2 * reachY + 1];
    if (activation === 'Softmax' || weights.columns !== width * height + 1) throw new UnsupportedModel();
    const kernel = new Float32Array(weights.rows * width * height);
    const biases = new Float32Array(weights.rows);
    for (let row = 0; row < weights.rows; row++) {
      biases[row] = weightAt(weights, row, width * height);
      for (let x = 0; x < width; x++) {
        for (let y = 0; y < height; y++) {
          kernel[(row * height + y) * width + x] = weightAt(weights, row, x * height + y);
        }
      }
    }
    const operands = [
      this.#floats([weights.rows, 1, height, width], kernel),
      this.#floats([weights.rows], biases),
    ];
    const pads = [reachY, reachX, reachY, reachX];
    this.#operation('Conv', operands, { kernel_shape: [height, width], pads });
    this.#operation(activation, []);
  }

  #lstm({ gates, inputs, outputs, onlyLast }: Extract<Layer, { kind: 'lstm' }>, direction: string): void {
    const width = 4 * outputs;
    const fromInput = new Uint8Array(inputs * width);
    const fromOutput = new Uint8Array(outputs * width);
    const scales = new Float32Array(width);
    const biases = new Float32Array(2 * width);
    for (const [place, gate] of GATE_ORDER.entries()) {
      const weights = itemAt(gates, gate);
      if (weights.rows !== outputs || weights.columns !== inputs + outputs + 1) throw new UnsupportedModel();
      for (let row = 0; row < outputs; row++) {
        const column = place * outputs + row;
        const start = row * weights.columns;
        turned(weights.values, start, inputs, fromInput, column, width);
        turned(weights.values, start + inputs, outputs, fromOutput, column, width);
        scales[column] = weights.scales[row]!;
        biases[column] = weightAt(weights, row, inputs + outputs);
      }
    }
    const zeros = this.#bytes([1, width], new Uint8Array(width).fill(ZERO_POINT));
    const scale = this.#floats([1, width], scales);
    const operands = [
      this.#bytes([1, inputs, width], fromInput),
      this.#bytes([1, outputs, width], fromOutput),
      this.#floats([1, 2 * width], biases),
      // No sequence lengths, first states or peepholes.
      ...['', '', '', ''],
      ...[scale, zeros, scale, zeros],
    ];
    const options = { hidden_size: outputs, direction };
    // Its outputs are all steps as [steps, 1, batch, depth], and the last one as [1, batch, depth].
    this.#operation('DynamicQuantizeLSTM', operands, options, { domain: 'com.microsoft', second: onlyLast });
    if (!onlyLast) this.#operation('Squeeze', [], { axes: [1] });
  }

  #lastLayer({ activation, weights }: Extract<Layer, { kind: 'dense' }>): void {
    if (activation !== 'Softmax') throw new UnsupportedModel();
    const inputs = weights.columns - 1;
    const codes = Array.from({ length: weights.rows }, (_, row) => row);
    this.#classes = [this.#blank, ...codes.filter((code) => code !== this.#blank)];
    const count = this.#classes.length;
    const matrix = new Float32Array(inputs * count);
    const biases = new Float32Array(count);
    for (const [column, row] of this.#classes.entries()) {
      for (let i = 0; i < inputs; i++) matrix[i * count + column] = weightAt(weights, row, i);
      biases[column] = weightAt(weights, row, inputs);
    }
    this.#operation('MatMul', [this.#floats([inputs, count], matrix)]);
    this.#operation('Add', [this.#floats([count], biases)]);
    this.#operation('LogSoftmax', [], { axis: 2 });
    this.#graph.outputs = [this.#current];
  }

  /** Reads the current tensor and makes the next one; `second` selects an operation's second output. */
  #operation(
    type: string,
    operands: readonly string[],
    options: Parameters<typeof operation>[3] = {},
    { domain, second = false }: { domain?: string; second?: boolean } = {},
  ): void {
    const output = this.#name();
    this.#graph.operations.push({
      ...operation(type, [this.#current, ...operands], output, options),
      ...(second && { outputs: ['', output] }),
      ...(domain !== undefined && { domain }),
    });
    this.#current = output;
  }

  #floats(dims: readonly number[], data: Float32Array): string {
    const name = this.#name();
    this.#graph.tensors.set(name, { dims, data });
    return name;
  }

  #bytes(dims: readonly number[], data: Uint8Array): string {
    const name = this.#name();
    addBytes(this.#graph, name, dims, data);
    return name;
  }

  #name(): string {
    return `t${this.#count++}`;
  }
}

/**
 * A row of signed bytes as a column of unsigned ones. A separate function, so that V8 optimizes it early: most of the
 * startup time is spent here.
 */
function turned(row: Int8Array, start: number, count: number, to: Uint8Array, column: number, width: number) {
  for (let i = 0, at = column; i < count; i++, at += width) to[at] = row[start + i]! + ZERO_POINT;
}

const weightAt = ({ values, columns, scales }: Matrix, row: number, column: number): number =>
  values[row * columns + column]! * scales[row]!;
