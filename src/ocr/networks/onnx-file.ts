/**
 * ONNX files as far as networks are rewritten and built here: an ONNX file is a protobuf message, of which operations,
 * tensors of floats and the names of what comes out are understood. Everything else is carried along as it was.
 * Field numbers are those of onnx.proto3, the format's definition.
 */

/** A value that is known before anything runs. `dims` empty: a single number. */
export interface Tensor {
  dims: readonly number[];
  data: Float32Array;
}

export interface Operation {
  type: string;
  inputs: string[];
  outputs: string[];
  /** By name, each as its whole encoded message. */
  attributes: Map<string, Uint8Array>;
  /** The set that the type belongs to; absent for ONNX's own. */
  domain?: string;
}

export interface Graph {
  /** Each after those whose outputs it reads. */
  operations: Operation[];
  /** Values by name: what training found. */
  tensors: Map<string, Tensor>;
  outputs: string[];
  /** What is not understood here, encoded: of the model, and of its graph. */
  rest: { model: Uint8Array[]; graph: Uint8Array[] };
}

const MODEL = { version: 1, graph: 7, operationSet: 8 } as const;
const OPERATION_SET = { domain: 1, version: 2 } as const;
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
const NODE = { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 } as const;
const VALUE = { name: 1, type: 2 } as const;
const TYPE = { tensor: 1 } as const;
const TENSOR_TYPE = { elementType: 1, shape: 2 } as const;
const SHAPE = { dimension: 1 } as const;
const DIMENSION = { length: 1, name: 2 } as const;
const ATTRIBUTE = { name: 1, float: 2, int: 3, text: 4, tensor: 5, ints: 8, type: 20 } as const;
const ATTRIBUTE_TYPE = { float: 1, int: 2, text: 3, tensor: 4, ints: 7 } as const;
const TENSOR = { dims: 1, dataType: 2, floats: 4, name: 8, raw: 9 } as const;
const FLOAT = 1;
const BYTE = 2;
/** Of the file format, not of any operation. */
const FORMAT_VERSION = 8;
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Throws when the bytes are no ONNX model, or are cut off. */
export function decodeModel(bytes: Uint8Array): Graph {
  const graph: Graph = { operations: [], tensors: new Map(), outputs: [], rest: { model: [], graph: [] } };
  let found = false;
  for (const field of fieldsOf(bytes)) {
    if (field.number !== MODEL.graph) {
      graph.rest.model.push(field.whole);
      continue;
    }
    found = true;
    for (const part of fieldsOf(field.content)) decodeGraphPart(part, graph);
  }
  if (!found) throw new Error('not an ONNX model: it has no graph');
  return graph;
}

/**
 * A graph without operations, to be filled.
 * @param sets the version of each set of operations that will be used, by domain; ONNX's own is ''
 * @param input its only input, of floats; a name in place of a length stands for any length
 */
export function emptyGraph(
  sets: Readonly<Record<string, number>>,
  input: { name: string; dims: readonly (number | string)[] },
): Graph {
  const dimensions = input.dims.map((length) =>
    message(SHAPE.dimension, [
      typeof length === 'number' ? int(DIMENSION.length, length) : text(DIMENSION.name, length),
    ]),
  );
  const type = message(TYPE.tensor, [
    int(TENSOR_TYPE.elementType, FLOAT),
    message(TENSOR_TYPE.shape, dimensions),
  ]);
  return {
    operations: [],
    tensors: new Map(),
    outputs: [],
    rest: {
      model: [
        int(MODEL.version, FORMAT_VERSION),
        ...Object.entries(sets).map(([domain, version]) =>
          message(MODEL.operationSet, [
            text(OPERATION_SET.domain, domain),
            int(OPERATION_SET.version, version),
          ]),
        ),
      ],
      graph: [
        text(GRAPH.name, 'graph'),
        message(GRAPH.input, [text(VALUE.name, input.name), message(VALUE.type, [type])]),
      ],
    },
  };
}

/** Adds a tensor of bytes, which only operations on whole numbers read. */
export function addBytes(graph: Graph, name: string, dims: readonly number[], data: Uint8Array): void {
  graph.rest.graph.push(message(GRAPH.initializer, tensorParts(name, dims, BYTE, data)));
}

