export type PdfErrorCode = 'damaged' | 'encrypted' | 'signed' | 'dynamic_form' | 'not_pdfa';

/** Why a PDF cannot get a text layer, or be made PDF/A; `message` is for the person, and goes on after the file's name. */
export class PdfError extends Error {
  override name = 'PdfError';
  constructor(
    readonly code: PdfErrorCode,
    message: string,
  ) {
    super(message);
  }
}
