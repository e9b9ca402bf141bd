/** A logistic model: weights by feature name, so that a stored file can be read and checked. */

export type Features = Readonly<Record<string, number>>;

/** The format of `weights/*.json`. */
export interface StoredLogistic {
  trainedOn: string;
  weights: Readonly<Record<string, number>>;
}

/**
 * The log-odds of yes. Throws for a feature that the model was not trained with, so that a stale file does not go unnoticed.
 */
export function logOdds(model: StoredLogistic, features: Features): number {
  let sum = 0;
  for (const [name, value] of Object.entries(features)) {
    const weight = model.weights[name];
    if (weight === undefined) throw new Error(`the model has no weight for ${name}`);
    sum += weight * value;
  }
  return sum;
}

export const chanceOf = (odds: number): number => 1 / (1 + Math.exp(-odds));
