/** Logistic regression with a ridge penalty by Newton's method, which is exact and fast for a few dozen features. */
import type { Features, StoredLogistic } from '../src/ocr/reading/logistic.ts';

export interface Example {
  features: Features;
  isCorrect: boolean;
  /** Weight of the example; 1 for an ordinary one. */
  weight: number;
}

/** `ridge` keeps the weights of rare features near zero. */
export function fitLogistic(examples: readonly Example[], trainedOn: string, ridge = 1): StoredLogistic {
  const names = Object.keys(examples[0]!.features);
  const rows = examples.map((example) => names.map((name) => example.features[name]!));
  let weights = names.map(() => 0);
  for (let iteration = 0; iteration < 25; iteration++) {
    const gradient = weights.map((weight) => -ridge * weight);
    const hessian = names.map((_, i) => names.map((_, j) => (i === j ? ridge : 0)));
    for (const [index, row] of rows.entries()) {
      const { isCorrect, weight } = examples[index]!;
      const logOdds = row.reduce((sum, value, i) => sum + value * weights[i]!, 0);
      const probability = 1 / (1 + Math.exp(-logOdds));
      const residual = weight * (Number(isCorrect) - probability);
      const curvature = weight * probability * (1 - probability);
      for (let i = 0; i < row.length; i++) {
        if (row[i] === 0) continue;
        gradient[i]! += residual * row[i]!;
        for (let j = 0; j < row.length; j++) hessian[i]![j]! += curvature * row[i]! * row[j]!;
      }
    }
    const step = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight + step[i]!);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return {
    trainedOn,
    weights: Object.fromEntries(names.map((name, i) => [name, Number(weights[i]!.toFixed(4))])),
  };
}

/** Solves a symmetric positive definite system by Gaussian elimination with pivoting. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = column + 1; row < size; row++) {
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let i = column; i <= size; i++) rows[row]![i]! -= factor * rows[column]![i]!;
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let sum = rows[row]![size]!;
    for (let i = row + 1; i < size; i++) sum -= rows[row]![i]! * solution[i]!;
    solution[row] = sum / rows[row]![row]!;
  }
  return solution;
}