function decodeGraphPart(part: Field, graph: Graph): void {
  if (part.number === GRAPH.node) {
    const operation = decodeOperation(part.content);
    const constant = operation.type === 'Constant' ? operation.attributes.get('value') : undefined;
    const tensor = constant && tensorOf(constant);
    if (tensor) graph.tensors.set(operation.outputs[0]!, tensor);
    else graph.operations.push(operation);
  } else if (part.number === GRAPH.initializer) {
    const { name, tensor } = decodeTensor(part.content);
    if (tensor) graph.tensors.set(name, tensor);
    else graph.rest.graph.push(part.whole);
  } else if (part.number === GRAPH.output) {
    graph.outputs.push(textIn(part.content, VALUE.name));
  } else if (part.number !== GRAPH.valueInfo) {
    // Shapes that were noted between operations are left out: they would be wrong where operations changed.
    graph.rest.graph.push(part.whole);
  }
}

export function encodeModel(graph: Graph): Uint8Array {
  const parts = graph.operations.map((operation) => message(GRAPH.node, encodeOperation(operation)));
  for (const [name, tensor] of graph.tensors)
    parts.push(message(GRAPH.initializer, encodeTensor(name, tensor)));
  for (const name of graph.outputs) parts.push(message(GRAPH.output, [text(VALUE.name, name)]));
  return concat([...graph.rest.model, message(MODEL.graph, [...parts, ...graph.rest.graph])]);
}

/** Attributes of new operations, encoded as `Operation` holds them. */
export function attributes(values: Record<string, number | string | { float: number } | number[]>) {
  return new Map(Object.entries(values).map(([name, value]) => [name, encodeAttribute(name, value)]));
}

/** An operation with one output. */
export function operation(
  type: string,
  inputs: string[],
  output: string,
  options: Parameters<typeof attributes>[0] = {},
): Operation {
  return { type, inputs, outputs: [output], attributes: attributes(options) };
}

/** The whole numbers of an attribute, or `fallback` where it is not given. */
export function intsOf(operation: Operation, name: string, fallback: readonly number[]): readonly number[] {
  const attribute = operation.attributes.get(name);
  if (!attribute) return fallback;
  return [...fieldsOf(attribute)].flatMap((field) =>
    field.number === ATTRIBUTE.ints || field.number === ATTRIBUTE.int ? intsIn(field) : [],
  );
}

export function floatOf(operation: Operation, name: string, fallback: number): number {
  const attribute = operation.attributes.get(name);
  const field = attribute && [...fieldsOf(attribute)].find(({ number }) => number === ATTRIBUTE.float);
  return field ? floatsIn(field.content)[0]! : fallback;
}

function decodeOperation(bytes: Uint8Array): Operation {
  const operation: Operation = { type: '', inputs: [], outputs: [], attributes: new Map() };
  for (const { number, content } of fieldsOf(bytes)) {
    if (number === NODE.input) operation.inputs.push(decoder.decode(content));
    else if (number === NODE.output) operation.outputs.push(decoder.decode(content));
    else if (number === NODE.opType) operation.type = decoder.decode(content);
    else if (number === NODE.attribute) operation.attributes.set(textIn(content, ATTRIBUTE.name), content);
    else if (number === NODE.domain) operation.domain = decoder.decode(content);
  }
  return operation;
}

function encodeOperation({ type, inputs, outputs, attributes: given, domain }: Operation): Uint8Array[] {
  return [
    ...inputs.map((name) => text(NODE.input, name)),
    ...outputs.map((name) => text(NODE.output, name)),
    text(NODE.opType, type),
    ...[...given.values()].map((attribute) => message(NODE.attribute, [attribute])),
    ...(domain === undefined ? [] : [text(NODE.domain, domain)]),
  ];
}

