/**
 * Optimizes a network without changing its results. Converted files have activations as four operations, separate scalings,
 * and an up-sampling that works on four and sixteen times the necessary pixels; most of the run time was memory traffic.
 */

import { firstOf } from '../checked.ts';
import { decodeModel, floatOf, intsOf } from './onnx-reader.ts';
import { attributes, encodeModel, type Graph, type Operation, type Tensor } from './onnx-writer.ts';

/** The optimized network. */
export function leanModel(file: Uint8Array): Uint8Array {
  const graph = decodeModel(file);
  for (const rule of RULES) rewrite(graph, rule);
  return encodeModel(graph);
}

/** Index of a graph for one rewrite rule, which may add tensors. */
interface View {
  /** The operation that makes a tensor, if it has that type. */
  producer(name: string | undefined, type: string): Operation | undefined;
  consumers(name: string): number;
  tensor(name: string | undefined): Tensor | undefined;
  add(name: string, dims: readonly number[], data: Float32Array): string;
}

/** Replacement of an operation, with the same outputs; undefined to keep it. */
type Rule = (operation: Operation, view: View) => Operation[] | undefined;

const RULES: readonly Rule[] = [dequantizedWeights, fusedHardSwish, fusedUpsampling, foldedScaling];

function rewrite(graph: Graph, rule: Rule): void {
  const producers = new Map<string, Operation>();
  const consumers = new Map<string, number>();
  for (const operation of graph.operations) {
    for (const name of operation.outputs) producers.set(name, operation);
    for (const name of operation.inputs) consumers.set(name, (consumers.get(name) ?? 0) + 1);
  }
  for (const name of graph.outputs) consumers.set(name, (consumers.get(name) ?? 0) + 1);
  const view: View = {
    producer: (name, type) => {
      const producer = producers.get(name ?? '');
      return producer?.type === type ? producer : undefined;
    },
    consumers: (name) => consumers.get(name) ?? 0,
    tensor: (name) => graph.tensors.get(name ?? ''),
    add: (name, dims, data) => {
      graph.tensors.set(name, { dims, data });
      return name;
    },
  };
  graph.operations = graph.operations.flatMap((operation) => rule(operation, view) ?? [operation]);
  dropUnused(graph);
}

function dropUnused(graph: Graph): void {
  const read = new Set(graph.outputs);
  const kept: Operation[] = [];
  for (const operation of graph.operations.toReversed()) {
    if (!operation.outputs.some((name) => read.has(name))) continue;
    for (const name of operation.inputs) read.add(name);
    kept.push(operation);
  }
  graph.operations = kept.reverse();
  for (const name of graph.tensors.keys()) if (!read.has(name)) graph.tensors.delete(name);
}

/** Dequantizes weights, which are stored as bytes with a scale per channel to keep the file small. */
function dequantizedWeights(operation: Operation, view: View): Operation[] | undefined {
  if (operation.type !== 'DequantizeLinear') return undefined;
  const [stored, scales] = operation.inputs.map((name) => view.tensor(name));
  const axis = firstOf(intsOf(operation, 'axis', [1]));
  if (!stored || !scales || scales.data.length !== stored.dims[axis]) {
    throw new Error('weights are stored in a way that is not known');
  }
  const inner = stored.dims.slice(axis + 1).reduce((product, length) => product * length, 1);
  const values = stored.data.map(
    (value, at) => value * scales.data[Math.floor(at / inner) % scales.data.length]!,
  );
  view.add(firstOf(operation.outputs), stored.dims, values);
  return [];
}

/** x · min(max(x + 3, 0), 6) / 6, which came as four operations. */
function fusedHardSwish(last: Operation, view: View): Operation[] | undefined {
  if (last.type !== 'Div' || numberOf(view, last.inputs[1]) !== 6) return undefined;
  const product = view.producer(last.inputs[0], 'Mul');
  const clip = view.producer(product?.inputs[1], 'Clip');
  const sum = view.producer(clip?.inputs[0], 'Add');
  if (!product || !clip || !sum || sum.inputs[0] !== product.inputs[0]) return undefined;
  // The bounds are attributes in older files and tensors in newer ones.
  const least = numberOf(view, clip.inputs[1]) ?? floatOf(clip, 'min', Number.NaN);
  const most = numberOf(view, clip.inputs[2]) ?? floatOf(clip, 'max', Number.NaN);
  if (numberOf(view, sum.inputs[1]) !== 3 || least !== 0 || most !== 6) return undefined;
  const input = firstOf(sum.inputs);
  const gate = `${last.outputs[0]}.gate`;
  const slope = attributes({ alpha: { float: 1 / 6 }, beta: { float: 0.5 } });
  return [
    { type: 'HardSigmoid', inputs: [input], outputs: [gate], attributes: slope },
    { type: 'Mul', inputs: [input, gate], outputs: last.outputs, attributes: new Map() },
  ];
}

/** A scalar affine operation: y = scale · x + shift. */
interface Scaling {
  input: string;
  scale: number;
  shift: number;
}

/** The effect of an operation on a tensor, with preceding scalings that have no other consumer. */
function scalingBehind(name: string, view: View): Scaling {
  let scaling: Scaling = { input: name, scale: 1, shift: 0 };
  for (;;) {
    const before = scalingOf(scaling.input, view);
    if (!before || view.consumers(before.input) > 1) return scaling;
    scaling = {
      input: before.input,
      scale: scaling.scale * before.scale,
      shift: scaling.scale * before.shift + scaling.shift,
    };
  }
}

