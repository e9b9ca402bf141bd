/** The neural models of one process: opened when first needed, shared by all pictures. */

import { openNetwork, singleFlight } from '../networks/network.ts';
import { readLastLayer } from '../networks/ready-networks.ts';
import { cleaned, cutLine } from '../page/crop.ts';
import type { TextDetector } from '../page/detect.ts';
import type { Region } from '../page/geometry.ts';
import type { OrientationClassifier } from '../page/orient.ts';
import type { Picture } from '../picture/picture.ts';
import { scaleImage } from '../picture/scale.ts';
import type { ScriptShares } from '../reading/other-script.ts';
import { SECOND_CONTRAST } from '../reading/recognise.ts';
import type { LineRecogniser } from '../reading/recogniser.ts';
import { mapText } from './paddle-detector.ts';
import { orientationClassifier } from './paddle-direction.ts';
import { LastLayer } from './paddle-head.ts';
import { type FeatureExtractor, HEIGHT, type LineFeatures, PaddleRecogniser } from './paddle-recogniser.ts';
import { scriptShares } from './paddle-script.ts';

/** Of a language's letters this share must be known for its lines to be read; a few in a hundred are foreign to it. */
const ENOUGH_LETTERS = 0.97;
const LATIN = 'Latn';
const SURELY_LATIN = 0.5;

export class PaddleModels {
  readonly detector: () => Promise<TextDetector>;
  readonly direction: () => Promise<OrientationClassifier>;
  readonly #features: FeatureExtractor;
  readonly #lastLayer = singleFlight(async () => new LastLayer(JSON.parse(await readLastLayer())));
  readonly #recognisers = new WeakMap<ReadonlySet<string>, LineRecogniser>();
  readonly #amongOthers = new WeakMap<ReadonlySet<string>, LineRecogniser>();

  /**
   * @param threads threads inside one run of the network that looks at whole pages
   * @param features the recogniser's network, wherever it runs
   */
  constructor(threads: number, features: FeatureExtractor) {
    this.detector = singleFlight(async () => {
      const network = await openNetwork('detection', threads);
      return { scale: scaleImage, mapText: (image) => mapText(network, image) };
    });
    this.direction = singleFlight(async () => orientationClassifier(await openNetwork('direction', 1)));
    this.#features = features;
  }

  /** Opens what every English picture needs. @throws {OcrError} when a model's file is not the pinned one. */
  async warm(): Promise<void> {
    await Promise.all([this.detector(), this.direction(), this.#lastLayer()]);
  }

  /** The recogniser of texts that are written with a set of letters, if there is one. */
  async recogniserFor(letters: ReadonlySet<string>): Promise<LineRecogniser | undefined> {
    const layer = await this.#lastLayer();
    if (layer.coverageOf(letters) < ENOUGH_LETTERS) return undefined;
    return remembered(
      this.#recognisers,
      letters,
      () => new PaddleRecogniser(this.#features, layer.headFor(letters)),
    );
  }

  /** The reader of words in Latin letters that stand among others, which it leaves alone. */
  async latinAmongOthers(letters: ReadonlySet<string>): Promise<LineRecogniser> {
    const layer = await this.#lastLayer();
    const isLatin = (features: LineFeatures) => (scriptShares(features).get(LATIN) ?? 0) > SURELY_LATIN;
    return remembered(
      this.#amongOthers,
      letters,
      () => new PaddleRecogniser(this.#features, layer.headFor(letters, { trained: false }), isLatin),
    );
  }

  /** Which script each line is in. It costs as much as reading them a second time. */
  scriptsOf(picture: Picture, regions: readonly Region[], signal: AbortSignal): Promise<ScriptShares[]> {
    return Promise.all(
      regions.map(async (region) => {
        const crop = cleaned(cutLine(picture, region, HEIGHT), SECOND_CONTRAST);
        return scriptShares(await this.#features(crop, signal));
      }),
    );
  }
}

/** By a language's own set of letters, which is one for as long as its lexicon is kept. */
function remembered<Value>(
  kept: WeakMap<ReadonlySet<string>, Value>,
  letters: ReadonlySet<string>,
  make: () => Value,
): Value {
  const value = kept.get(letters) ?? make();
  kept.set(letters, value);
  return value;
}
