/**
 * Renders pages of a PDF with PDFium as WebAssembly. Runs on the decoding thread: a page may be crafted to take
 * forever.
 */
import { PDFiumModule } from '@hyzyla/pdfium';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { PageSize } from '../types.ts';
import { DOTS_PER_INCH, type DrawLimits, type RawPixels } from './decode.ts';
import { MAX_PAGES, noSuchPage, tooManyPages } from './format.ts';

const POINTS_PER_INCH = 72;
/** Least resolution for ordinary letters. */
const MIN_DOTS_PER_INCH = 150;
/** Longest side of a rendered page; PDFium's own limit is a little above. */
const MAX_SIDE = 30_000;

/**
 * The functions of PDFium in use; `fpdfview.h` and `fpdf_text.h` document each. Handles and addresses are numbers, 0 is none.
 */
interface Pdfium {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number };
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(at: number, bytes: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetPageSizeByIndexF(document: number, index: number, at: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_CountChars(textPage: number): number;
  _FPDFText_ClosePage(textPage: number): void;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, at: number, stride: number): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void;
  _FPDFDOC_InitFormFillEnvironment(document: number, at: number): number;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FPDF_RenderPageBitmap(bitmap: number, page: number, ...placeAndFlags: number[]): void;
  _FPDF_FFLDraw(form: number, bitmap: number, page: number, ...placeAndFlags: number[]): void;
}

/** `FPDF_GetLastError` */
const PASSWORD_WANTED = 4;
const UNKNOWN_SECURITY = 5;
/** `FPDFBitmap_BGRx`, which `REVERSED` makes red, green, blue and one unused byte. */
const FOUR_BYTES = 3;
const ANNOTATIONS = 0x01;
const REVERSED = 0x10;
const WHITE = 0xffffffff;
/** `FPDF_FORMFILLINFO`, with only its version set. */
const FORM_INFO_BYTES = 256;
const FORM_INFO_VERSION = 2;

interface OpenPdf {
  pdfium: Pdfium;
  document: number;
  count: number;
  /** In points, after the page's rotation. @throws {OcrError} */
  sizeOf(index: number): { width: number; height: number };
}

/** Sizes in points. @throws {OcrError} `damaged`, `encrypted`, `too_many_pages` */
export async function pagesOfPdf(bytes: Uint8Array): Promise<PageSize[]> {
  return carefully(async () => {
    const pdf = await open(bytes);
    if (pdf.count > MAX_PAGES) throw tooManyPages(pdf.count);
    return Array.from({ length: pdf.count }, (_, index) => ({
      ...pdf.sizeOf(index),
      hasText: hasText(pdf, index),
    }));
  });
}

/**
 * One page as from a scanner, counted from 1: at 300 dots per inch, or fewer where that would exceed the pixel limits.
 * @throws {OcrError} `damaged`, `encrypted`, `no_such_page`
 */
export async function drawPdfPage(bytes: Uint8Array, page: number, limits: DrawLimits): Promise<RawPixels> {
  return carefully(async () => {
    const pdf = await open(bytes);
    if (page > pdf.count) throw noSuchPage(page, pdf.count);
    const points = pdf.sizeOf(page - 1);
    const full = DOTS_PER_INCH / POINTS_PER_INCH;
    const scaleFor = (pixels: number) => Math.sqrt(pixels / (points.width * points.height));
    const least = Math.min(MIN_DOTS_PER_INCH / POINTS_PER_INCH, scaleFor(limits.ofLargePage));
    const scale = Math.min(
      full,
      Math.max(scaleFor(limits.pixels), least),
      MAX_SIDE / Math.max(points.width, points.height),
    );
    const sizeAt = (factor: number) => ({
      width: Math.max(1, Math.floor(points.width * factor)),
      height: Math.max(1, Math.floor(points.height * factor)),
    });
    const { width, height } = sizeAt(scale);
    return {
      data: draw(pdf, page - 1, width, height),
      width,
      height,
      channels: 4,
      original: sizeAt(full),
    };
  });
}

