/** Messages between the server process and the recognition process. */
import type { Failure } from '../errors.ts';
import type { PageList, Recognition, Stage, StageTimes } from '../types.ts';

/** Settings of the recognition process, sent once. */
export interface ProcessSettings {
  maxPixels: number;
  /** Worker threads, each with a warm recognizer. */
  threads: number;
  languageDirs: readonly string[];
}

/** The requested result for one picture. */
export type PictureTask =
  | {
      kind: 'recognize';
      languages: readonly string[];
      filter: boolean;
      thorough: boolean;
      page: number | undefined;
    }
  | { kind: 'preview'; maxSide: number; page: number | undefined }
  | { kind: 'pages' };

export type PictureResult = Recognition | Uint8Array | PageList;

/** From the server process to the recognition process. */
export type ToProcess =
  | { type: 'start'; settings: ProcessSettings }
  | { type: 'picture'; id: number; bytes: Uint8Array; task: PictureTask }
  | { type: 'abort'; id: number }
  | { type: 'stop' };

/** From the recognition process to the server process. */
export type FromProcess =
  | { type: 'ready' }
  | { type: 'start-failed'; failure: Failure }
  | { type: 'stage'; id: number; stage: Stage }
  | { type: 'done'; id: number; result: PictureResult; stages: StageTimes }
  | { type: 'failed'; id: number; failure: Failure; stages: StageTimes }
  | { type: 'thread-died'; reason: string };
