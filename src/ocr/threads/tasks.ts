/** What worker threads are asked for, and what they answer. */
import type { Failure } from '../errors.ts';
import type { TextBox } from '../layout/line-fragments.ts';
import type { OrderedLine, OrderOptions } from '../layout/order.ts';
import type { GrayImage } from '../picture/picture.ts';
import type { Posteriors } from '../recognisers/ctc.ts';
import type { LineFeatures } from '../recognisers/paddle-recogniser.ts';
import type { CropWord } from '../recognisers/tesseract.ts';

/**
 * What a worker thread can be asked for; the answers are in `ThreadAnswers` under the same name.
 * `second` is the second recogniser's network. `stop` lies in shared memory and turns to 1 when the answer is of no use
 * any more.
 */
export type ThreadTask =
  | {
      kind: 'prepare';
      languages: readonly string[];
      network: SharedNetwork | undefined;
      second: SharedNetwork;
    }
  | { kind: 'read-lines'; crops: readonly GrayImage[]; languages: readonly string[] }
  | { kind: 'posteriors'; crops: readonly GrayImage[]; network: SharedNetwork; stop: Int32Array }
  | { kind: 'features'; crop: GrayImage; second: SharedNetwork; stop: Int32Array }
  | { kind: 'order'; boxes: readonly TextBox[]; options: OrderOptions; stop: Int32Array };

/** A network in memory that all threads see, by the name under which each keeps it open. */
export interface SharedNetwork {
  name: string;
  model: Uint8Array;
}

export interface ThreadAnswers {
  prepare: null;
  'read-lines': CropWord[][];
  posteriors: Posteriors[];
  features: LineFeatures;
  order: OrderedLine[];
}

export type ThreadResult<Answer> = { ok: true; answer: Answer } | { ok: false; failure: Failure };
