/** Every way in which reading a picture can fail, by whose fault it is. */
export const OCR_ERRORS = {
  /** Not a picture of a format that is read, judged by its bytes. */
  unsupported: 'unsupported',
  /** SVG: a program, not a picture. */
  vector: 'vector',
  /** A known format whose content cannot be decoded. */
  damaged: 'damaged',
  /** More pixels than `maxPixels`; read from the header. */
  tooManyPixels: 'too_many_pixels',
  /** So many scans, boxes or layers that decoding it would take far more than its pixels do; read from its headers. */
  tooCostly: 'too_costly',
  /** A document that opens with a password only. */
  encrypted: 'encrypted',
  /** A document of more pages than are counted through. */
  tooManyPages: 'too_many_pages',
  /** A page was asked for that the document does not have. */
  noSuchPage: 'no_such_page',
  /** The data of a language is missing or unusable. */
  languageUnavailable: 'language_unavailable',
  /** The data of a language could not be brought here, or not yet. */
  languageNotFetched: 'language_not_fetched',
  queueFull: 'queue_full',
  timedOut: 'timed_out',
  aborted: 'aborted',
  /** The process or thread that read the picture died. */
  crashed: 'crashed',
  stopping: 'stopping',
  /** Whoever would read the picture cannot be reached. */
  unavailable: 'unavailable',
  internal: 'internal',
} as const;
export type OcrErrorCode = (typeof OCR_ERRORS)[keyof typeof OCR_ERRORS];

/** `message` is for the log; what a user is told is the server's business. */
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

/** An `OcrError` as it crosses to another process or thread: clones of errors lose their class. */
export interface Failure {
  code: OcrErrorCode;
  message: string;
}

export function toFailure(error: unknown): Failure {
  if (error instanceof OcrError) return { code: error.code, message: error.message };
  return { code: OCR_ERRORS.internal, message: error instanceof Error ? error.message : 'unknown failure' };
}
