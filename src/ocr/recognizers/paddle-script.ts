/**
 * Script classifier: identifies the script of a line from the features of PP-OCR's recognizer, before it names characters.
 */
import { bytesOfBase64 } from '../networks/network.ts';
import type { ScriptShares } from '../reading/other-script.ts';
import stored from '../weights/scripts.json' with { type: 'json' };
import type { LineFeatures } from './paddle-features.ts';

/** Written by `training/scripts.ts`: per script a row with a weight for each pooled feature, and one bias. */
const { scripts } = stored;
const numbers = new Float32Array(bytesOfBase64(stored.weights).buffer);
const perScript = numbers.length / scripts.length;

/** The mean and the maximum of each feature along the line. */
export function pooled({ data, steps }: LineFeatures): Float64Array {
  const features = data.length / steps;
  const pool = new Float64Array(2 * features).fill(Number.NEGATIVE_INFINITY, features);
  for (let step = 0; step < steps; step++) {
    for (let feature = 0; feature < features; feature++) {
      const value = data[step * features + feature]!;
      pool[feature]! += value / steps;
      if (value > pool[features + feature]!) pool[features + feature] = value;
    }
  }
  return pool;
}

export function scriptShares(features: LineFeatures): ScriptShares {
  const pool = pooled(features);
  const scores = scripts.map((_, script) => {
    const row = numbers.subarray(script * perScript, (script + 1) * perScript);
    return pool.reduce((sum, value, at) => sum + value * row[at]!, row.at(-1)!);
  });
  const highest = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(score - highest));
  const all = chances.reduce((sum, chance) => sum + chance, 0);
  return new Map(scripts.map((script, at) => [script, chances[at]! / all]));
}
