/**
 * Parses tesseract's recognizer of a language from a `.traineddata` file: the layers, and the texts of the last layer's
 * outputs. The layout is that of tesseract's sources, `src/lstm` and `src/ccutil`.
 */

/** Thrown for valid data that this parser does not support; truncated data throws a `RangeError`. */
export class UnsupportedModel extends Error {}

/** Weights as whole numbers of one byte: row by row, one for each output; the last of a row is the bias. */
export interface Matrix {
  rows: number;
  columns: number;
  values: Int8Array;
  /** The factor of each row. */
  scales: number[];
}

export type Layer =
  | { kind: 'input'; height: number }
  | { kind: 'series'; layers: Layer[] }
  | { kind: 'convolve'; reachX: number; reachY: number }
  | { kind: 'pool'; x: number; y: number }
  /** Runs its layer down the columns. */
  | { kind: 'transposed'; layer: Layer }
  /** Runs its layer from the end. */
  | { kind: 'reversed'; layer: Layer }
  | { kind: 'lstm'; gates: Matrix[]; inputs: number; outputs: number; onlyLast: boolean }
  | { kind: 'dense'; activation: string; weights: Matrix };

/** Little-endian values, one after another. */
export class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getInt8(this.#at++);
  }

  int(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  bytes(length: number): Int8Array {
    this.#at += length;
    return new Int8Array(this.#view.buffer, this.#view.byteOffset + this.#at - length, length);
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.int()));
  }
}

/** A flag of a layer: a learning rate for each part is stored after the parts. */
const OWN_RATES = 64;

export function readNetwork(reader: Reader): { root: Layer; blank: number } {
  const root = readLayer(reader);
  // The network's description, its training flags, and the number of iterations.
  reader.text();
  for (let skipped = 0; skipped < 3; skipped++) reader.int();
  return { root, blank: reader.int() };
}

function readLayer(reader: Reader): Layer {
  // Types are stored by name, because their numbers changed between versions.
  if (reader.byte() !== 0) throw new UnsupportedModel();
  const type = reader.text();
  // Whether it is in training, and whether it propagates errors back.
  reader.byte();
  reader.byte();
  const flags = reader.int();
  const inputs = reader.int();
  const outputs = reader.int();
  reader.int();
  reader.text();
  switch (type) {
    case 'Input': {
      const [, height, , depth] = Array.from({ length: 5 }, () => reader.int());
      if (depth !== 1 || height === undefined || height <= 1) throw new UnsupportedModel();
      return { kind: 'input', height };
    }
    case 'Series':
      return { kind: 'series', layers: readParts(reader, flags) };
    case 'XYTranspose':
      return { kind: 'transposed', layer: only(readParts(reader, flags)) };
    case 'RTLReversed':
      return { kind: 'reversed', layer: only(readParts(reader, flags)) };
    case 'Convolve':
      if (inputs !== 1) throw new UnsupportedModel();
      return { kind: 'convolve', reachX: reader.int(), reachY: reader.int() };
    case 'Maxpool':
      return { kind: 'pool', x: reader.int(), y: reader.int() };
    case 'LSTM':
    case 'SummLSTM': {
      // More inputs would be the state of a neighbor in the other direction.
      if (reader.int() !== inputs + outputs) throw new UnsupportedModel();
      const gates = Array.from({ length: 4 }, () => readMatrix(reader));
      return { kind: 'lstm', gates, inputs, outputs, onlyLast: type === 'SummLSTM' };
    }
    case 'Tanh':
    case 'Relu':
    case 'Softmax':
      return { kind: 'dense', activation: type, weights: readMatrix(reader) };
    default:
      throw new UnsupportedModel();
  }
}

function readParts(reader: Reader, flags: number): Layer[] {
  const parts = Array.from({ length: reader.int() }, () => readLayer(reader));
  if (flags & OWN_RATES) reader.bytes(4 * reader.int());
  return parts;
}

function only(layers: readonly Layer[]): Layer {
  const [layer, ...others] = layers;
  if (!layer || others.length > 0) throw new UnsupportedModel();
  return layer;
}

/** Kind of a matrix: whole numbers; scales are doubles; a training mode, which leaves no trace in such a file. */
const WHOLE = 1;
const DOUBLES = 128;
const TRAINED_BY_ADAM = 4;

function readMatrix(reader: Reader): Matrix {
  const kind = reader.byte() & 0xff;
  if ((kind & ~TRAINED_BY_ADAM) !== (WHOLE | DOUBLES)) throw new UnsupportedModel();
  const rows = reader.int();
  const columns = reader.int();
  // The value of cells outside a matrix.
  reader.byte();
  const values = reader.bytes(rows * columns);
  const scales = Array.from({ length: reader.int() }, () => reader.double());
  return { rows, columns, values, scales };
}

/** The text of each output. Codes: per character a flag, the count and the codes; without codes, the character's number. */
export function charactersOfCodes(
  characters: readonly string[],
  codes: Reader | undefined,
): (string | undefined)[] {
  const texts = characters.map((character, id) => SPECIAL[id] ?? character);
  if (!codes) return texts;
  const ofCode: (string | undefined)[] = [];
  const count = codes.int();
  for (let id = 0; id < count; id++) {
    codes.byte();
    if (codes.int() !== 1) throw new UnsupportedModel();
    ofCode[codes.int()] ??= texts[id];
  }
  return ofCode;
}

/** The first characters of every set: a space, and two for joined and broken print. */
const SPECIAL = [' ', '', ''];
