/** The gradient of connectionist temporal classification for a linear layer, by the forward-backward algorithm. */
import { logAdd } from '../../src/ocr/recognisers/ctc.ts';
import type { LineSample } from './line-samples.ts';

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Adds the gradient of one line's loss to `gradient` (shaped like the layer's weights) and returns the loss:
 * minus the logarithm of the chance that the line says its text. A text too long for its steps adds nothing.
 */
export function ctcGradient(
  layer: { characters: readonly string[]; features: number; weights: Float32Array },
  sample: LineSample,
  gradient: Float32Array,
): number {
  const { steps } = sample;
  const { features } = layer;
  const classes = layer.characters.length;
  const target = classesOf(layer.characters, sample.text);
  const logs = logChances(layer, sample);
  const states = 2 * target.length + 1;
  const symbol = (state: number) => (state % 2 === 0 ? 0 : target[state >> 1]!);
  const skips = (state: number) => state > 2 && symbol(state) !== 0 && symbol(state) !== symbol(state - 2);

  const forward = new Float64Array(steps * states).fill(NEVER);
  const backward = new Float64Array(steps * states).fill(NEVER);
  for (let step = 0; step < steps; step++) {
    for (let state = 0; state < states; state++) {
      let sum = step === 0 && state < 2 ? 0 : NEVER;
      if (step > 0) {
        const before = (step - 1) * states + state;
        sum = forward[before]!;
        if (state > 0) sum = logAdd(sum, forward[before - 1]!);
        if (skips(state)) sum = logAdd(sum, forward[before - 2]!);
      }
      forward[step * states + state] = sum + logs[step * classes + symbol(state)]!;
    }
  }
  for (let step = steps - 1; step >= 0; step--) {
    for (let state = states - 1; state >= 0; state--) {
      let sum = step === steps - 1 && state >= states - 2 ? 0 : NEVER;
      if (step < steps - 1) {
        const after = (step + 1) * states + state;
        const next = (step + 1) * classes;
        sum = backward[after]! + logs[next + symbol(state)]!;
        if (state + 1 < states) sum = logAdd(sum, backward[after + 1]! + logs[next + symbol(state + 1)]!);
        if (state + 2 < states && skips(state + 2)) {
          sum = logAdd(sum, backward[after + 2]! + logs[next + symbol(state + 2)]!);
        }
      }
      backward[step * states + state] = sum;
    }
  }
  const last = steps * states;
  const total = states > 1 ? logAdd(forward[last - 1]!, forward[last - 2]!) : forward[last - 1]!;
  if (total === NEVER) return 0;

  const slope = new Float32Array(classes);
  for (let step = 0; step < steps; step++) {
    for (let index = 0; index < classes; index++) slope[index] = Math.exp(logs[step * classes + index]!);
    for (let state = 0; state < states; state++) {
      slope[symbol(state)]! -= Math.exp(
        forward[step * states + state]! + backward[step * states + state]! - total,
      );
    }
    for (let index = 0; index < classes; index++) {
      const by = slope[index]!;
      // Most characters are out of the question at most steps; leaving them out makes training three times as fast.
      if (Math.abs(by) < 1e-5) continue;
      let at = index * (features + 1);
      for (let i = 0; i < features; i++) gradient[at++]! += by * sample.features[step * features + i]!;
      gradient[at]! += by;
    }
  }
  return -total;
}

function logChances(
  {
    characters,
    features,
    weights,
  }: { characters: readonly string[]; features: number; weights: Float32Array },
  sample: LineSample,
): Float64Array {
  const classes = characters.length;
  const logs = new Float64Array(sample.steps * classes);
  for (let step = 0; step < sample.steps; step++) {
    let total = NEVER;
    for (let index = 0; index < classes; index++) {
      let at = index * (features + 1);
      let sum = weights[at + features]!;
      for (let i = 0; i < features; i++) sum += weights[at++]! * sample.features[step * features + i]!;
      logs[step * classes + index] = sum;
      total = logAdd(total, sum);
    }
    for (let index = 0; index < classes; index++) logs[step * classes + index]! -= total;
  }
  return logs;
}

const indices = new WeakMap<readonly string[], Map<string, number>>();

function classesOf(characters: readonly string[], text: string): number[] {
  let index = indices.get(characters);
  if (!index) {
    index = new Map(characters.map((character, place) => [character, place]));
    indices.set(characters, index);
  }
  return [...text].map((character) => index.get(character)!);
}
