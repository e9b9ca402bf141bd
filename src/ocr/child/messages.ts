import type { OcrErrorCode } from '../errors.ts';
import type { OrderedLine } from '../layout/order.ts';
import type { TextBox } from '../layout/order-pieces.ts';
import type { GrayImage } from '../picture/picture.ts';
import type { Posteriors } from '../recognisers/ctc.ts';
import type { LineFeatures } from '../recognisers/paddle-recogniser.ts';
import type { CropWord } from '../recognisers/tesseract.ts';
import type { Recognition, Stage } from '../types.ts';

/** What the recognising process needs to know once. */
export interface ProcessSettings {
  maxPixels: number;
  /** Worker threads, each with a warm recogniser. */
  threads: number;
  languageDirs: readonly string[];
}

/** What one picture is to be turned into. */
export type PictureTask =
  | { kind: 'recognise'; languages: readonly string[]; filter: boolean }
  | { kind: 'preview'; maxSide: number };

export type PictureResult = Recognition | Uint8Array;

/** From the server's process to the recognising process. */
export type ToProcess =
  | { type: 'start'; settings: ProcessSettings }
  | { type: 'picture'; id: number; bytes: Uint8Array; task: PictureTask }
  | { type: 'abort'; id: number }
  | { type: 'stop' };

/** An `OcrError` as it crosses a process or thread: clones of errors lose their class. */
export interface Failure {
  code: OcrErrorCode;
  message: string;
}

/** From the recognising process to the server's process. */
export type FromProcess =
  | { type: 'ready' }
  | { type: 'start-failed'; failure: Failure }
  | { type: 'stage'; id: number; stage: Stage }
  | { type: 'done'; id: number; result: PictureResult }
  | { type: 'failed'; id: number; failure: Failure }
  | { type: 'thread-died'; reason: string };

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
  | { kind: 'order'; boxes: readonly TextBox[]; rightToLeft: boolean; stop: Int32Array };

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
