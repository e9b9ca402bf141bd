/** The engine's public interface: from a picture's bytes to text with calibrated confidences. */
export { createEngine, type EngineOptions } from './engine.ts';
export { type Failure, OCR_ERRORS, OcrError, type OcrErrorCode, toFailure } from './errors.ts';
export type { ConfinementMode } from './host/confinement.ts';
export { residentBytes } from './host/memory-watch.ts';
export { priorityName, type QueueLimits, queueCapacityFor } from './host/queue.ts';
export type { EngineEvent } from './host/supervisor.ts';
export { findLanguages, listLanguages } from './languages/language-data.ts';
export { type Fetched, LanguageFetcher } from './languages/language-fetcher.ts';
export { describeLanguage } from './languages/languages.ts';
export { npmPackages } from './languages/npm-packages.ts';
export type { LanguagePin, PackageSource } from './languages/package-source.ts';
export {
  type Box,
  type ConfinementLayer,
  type ConfinementReport,
  type Engine,
  type EngineStatus,
  type HiddenText,
  type Language,
  type Line,
  type Notice,
  type NoticeCode,
  type Origin,
  type PageList,
  type PageSize,
  type PagesOptions,
  type PictureReport,
  PRIORITY,
  type PreviewOptions,
  type Recognition,
  type RecognizeOptions,
  type Stage,
  type StageTimes,
  type Word,
} from './types.ts';
