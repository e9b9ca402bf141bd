/**
 * Writes the networks of this project as ONNX files: an ONNX file is a protobuf message of operations, tensors and the names
 * of inputs and outputs. Field numbers are those of onnx.proto3, the format's definition.
 */

/** A constant. `dims` empty: a single number. */
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
  /** The domain of the operation type; absent for ONNX's own. */
  domain?: string;
}

export interface Graph {
  /** Each after the operations whose outputs it reads. */
  operations: Operation[];
  /** Constants by name: the trained weights. */
  tensors: Map<string, Tensor>;
  outputs: string[];
  /** All other fields, encoded: of the model, and of its graph. */
  rest: { model: Uint8Array[]; graph: Uint8Array[] };
}

export const MODEL = { version: 1, graph: 7, operationSet: 8 } as const;
const OPERATION_SET = { domain: 1, version: 2 } as const;
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
export const NODE = { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 } as const;
const VALUE = { name: 1, type: 2 } as const;
const TYPE = { tensor: 1 } as const;
const TENSOR_TYPE = { elementType: 1, shape: 2 } as const;
const SHAPE = { dimension: 1 } as const;
const DIMENSION = { length: 1, name: 2 } as const;
export const ATTRIBUTE = { name: 1, float: 2, int: 3, text: 4, tensor: 5, ints: 8, type: 20 } as const;
const ATTRIBUTE_TYPE = { float: 1, int: 2, text: 3, tensor: 4, ints: 7 } as const;
export const TENSOR = { dims: 1, dataType: 2, floats: 4, name: 8, raw: 9 } as const;
export const FLOAT = 1;
const BYTE = 2;
export const SIGNED_BYTE = 3;
/** Of the file format, not of any operation. */
const FORMAT_VERSION = 8;
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const encoder = new TextEncoder();

/**
 * A graph without operations.
 * @param sets the version of each operation set in use, by domain; ONNX's own is ''
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

/** Adds a tensor of bytes, which only integer operations read. */
export function addBytes(graph: Graph, name: string, dims: readonly number[], data: Uint8Array): void {
  graph.rest.graph.push(message(GRAPH.initializer, tensorParts(name, dims, BYTE, data)));
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

function bytesOf(data: Float32Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
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
