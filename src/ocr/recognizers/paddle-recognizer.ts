/** PP-OCRv6 recognizer with the part of its last layer that a text needs. */

import type { GrayImage } from '../picture/pixels.ts';
import type { LineReading, LineRecognizer } from '../reading/recognizer.ts';
import { type Posteriors, readingOf } from './ctc.ts';
import { type FeatureExtractor, HEIGHT, type LineFeatures } from './paddle-features.ts';
import type { PaddleHead } from './paddle-head.ts';
import { scriptShares } from './paddle-script.ts';

export class PaddleRecognizer implements LineRecognizer {
  readonly cropHeight = HEIGHT;
  readonly #featuresOf: FeatureExtractor;
  readonly #head: PaddleHead;
  readonly #isMine: ((features: LineFeatures) => boolean) | undefined;

  /** @param isMine whether a crop is to be read; by default every crop is */
  constructor(featuresOf: FeatureExtractor, head: PaddleHead, isMine?: (features: LineFeatures) => boolean) {
    this.#featuresOf = featuresOf;
    this.#head = head;
    this.#isMine = isMine;
  }

  async read(
    crop: GrayImage,
    { views = [], signal }: { views?: readonly GrayImage[]; signal?: AbortSignal } = {},
  ): Promise<LineReading | undefined> {
    const features = await this.#featuresOf(crop, signal);
    if (this.#isMine?.(features) === false) return undefined;
    const others = await Promise.all(views.map((view) => this.#featuresOf(view, signal)));
    const posteriors = await Promise.all(
      [features, ...others].map(({ data, steps }) => this.#head.posteriors(data, steps)),
    );
    return {
      ...readingOf(meanOf(posteriors), this.#head, features.width / features.steps / HEIGHT),
      scripts: () => scriptShares(features),
    };
  }
}

/** The mean of the probabilities, step by step. @param all of the same size */
function meanOf(all: readonly Posteriors[]): Posteriors {
  const [first, ...others] = all as [Posteriors, ...Posteriors[]];
  if (others.length === 0) return first;
  const logs = first.logs.map((log, i) =>
    Math.log(others.reduce((sum, other) => sum + Math.exp(other.logs[i]!), Math.exp(log)) / all.length),
  );
  return { ...first, logs };
}
