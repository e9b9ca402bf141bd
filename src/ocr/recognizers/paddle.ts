/** The neural models of one process: opened on first use, shared by all pictures. */
import { type NetworkRuntime, singleFlight } from '../networks/network.ts';
import { cleaned } from '../page/crop.ts';
import type { TextDetector } from '../page/detect.ts';
import type { LineImage } from '../page/line-image.ts';
import type { OrientationClassifier } from '../page/orient.ts';
import type { ScriptShares } from '../reading/other-script.ts';
import { SECOND_CONTRAST } from '../reading/recognize.ts';
import type { LineRecognizer } from '../reading/recognizer.ts';
import { mapText } from './paddle-detector.ts';
import { orientationClassifier } from './paddle-direction.ts';
import { type FeatureExtractor, HEIGHT, type LineFeatures } from './paddle-features.ts';
import { LastLayer } from './paddle-head.ts';
import { PaddleRecognizer } from './paddle-recognizer.ts';
import { scriptShares } from './paddle-script.ts';

/** Share of a language's letters that the recognizer must know; a few in a hundred are foreign to the language. */
const ENOUGH_LETTERS = 0.97;
const LATIN = 'Latn';
const SURELY_LATIN = 0.5;

/** What the models need from their platform. */
export interface ModelEnvironment {
  runtime: NetworkRuntime;
  /** Threads of one detector run. */
  threads: number;
  /** Scales an image for the detector, by cubic interpolation. */
  scale: TextDetector['scale'];
  /** The secondary recognizer's network, on any thread. */
  features: FeatureExtractor;
}

export class PaddleModels {
  readonly detector: () => Promise<TextDetector>;
  readonly direction: () => Promise<OrientationClassifier>;
  readonly #features: FeatureExtractor;
  readonly #lastLayer: () => Promise<LastLayer>;
  readonly #recognizers = new WeakMap<ReadonlySet<string>, LineRecognizer>();
  readonly #amongOthers = new WeakMap<ReadonlySet<string>, LineRecognizer>();

  constructor({ runtime, threads, scale, features }: ModelEnvironment) {
    this.detector = singleFlight(async () => {
      const network = await runtime.openNetwork('detection', threads);
      return { scale, mapText: (image) => mapText(network, image) };
    });
    this.direction = singleFlight(async () =>
      orientationClassifier(await runtime.openNetwork('direction', 1)),
    );
    this.#lastLayer = singleFlight(
      async () => new LastLayer(JSON.parse(await runtime.readLastLayer()), runtime.openModel),
    );
    this.#features = features;
  }

  /** Opens the models of every English picture. @throws {OcrError} when a model's file is not the pinned one. */
  async warm(): Promise<void> {
    await Promise.all([this.detector(), this.direction(), this.#lastLayer()]);
  }

  /** The recognizer of texts in a set of letters, if there is one. */
  async recognizerFor(letters: ReadonlySet<string>): Promise<LineRecognizer | undefined> {
    const layer = await this.#lastLayer();
    if (layer.coverageOf(letters) < ENOUGH_LETTERS) return undefined;
    return remembered(
      this.#recognizers,
      letters,
      () => new PaddleRecognizer(this.#features, layer.headFor(letters)),
    );
  }

  /** The recognizer of words in Latin letters among words of another script, which it skips. */
  async latinAmongOthers(letters: ReadonlySet<string>): Promise<LineRecognizer> {
    const layer = await this.#lastLayer();
    const isLatin = (features: LineFeatures) => (scriptShares(features).get(LATIN) ?? 0) > SURELY_LATIN;
    return remembered(
      this.#amongOthers,
      letters,
      () => new PaddleRecognizer(this.#features, layer.headFor(letters, { trained: false }), isLatin),
    );
  }

  /** The script of each line. It costs as much as reading the lines a second time. */
  scriptsOf(lines: readonly LineImage[], signal: AbortSignal): Promise<ScriptShares[]> {
    return Promise.all(
      lines.map(async (line) => {
        const crop = cleaned(line.pixels(HEIGHT), SECOND_CONTRAST);
        return scriptShares(await this.#features(crop, signal));
      }),
    );
  }
}

/** Cached by a language's own set of letters, which stays the same object as long as its lexicon is kept. */
function remembered<Value>(
  kept: WeakMap<ReadonlySet<string>, Value>,
  letters: ReadonlySet<string>,
  make: () => Value,
): Value {
  const value = kept.get(letters) ?? make();
  kept.set(letters, value);
  return value;
}
