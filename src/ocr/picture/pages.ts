/** How pages of documents are counted, whatever the format. */
import { OCR_ERRORS, OcrError } from '../errors.ts';

/** A document of more pages is not counted through. */
export const MOST_PAGES = 2_000;

const LOOKED_THROUGH = 1024;

/** Judged by its bytes. Programs have always put a little before a PDF's first line, and readers have always borne it. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, LOOKED_THROUGH)).includes('%PDF-');
}

export function noSuchPage(page: number, count: number): OcrError {
  return new OcrError(OCR_ERRORS.noSuchPage, `page ${page} was asked for, of ${count}`);
}

export function tooManyPages(count: number | string): OcrError {
  return new OcrError(OCR_ERRORS.tooManyPages, `a document of ${count} pages`);
}
