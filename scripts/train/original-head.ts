/** Reads the classifying layer that PP-OCRv4's recogniser came with: the start from which the product's own is trained. */

import { decodeModel } from '../networks/onnx-reader.ts';
import { readModel } from '../networks/original-models.ts';

export interface OriginalHead {
  /** The character of each class; class 0 is CTC's blank, the last one a space. */
  characters: string[];
  /** `features` rows of `characters.length` columns. */
  weights: Float32Array;
  bias: Float32Array;
  features: number;
}

export async function readOriginalHead(): Promise<OriginalHead> {
  const { tensors } = decodeModel(await readModel('recognition'));
  const keys = new TextDecoder().decode(await readModel('characters'));
  const characters = ['', ...keys.replace(/\n$/, '').split('\n'), ' '];
  const weights = tensors.get('linear_85.w_0')?.data;
  const bias = tensors.get('linear_85.b_0')?.data;
  if (!weights || !bias) throw new Error('the model has no last layer of that name');
  if (bias.length !== characters.length)
    throw new Error(`${bias.length} classes, ${characters.length} characters`);
  return { characters, weights, bias, features: weights.length / bias.length };
}
