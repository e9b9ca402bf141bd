/** The neural models of one process: opened when first needed, shared by all pictures. */
import latinHead from '../weights/latin-head.json' with { type: 'json' };
import { PaddleHead } from './paddle-head.ts';
import { FEATURES_TENSOR, PaddleRecogniser } from './paddle-recogniser.ts';
import { type Network, openNetwork, singleFlight } from './paddle-session.ts';
import type { LineRecogniser } from './recogniser.ts';

/** Of a language's letters this share must be known for its lines to be read; a few in a hundred are foreign to it. */
const ENOUGH_LETTERS = 0.97;

export class PaddleModels {
  readonly detection: () => Promise<Network>;
  readonly direction: () => Promise<Network>;
  readonly #latin: () => Promise<LineRecogniser>;
  readonly #latinLetters = new Set(latinHead.characters);

  /** @param threads threads inside one run of a network */
  constructor(threads: number) {
    this.detection = singleFlight(() => openNetwork('detection', { threads }));
    this.direction = singleFlight(() => openNetwork('direction', { threads }));
    this.#latin = singleFlight(async () => {
      const network = await openNetwork('recognition', { threads, output: FEATURES_TENSOR });
      return new PaddleRecogniser(network, new PaddleHead(latinHead));
    });
  }

  /** Opens what every English picture needs. @throws {OcrError} when a model's file is not the pinned one. */
  async warm(): Promise<void> {
    await Promise.all([this.detection(), this.direction(), this.#latin()]);
  }

  /** The recogniser that knows a set of letters, if there is one. */
  async recogniserFor(letters: ReadonlySet<string>): Promise<LineRecogniser | undefined> {
    return covers(this.#latinLetters, letters) ? this.#latin() : undefined;
  }
}

function covers(known: ReadonlySet<string>, letters: ReadonlySet<string>): boolean {
  if (letters.size === 0) return false;
  let covered = 0;
  for (const letter of letters) if (known.has(letter)) covered++;
  return covered >= letters.size * ENOUGH_LETTERS;
}
