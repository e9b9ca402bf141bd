export type PdfErrorCode = 'damaged' | 'encrypted' | 'signed' | 'dynamic_form' | 'not_pdfa';

/** Why a PDF cannot get a text layer or be converted to PDF/A. `message` is shown after the file name. */
export class PdfError extends Error {
  override name = 'PdfError';
  constructor(
    readonly code: PdfErrorCode,
    message: string,
  ) {
    super(message);
  }
}
