/** What the server's process and the recognising process say to each other. */
import type { Failure } from '../errors.ts';
import type { PageList, Recognition, Stage, StageTimes } from '../types.ts';

/** What the recognising process needs to know once. */
export interface ProcessSettings {
  maxPixels: number;
  /** Worker threads, each with a warm recogniser. */
  threads: number;
  languageDirs: readonly string[];
}

/** What one picture is to be turned into. */
export type PictureTask =
  | {
      kind: 'recognise';
      languages: readonly string[];
      filter: boolean;
      thorough: boolean;
      page: number | undefined;
    }
  | { kind: 'preview'; maxSide: number; page: number | undefined }
  | { kind: 'pages' };

export type PictureResult = Recognition | Uint8Array | PageList;

/** From the server's process to the recognising process. */
export type ToProcess =
  | { type: 'start'; settings: ProcessSettings }
  | { type: 'picture'; id: number; bytes: Uint8Array; task: PictureTask }
  | { type: 'abort'; id: number }
  | { type: 'stop' };

/** From the recognising process to the server's process. */
export type FromProcess =
  | { type: 'ready' }
  | { type: 'start-failed'; failure: Failure }
  | { type: 'stage'; id: number; stage: Stage }
  | { type: 'done'; id: number; result: PictureResult; stages: StageTimes }
  | { type: 'failed'; id: number; failure: Failure; stages: StageTimes }
  | { type: 'thread-died'; reason: string };
