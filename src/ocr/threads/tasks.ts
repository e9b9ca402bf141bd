/** Tasks and results of the worker threads. */
import type { Failure } from '../errors.ts';
import type { TextBox } from '../layout/order/line-fragments.ts';
import type { OrderedLine, OrderOptions } from '../layout/order/order.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { Posteriors } from '../recognizers/ctc.ts';
import type { LineFeatures } from '../recognizers/paddle-features.ts';
import type { CropWord } from '../recognizers/tesseract-words.ts';

/**
 * Tasks of a worker thread; the results are in `ThreadAnswers` under the same name.
 * `second` is the secondary recognizer's network. `stop` is in shared memory and becomes 1 when the result is no longer
 * needed.
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

/** A network by the name under which each thread keeps it open: its bytes in shared memory, or the path of its file. */
export interface SharedNetwork {
  name: string;
  model: Uint8Array | string;
}

export interface ThreadAnswers {
  prepare: null;
  'read-lines': CropWord[][];
  posteriors: Posteriors[];
  features: LineFeatures;
  order: OrderedLine[];
}

export type ThreadResult<Answer> = { ok: true; answer: Answer } | { ok: false; failure: Failure };
