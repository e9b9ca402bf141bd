/** The engine's only door: a picture's bytes go in, text that can be trusted comes out. */
export { createEngine, type EngineOptions } from './engine.ts';
export { OCR_ERRORS, OcrError, type OcrErrorCode } from './errors.ts';
export { describeLanguage, type Language, listLanguages } from './languages.ts';
export type { ConfinementMode } from './pool/confinement.ts';
export type { EngineEvent } from './pool/supervisor.ts';
export {
  type Box,
  type ConfinementReport,
  type ConfinementWall,
  type Engine,
  type EngineStatus,
  type HiddenText,
  type Line,
  type Notice,
  type NoticeCode,
  PRIORITY,
  type PreviewOptions,
  type RecogniseOptions,
  type Recognition,
  type Stage,
  type Word,
} from './types.ts';
