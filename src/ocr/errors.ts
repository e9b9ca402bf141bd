/** Every way in which reading a picture can fail, grouped by cause. */
export const OCR_ERRORS = {
  /** Not a supported picture format, judged by its bytes. */
  unsupported: 'unsupported',
  /** SVG: vector graphics are not supported. */
  vector: 'vector',
  /** A known format whose content cannot be decoded. */
  damaged: 'damaged',
  /** More pixels than `maxPixels`; read from the header. */
  tooManyPixels: 'too_many_pixels',
  /** Too many scans, boxes or layers, so that decoding would cost far more than the pixels do; read from its headers. */
  tooCostly: 'too_costly',
  /** A document that opens with a password only. */
  encrypted: 'encrypted',
  /** A document with more pages than the limit. */
  tooManyPages: 'too_many_pages',
  /** The requested page does not exist in the document. */
  noSuchPage: 'no_such_page',
  /** The data of a language is missing or unusable. */
  languageUnavailable: 'language_unavailable',
  /** The data of a language could not be fetched, or not yet. */
  languageNotFetched: 'language_not_fetched',
  queueFull: 'queue_full',
  timedOut: 'timed_out',
  aborted: 'aborted',
  /** The process or thread that read the picture died. */
  crashed: 'crashed',
  stopping: 'stopping',
  /** The recognition service cannot be reached. */
  unavailable: 'unavailable',
  internal: 'internal',
} as const;
export type OcrErrorCode = (typeof OCR_ERRORS)[keyof typeof OCR_ERRORS];

/** `message` is for the log; the server decides on the user's message. */
export class OcrError extends Error {
  override name = 'OcrError';
  constructor(
    readonly code: OcrErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An `OcrError` in a form that crosses to another process or thread: clones of errors lose their class. */
export interface Failure {
  code: OcrErrorCode;
  message: string;
}

export function toFailure(error: unknown): Failure {
  if (error instanceof OcrError) return { code: error.code, message: error.message };
  return { code: OCR_ERRORS.internal, message: error instanceof Error ? error.message : 'unknown failure' };
}
