/** Reads the parts of ONNX files that are rewritten here; unknown fields are preserved. */
import { firstOf } from '../checked.ts';
import {
  ATTRIBUTE,
  FLOAT,
  GRAPH,
  type Graph,
  MODEL,
  NODE,
  type Operation,
  SIGNED_BYTE,
  TENSOR,
  type Tensor,
  WIRE,
} from './onnx-writer.ts';

const VALUE_NAME = 1;

const decoder = new TextDecoder();

/** @throws if the bytes are not an ONNX model or are truncated */
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

function decodeGraphPart(part: Field, graph: Graph): void {
  if (part.number === GRAPH.node) {
    const operation = decodeOperation(part.content);
    const constant = operation.type === 'Constant' ? operation.attributes.get('value') : undefined;
    const tensor = constant && tensorOf(constant);
    if (tensor) graph.tensors.set(firstOf(operation.outputs), tensor);
    else graph.operations.push(operation);
  } else if (part.number === GRAPH.initializer) {
    const { name, tensor } = decodeTensor(part.content);
    if (tensor) graph.tensors.set(name, tensor);
    else graph.rest.graph.push(part.whole);
  } else if (part.number === GRAPH.output) {
    graph.outputs.push(textIn(part.content, VALUE_NAME));
  } else if (part.number !== GRAPH.valueInfo) {
    // Shapes of intermediate tensors are dropped, because they are wrong after a rewrite.
    graph.rest.graph.push(part.whole);
  }
}

/** The integers of an attribute, or `fallback`. */
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
  return field ? firstOf(floatsIn(field.content)) : fallback;
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

function tensorOf(attribute: Uint8Array): Tensor | undefined {
  const field = [...fieldsOf(attribute)].find(({ number }) => number === ATTRIBUTE.tensor);
  return field && decodeTensor(field.content).tensor;
}

/** `tensor` is undefined unless the values are floats or bytes. */
function decodeTensor(bytes: Uint8Array): { name: string; tensor: Tensor | undefined } {
  const dims: number[] = [];
  let name = '';
  let type = 0;
  let content: Uint8Array = new Uint8Array();
  for (const field of fieldsOf(bytes)) {
    if (field.number === TENSOR.dims) dims.push(...intsIn(field));
    else if (field.number === TENSOR.dataType) type = firstOf(intsIn(field));
    else if (field.number === TENSOR.name) name = decoder.decode(field.content);
    else if (field.number === TENSOR.raw || field.number === TENSOR.floats) content = field.content;
  }
  if (type === FLOAT) return { name, tensor: { dims, data: floatsIn(content) } };
  if (type === SIGNED_BYTE)
    return { name, tensor: { dims, data: Float32Array.from(new Int8Array(content)) } };
  return { name, tensor: undefined };
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

/** Values are below 2^53: lengths, sizes and tags. */
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

/** A single or packed repeated number. */
function intsIn({ content }: Field): number[] {
  const values: number[] = [];
  for (let at = 0; at < content.length; ) {
    const { value, next } = readVarint(content, at);
    values.push(value);
    at = next;
  }
  return values;
}

/** Little-endian floats, copied for alignment. */
function floatsIn(content: Uint8Array): Float32Array<ArrayBuffer> {
  return new Float32Array(Uint8Array.from(content).buffer);
}

function textIn(bytes: Uint8Array, number: number): string {
  const field = [...fieldsOf(bytes)].find((candidate) => candidate.number === number);
  return field ? decoder.decode(field.content) : '';
}
