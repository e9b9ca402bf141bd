/** PP-OCRv6 recognizer with the part of its last layer that a text needs. */

import type { Network } from '../networks/network.ts';
import type { GrayImage } from '../picture/picture.ts';
import type { LineReading, LineRecognizer } from '../reading/recognizer.ts';
import { type Posteriors, readingOf } from './ctc.ts';
import type { PaddleHead } from './paddle-head.ts';
import { scriptShares } from './paddle-script.ts';

/** Height of a crop in pixels. */
export const HEIGHT = 48;
const WIDTH_MULTIPLE = 8;
/** Narrower input loses its only character. */
const LEAST_WIDTH = 32;

/** The network's output for a crop of `HEIGHT` pixels: `steps` rows of features over `width` pixels. */
export interface LineFeatures {
  data: Float32Array;
  steps: number;
  width: number;
}

export type FeatureExtractor = (crop: GrayImage, signal?: AbortSignal) => Promise<LineFeatures>;

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

/** The mean of the chances, step by step. @param all of the same size */
function meanOf(all: readonly Posteriors[]): Posteriors {
  const [first, ...others] = all as [Posteriors, ...Posteriors[]];
  if (others.length === 0) return first;
  const logs = first.logs.map((log, i) =>
    Math.log(others.reduce((sum, other) => sum + Math.exp(other.logs[i]!), Math.exp(log)) / all.length),
  );
  return { ...first, logs };
}

/** Runs the network `features` on a crop of 48 pixels. */
export async function featuresOf(network: Network, crop: GrayImage): Promise<LineFeatures> {
  const width = Math.max(LEAST_WIDTH, Math.ceil(crop.width / WIDTH_MULTIPLE) * WIDTH_MULTIPLE);
  const plane = HEIGHT * width;
  const input = new Float32Array(3 * plane);
  for (let y = 0; y < HEIGHT; y++) {
    const source = y * crop.width;
    const target = y * width;
    for (let x = 0; x < crop.width; x++) input[target + x] = crop.gray[source + x]! / 127.5 - 1;
  }
  // The network takes color; gray is the same in all three planes.
  input.copyWithin(plane, 0, plane);
  input.copyWithin(2 * plane, 0, plane);
  const { data, dims } = await network.run(input, [1, 3, HEIGHT, width]);
  return { data, steps: dims[1]!, width };
}