/** Any other error inside PDFium is caused by the file: this thread and its memory end with the task. */
async function carefully<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OcrError) throw cause;
    throw new OcrError(OCR_ERRORS.damaged, 'the content of a PDF cannot be drawn', { cause });
  }
}

async function open(bytes: Uint8Array): Promise<OpenPdf> {
  const pdfium = (await PDFiumModule({})) as unknown as Pdfium;
  pdfium._FPDF_InitLibrary();
  const at = allocate(pdfium, bytes.length);
  pdfium.HEAPU8.set(bytes, at);
  const document = pdfium._FPDF_LoadMemDocument(at, bytes.length, 0);
  if (document === 0) {
    const error = pdfium._FPDF_GetLastError();
    if (error === PASSWORD_WANTED || error === UNKNOWN_SECURITY)
      throw new OcrError(OCR_ERRORS.encrypted, 'a PDF that opens with a password only');
    throw damaged(`a PDF cannot be opened (${error})`);
  }
  const count = pdfium._FPDF_GetPageCount(document);
  if (count < 1) throw damaged('a PDF has no page');
  const size = allocate(pdfium, 8);
  return {
    pdfium,
    document,
    count,
    sizeOf(index) {
      const known = pdfium._FPDF_GetPageSizeByIndexF(document, index, size) !== 0;
      const view = new DataView(pdfium.HEAPU8.buffer, size, 8);
      const [width, height] = [view.getFloat32(0, true), view.getFloat32(4, true)];
      if (!known || !(width > 0 && height > 0 && Number.isFinite(width * height)))
        throw damaged(`page ${index + 1} of a PDF has no size`);
      return { width, height };
    },
  };
}

function draw({ pdfium, document }: OpenPdf, index: number, width: number, height: number): Uint8Array {
  const info = allocate(pdfium, FORM_INFO_BYTES);
  pdfium.HEAPU8.fill(0, info, info + FORM_INFO_BYTES);
  new DataView(pdfium.HEAPU8.buffer).setUint32(info, FORM_INFO_VERSION, true);
  const form = pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
  const page = pageAt(pdfium, document, index);
  const length = width * height * 4;
  const at = allocate(pdfium, length);
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, FOUR_BYTES, at, width * 4);
  if (bitmap === 0) throw damaged('a PDF has a page that nothing can be drawn on');
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  const place = [0, 0, width, height, 0];
  pdfium._FPDF_RenderPageBitmap(bitmap, page, ...place, ANNOTATIONS | REVERSED);
  if (form !== 0) {
    // The values of form fields are drawn separately.
    pdfium._FORM_OnAfterLoadPage(page, form);
    pdfium._FPDF_FFLDraw(form, bitmap, page, ...place, REVERSED);
  }
  const data = pdfium.HEAPU8.slice(at, at + length);
  for (let alpha = 3; alpha < length; alpha += 4) data[alpha] = 255;
  return data;
}

function hasText({ pdfium, document }: OpenPdf, index: number): boolean {
  const page = pageAt(pdfium, document, index);
  const text = pdfium._FPDFText_LoadPage(page);
  const characters = text === 0 ? 0 : pdfium._FPDFText_CountChars(text);
  if (text !== 0) pdfium._FPDFText_ClosePage(text);
  pdfium._FPDF_ClosePage(page);
  return characters > 0;
}

function pageAt(pdfium: Pdfium, document: number, index: number): number {
  const page = pdfium._FPDF_LoadPage(document, index);
  if (page === 0) throw damaged(`page ${index + 1} of a PDF cannot be opened`);
  return page;
}

function allocate(pdfium: Pdfium, bytes: number): number {
  const at = pdfium.wasmExports.malloc(bytes);
  if (at === 0) throw new OcrError(OCR_ERRORS.tooCostly, `a PDF asks for ${bytes} bytes more than there are`);
  return at;
}

function damaged(message: string): OcrError {
  return new OcrError(OCR_ERRORS.damaged, message);
}
