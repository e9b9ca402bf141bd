/**
 * Cuts a neural network short: an ONNX file is a protobuf message, and naming another tensor as the graph's only output
 * makes the runtime drop every operation behind it. So the recogniser hands out the features that its last, 6,625 wide
 * layer would have classified, and a layer of the product's own, made for the scripts it reads, takes that place.
 */

const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_OUTPUT = 12;
const NODE_OUTPUT = 2;
const VALUE_NAME = 1;
const LENGTH_DELIMITED = 2;

interface Field {
  number: number;
  wireType: number;
  /** Where the field's tag begins, where its content begins and where it ends. */
  start: number;
  from: number;
  to: number;
}

/** A copy of the model whose only output is `tensor`. Throws when no operation of the graph makes that tensor. */
export function withOnlyOutput(model: Uint8Array, tensor: string): Uint8Array {
  const top = [...fieldsOf(model, 0, model.length)];
  const graph = top.find((field) => field.number === MODEL_GRAPH);
  if (!graph) throw new Error('not an ONNX model: it has no graph');
  const parts: Uint8Array[] = [];
  let made = false;
  for (const field of fieldsOf(model, graph.from, graph.to)) {
    if (field.number === GRAPH_OUTPUT) continue;
    if (field.number === GRAPH_NODE) made ||= producesTensor(model, field, tensor);
    parts.push(model.subarray(field.start, field.to));
  }
  if (!made) throw new Error(`no operation of the model makes ${tensor}`);
  const name = lengthDelimited(VALUE_NAME, [new TextEncoder().encode(tensor)]);
  parts.push(lengthDelimited(GRAPH_OUTPUT, [name]));
  return concat([
    model.subarray(0, graph.start),
    lengthDelimited(MODEL_GRAPH, parts),
    model.subarray(graph.to),
  ]);
}

function producesTensor(model: Uint8Array, node: Field, tensor: string): boolean {
  const decoder = new TextDecoder();
  for (const field of fieldsOf(model, node.from, node.to)) {
    if (field.number !== NODE_OUTPUT) continue;
    if (decoder.decode(model.subarray(field.from, field.to)) === tensor) return true;
  }
  return false;
}

/** The fields of the protobuf message that lies between two offsets. */
export function* fieldsOf(bytes: Uint8Array, start: number, end: number): Generator<Field> {
  let at = start;
  while (at < end) {
    const begin = at;
    const tag = readVarint(bytes, at);
    const wireType = tag.value & 7;
    let from = tag.next;
    let to: number;
    if (wireType === 0) to = readVarint(bytes, from).next;
    else if (wireType === 1) to = from + 8;
    else if (wireType === 5) to = from + 4;
    else if (wireType === LENGTH_DELIMITED) {
      const length = readVarint(bytes, from);
      from = length.next;
      to = from + length.value;
    } else throw new Error(`protobuf wire type ${wireType} is not used by ONNX`);
    if (to > end) throw new Error('the model is cut off');
    yield { number: tag.value >>> 3, wireType, start: begin, from, to };
    at = to;
  }
}

/** Values stay below 2^53 here: lengths of a file in memory, and tags. */
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

function lengthDelimited(number: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concat([varint(number * 8 + LENGTH_DELIMITED), varint(length), ...parts]);
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