function scalingOf(name: string, view: View): Scaling | undefined {
  const operation = view.producer(name, 'Mul') ?? view.producer(name, 'Add');
  if (!operation) return undefined;
  const [first, second] = operation.inputs as [string, string];
  const value = numberOf(view, first) ?? numberOf(view, second);
  if (value === undefined) return undefined;
  const input = numberOf(view, first) === undefined ? first : second;
  return operation.type === 'Mul' ? { input, scale: value, shift: 0 } : { input, scale: 1, shift: value };
}

/** Folds scalings of a convolution's output into its weights. */
function foldedScaling(last: Operation, view: View): Operation[] | undefined {
  const output = firstOf(last.outputs);
  const scaling = scalingBehind(output, view);
  const source = scaling.input === output ? undefined : view.producer(scaling.input, 'Conv');
  const weights = view.tensor(source?.inputs[1]);
  if (!source || !weights) return undefined;
  const bias = view.tensor(source.inputs[2])?.data ?? new Float32Array(firstOf(weights.dims));
  return [
    {
      ...source,
      inputs: [
        firstOf(source.inputs),
        view.add(
          `${output}.weights`,
          weights.dims,
          weights.data.map((weight) => weight * scaling.scale),
        ),
        view.add(
          `${output}.bias`,
          [bias.length],
          bias.map((value) => value * scaling.scale + scaling.shift),
        ),
      ],
      outputs: [output],
    },
  ];
}

/**
 * Two consecutive transposed 2×2 convolutions with stride 2 do not mix neighboring pixels. Both become 1×1 convolutions on the
 * small map, and the sixteen results of each pixel are rearranged at the end.
 */
function fusedUpsampling(last: Operation, view: View): Operation[] | undefined {
  if (last.type !== 'Sigmoid') return undefined;
  const second = upsamplingBehind(firstOf(last.inputs), view);
  const relu = view.producer(second?.input, 'Relu');
  const first = upsamplingBehind(relu?.inputs[0], view);
  if (!second || !first || second.outChannels !== 1) return undefined;
  const name = firstOf(last.outputs);

  // Channels of the small map: for each of the four subpixels, the channels of the first step.
  const { inChannels, outChannels: middle } = first;
  const spread = new Float32Array(4 * middle * inChannels);
  const spreadBias = new Float32Array(4 * middle);
  const joined = new Float32Array(16 * 4 * middle);
  for (let place = 0; place < 4; place++) {
    for (let channel = 0; channel < middle; channel++) {
      const row = place * middle + channel;
      spreadBias[row] = first.bias[channel]!;
      for (let from = 0; from < inChannels; from++) {
        spread[row * inChannels + from] = first.weights[(from * middle + channel) * 4 + place]!;
      }
      for (let inner = 0; inner < 4; inner++) {
        const y = 2 * (place >> 1) + (inner >> 1);
        const x = 2 * (place & 1) + (inner & 1);
        joined[(4 * y + x) * 4 * middle + row] = second.weights[channel * 4 + inner]!;
      }
    }
  }
  const pointwise = (
    input: string,
    output: string,
    rows: number,
    weights: Float32Array,
    bias: Float32Array,
  ) => ({
    type: 'Conv',
    inputs: [
      input,
      view.add(`${output}.weights`, [rows, weights.length / rows, 1, 1], weights),
      view.add(`${output}.bias`, [rows], bias),
    ],
    outputs: [output],
    attributes: attributes({ kernel_shape: [1, 1] }),
  });
  const simple = (type: string, input: string, output: string): Operation => ({
    type,
    inputs: [input],
    outputs: [output],
    attributes: new Map(),
  });
  return [
    pointwise(first.input, `${name}.spread`, 4 * middle, spread, spreadBias),
    simple('Relu', `${name}.spread`, `${name}.lit`),
    pointwise(`${name}.lit`, `${name}.joined`, 16, joined, new Float32Array(16).fill(firstOf(second.bias))),
    simple('Sigmoid', `${name}.joined`, `${name}.small`),
    { ...simple('DepthToSpace', `${name}.small`, name), attributes: attributes({ blocksize: 4 }) },
  ];
}

interface Upsampling {
  input: string;
  /** Rearranges channels into 2×2 pixels (depth to space). */
  weights: Float32Array;
  bias: Float32Array;
  inChannels: number;
  outChannels: number;
}

function upsamplingBehind(name: string | undefined, view: View): Upsampling | undefined {
  const sum = view.producer(name, 'Add');
  const operation = view.producer(sum?.inputs[0], 'ConvTranspose');
  const weights = view.tensor(operation?.inputs[1]);
  const bias = view.tensor(sum?.inputs[1]);
  if (!operation || !weights || !bias) return undefined;
  const isDoubling =
    intsOf(operation, 'kernel_shape', []).join() === '2,2' &&
    intsOf(operation, 'strides', []).join() === '2,2' &&
    intsOf(operation, 'pads', []).every((pad) => pad === 0) &&
    intsOf(operation, 'group', [1])[0] === 1;
  if (!isDoubling) return undefined;
  const [inChannels, outChannels] = weights.dims as [number, number];
  return {
    input: firstOf(operation.inputs),
    weights: weights.data,
    bias: bias.data,
    inChannels,
    outChannels,
  };
}

function numberOf(view: View, name: string | undefined): number | undefined {
  const tensor = view.tensor(name);
  return tensor?.data.length === 1 ? tensor.data[0] : undefined;
}
