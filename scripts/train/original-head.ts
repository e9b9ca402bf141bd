/** Reads the classifying layer that PP-OCRv4's recogniser came with: the start from which the product's own is trained. */
import { readModel } from '../../src/ocr/engines/model-files.ts';
import { fieldsOf } from '../../src/ocr/engines/model-graph.ts';

export interface OriginalHead {
  /** The character of each class; class 0 is CTC's blank, the last one a space. */
  characters: string[];
  /** `features` rows of `characters.length` columns. */
  weights: Float32Array;
  bias: Float32Array;
  features: number;
}

export async function readOriginalHead(): Promise<OriginalHead> {
  const model = await readModel('recognition');
  const keys = new TextDecoder().decode(await readModel('characters'));
  const characters = ['', ...keys.replace(/\n$/, '').split('\n'), ' '];
  const weights = constantOf(model, 'linear_85.w_0');
  const bias = constantOf(model, 'linear_85.b_0');
  if (bias.length !== characters.length)
    throw new Error(`${bias.length} classes, ${characters.length} characters`);
  return { characters, weights, bias, features: weights.length / bias.length };
}

/** The floats of a `Constant` operation (graph 7, node 1, output 2, attribute 5, tensor 5, raw data 9). */
function constantOf(model: Uint8Array, name: string): Float32Array {
  const inside = (from: number, to: number, number: number) =>
    [...fieldsOf(model, from, to)].filter((field) => field.number === number);
  const text = (from: number, to: number) => new TextDecoder().decode(model.subarray(from, to));
  const [graph] = inside(0, model.length, 7);
  for (const node of inside(graph!.from, graph!.to, 1)) {
    if (!inside(node.from, node.to, 2).some(({ from, to }) => text(from, to) === name)) continue;
    const [attribute] = inside(node.from, node.to, 5);
    const [tensor] = inside(attribute!.from, attribute!.to, 5);
    const [raw] = inside(tensor!.from, tensor!.to, 9);
    return new Float32Array(model.slice(raw!.from, raw!.to).buffer);
  }
  throw new Error(`the model holds no constant ${name}`);
}
