/** Counts the pages of documents of any format. */
import { OCR_ERRORS, OcrError } from '../errors.ts';

/** A document with more pages is refused. */
export const MOST_PAGES = 2_000;

const LOOKED_THROUGH = 1024;

/** From its bytes. Some programs write a little before a PDF's first line, and readers accept it. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, LOOKED_THROUGH)).includes('%PDF-');
}

export function noSuchPage(page: number, count: number): OcrError {
  return new OcrError(OCR_ERRORS.noSuchPage, `page ${page} was asked for, of ${count}`);
}

export function tooManyPages(count: number | string): OcrError {
  return new OcrError(OCR_ERRORS.tooManyPages, `a document of ${count} pages`);
}