function encodeAttribute(name: string, value: number | string | { float: number } | number[]): Uint8Array {
  const typed = (type: keyof typeof ATTRIBUTE_TYPE, content: Uint8Array[]) =>
    concat([text(ATTRIBUTE.name, name), ...content, int(ATTRIBUTE.type, ATTRIBUTE_TYPE[type])]);
  if (typeof value === 'number') return typed('int', [int(ATTRIBUTE.int, value)]);
  if (typeof value === 'string') return typed('text', [text(ATTRIBUTE.text, value)]);
  if (Array.isArray(value))
    return typed(
      'ints',
      value.map((one) => int(ATTRIBUTE.ints, one)),
    );
  const tag = varint(ATTRIBUTE.float * 8 + WIRE.fixed32);
  return typed('float', [concat([tag, bytesOf(Float32Array.of(value.float))])]);
}

function tensorOf(attribute: Uint8Array): Tensor | undefined {
  const field = [...fieldsOf(attribute)].find(({ number }) => number === ATTRIBUTE.tensor);
  return field && decodeTensor(field.content).tensor;
}

/** `tensor` is missing where the values are no floats. */
function decodeTensor(bytes: Uint8Array): { name: string; tensor: Tensor | undefined } {
  const dims: number[] = [];
  let name = '';
  let type = 0;
  let data = new Float32Array();
  for (const field of fieldsOf(bytes)) {
    if (field.number === TENSOR.dims) dims.push(...intsIn(field));
    else if (field.number === TENSOR.dataType) type = intsIn(field)[0]!;
    else if (field.number === TENSOR.name) name = decoder.decode(field.content);
    else if (field.number === TENSOR.raw || field.number === TENSOR.floats) data = floatsIn(field.content);
  }
  return { name, tensor: type === FLOAT ? { dims, data } : undefined };
}

const encodeTensor = (name: string, { dims, data }: Tensor): Uint8Array[] =>
  tensorParts(name, dims, FLOAT, bytesOf(data));

function tensorParts(name: string, dims: readonly number[], type: number, raw: Uint8Array): Uint8Array[] {
  return [
    ...dims.map((length) => int(TENSOR.dims, length)),
    int(TENSOR.dataType, type),
    text(TENSOR.name, name),
    message(TENSOR.raw, [raw]),
  ];
}

interface Field {
  number: number;
  wireType: number;
  content: Uint8Array;
  /** With its tag. */
  whole: Uint8Array;
}

/** The fields of one protobuf message. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < bytes.length) {
    const begin = at;
    const tag = readVarint(bytes, at);
    const wireType = tag.value & 7;
    let from = tag.next;
    let to: number;
    if (wireType === WIRE.varint) to = readVarint(bytes, from).next;
    else if (wireType === WIRE.fixed64) to = from + 8;
    else if (wireType === WIRE.fixed32) to = from + 4;
    else if (wireType === WIRE.bytes) {
      const length = readVarint(bytes, from);
      from = length.next;
      to = from + length.value;
    } else throw new Error(`protobuf wire type ${wireType} is not used by ONNX`);
    if (to > bytes.length) throw new Error('the model is cut off');
    yield {
      number: tag.value >>> 3,
      wireType,
      content: bytes.subarray(from, to),
      whole: bytes.subarray(begin, to),
    };
    at = to;
  }
}

/** Values stay below 2^53 here: lengths of a file in memory, sizes and tags. */
function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let factor = 1;
  for (let next = at; next < bytes.length; ) {
    const byte = bytes[next++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next };
    factor *= 128;
  }
  throw new Error('the model is cut off');
}

/** One number, or many that were packed into one field. */
function intsIn({ content }: Field): number[] {
  const values: number[] = [];
  for (let at = 0; at < content.length; ) {
    const { value, next } = readVarint(content, at);
    values.push(value);
    at = next;
  }
  return values;
}

/** Little-endian, as the format has them. The copy lies where floats may lie. */
function floatsIn(content: Uint8Array): Float32Array<ArrayBuffer> {
  return new Float32Array(Uint8Array.from(content).buffer);
}

function bytesOf(data: Float32Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function textIn(bytes: Uint8Array, number: number): string {
  const field = [...fieldsOf(bytes)].find((candidate) => candidate.number === number);
  return field ? decoder.decode(field.content) : '';
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

const int = (number: number, value: number): Uint8Array =>
  concat([varint(number * 8 + WIRE.varint), varint(value)]);

const text = (number: number, value: string): Uint8Array => message(number, [encoder.encode(value)]);

function message(number: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concat([varint(number * 8 + WIRE.bytes), varint(length), ...parts]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
