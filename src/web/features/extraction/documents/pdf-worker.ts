import { PDFiumModule } from '@hyzyla/pdfium';
import type { Box } from '#contract/extraction';
import { answerCalls } from '../../../workers/call-worker.ts';
import {
  canvasOf,
  DocumentOpenError,
  type DocumentReport,
  type DocumentTask,
  encoded,
  type OpenedPage,
  openPages,
} from './document-worker.ts';
import { type PositionedCharacter, textLayerOf } from './text-layer.ts';

/**
 * Opens a PDF page by page with PDFium as WebAssembly. The worker's content security policy allows WebAssembly, but no
 * network connections.
 */

/** The used functions of PDFium. `fpdfview.h`, `fpdf_text.h` and `fpdf_edit.h` document them; 0 is an invalid handle. */
interface Pdfium {
  HEAPU8: Uint8Array<ArrayBuffer>;
  wasmExports: { malloc(bytes: number): number; free(at: number): void };
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument(at: number, bytes: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetPageSizeByIndexF(document: number, index: number, at: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_PageToDevice(
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    x: number,
    y: number,
    deviceX: number,
    deviceY: number,
  ): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, at: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, at: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, ...placeAndColor: number[]): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDFDOC_InitFormFillEnvironment(document: number, at: number): number;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDF_RenderPageBitmap(bitmap: number, page: number, ...placeAndFlags: number[]): void;
  _FPDF_FFLDraw(form: number, bitmap: number, page: number, ...placeAndFlags: number[]): void;
}

/** `FPDF_GetLastError` */
const PASSWORD_REQUIRED = 4;
const UNKNOWN_SECURITY = 5;
/** `FPDFBitmap_BGRx`. With `REVERSE_BYTE_ORDER` it is red, green, blue and an unused byte. */
const BGRX = 3;
const ANNOTATIONS = 0x01;
const REVERSE_BYTE_ORDER = 0x10;
const WHITE = 0xffffffff;
const IMAGE_OBJECT = 3;
/** `FPDF_FORMFILLINFO`, of which only the version is set. */
const FORM_INFO_BYTES = 256;
const FORM_INFO_VERSION = 2;

/** The usual resolution of scanned text, 300 dpi, in pixels per point. */
const MAX_SCALE = 300 / 72;
const MAX_SIDE = 30_000;
/** For comparison: a page of a book has 3,000. */
const MAX_CHARACTERS = 100_000;
/** Share of the page: an image that covers more is a scan. */
const SCAN_SHARE = 0.5;
/** Fewer letters on a scan are a stamp or a page number and not a text layer. */
const MIN_SCAN_LETTERS = 40;
/** If a larger share of the letters has no Unicode mapping, the text layer is unusable. */
const MAX_UNKNOWN_SHARE = 0.1;

answerCalls<DocumentTask, void, DocumentReport>(async (task, report) => {
  const { file, maxPixels, wasm } = task;
  if (!wasm) throw new DocumentOpenError('cannot-draw');
  const pdfium = (await PDFiumModule({ wasmBinary: wasm, locateFile: () => '' })) as unknown as Pdfium;
  pdfium._FPDF_InitLibrary();
  const bytes = new Uint8Array(await file.arrayBuffer());
  const at = allocate(pdfium, bytes.length);
  pdfium.HEAPU8.set(bytes, at);
  const document = pdfium._FPDF_LoadMemDocument(at, bytes.length, 0);
  if (document === 0) {
    const error = pdfium._FPDF_GetLastError();
    throw new DocumentOpenError(
      error === PASSWORD_REQUIRED || error === UNKNOWN_SECURITY ? 'encrypted' : 'damaged',
    );
  }
  const pages = pdfium._FPDF_GetPageCount(document);
  if (pages < 1) throw new DocumentOpenError('no-pages');
  const form = formOf(pdfium, document);
  await openPages(
    task,
    pages,
    report,
    (number) => openPage(pdfium, { document, form, number, maxPixels }),
    // Out of WebAssembly memory, or no canvas can be created.
    (error) => error instanceof DocumentOpenError || error instanceof WebAssembly.RuntimeError,
  );
});

interface PageRequest {
  document: number;
  form: number;
  number: number;
  maxPixels: number;
}

async function openPage(
  pdfium: Pdfium,
  { document, form, number, maxPixels }: PageRequest,
): Promise<Omit<OpenedPage, 'number'>> {
  const points = sizeOf(pdfium, document, number - 1);
  const scale = Math.min(
    MAX_SCALE,
    Math.sqrt(maxPixels / (points.width * points.height)),
    MAX_SIDE / Math.max(points.width, points.height),
  );
  const size = {
    width: Math.max(1, Math.floor(points.width * scale)),
    height: Math.max(1, Math.floor(points.height * scale)),
  };
  const page = pdfium._FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new Error('the page cannot be opened');
  try {
    const isScan = scanShare(pdfium, page, points) > SCAN_SHARE;
    const characters = charactersOf(pdfium, page, size);
    const isText = characters !== null && (!isScan || lettersIn(characters) >= MIN_SCAN_LETTERS);
    const context = canvasOf(size.width, size.height);
    context.putImageData(draw(pdfium, page, form, size), 0, 0);
    return {
      picture: await encoded(context.canvas, isScan),
      extraction: isText ? textLayerOf(characters, size) : null,
    };
  } finally {
    pdfium._FPDF_ClosePage(page);
  }
}

function sizeOf(pdfium: Pdfium, document: number, index: number): { width: number; height: number } {
  return withMemory(pdfium, 8, (at) => {
    const known = pdfium._FPDF_GetPageSizeByIndexF(document, index, at) !== 0;
    const view = new DataView(pdfium.HEAPU8.buffer, at, 8);
    const [width, height] = [view.getFloat32(0, true), view.getFloat32(4, true)];
    if (!known || !(width > 0 && height > 0 && Number.isFinite(width * height)))
      throw new Error('the page has no size');
    return { width, height };
  });
}

/** The form environment of a document: PDFium draws the contents of form fields separately. */
function formOf(pdfium: Pdfium, document: number): number {
  const info = allocate(pdfium, FORM_INFO_BYTES);
  pdfium.HEAPU8.fill(0, info, info + FORM_INFO_BYTES);
  new DataView(pdfium.HEAPU8.buffer).setUint32(info, FORM_INFO_VERSION, true);
  return pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
}

interface Size {
  width: number;
  height: number;
}

function draw(pdfium: Pdfium, page: number, form: number, { width, height }: Size): ImageData {
  const length = width * height * 4;
  return withMemory(pdfium, length, (at) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, BGRX, at, width * 4);
    if (bitmap === 0) throw new Error('nothing can be drawn on');
    const place = [0, 0, width, height];
    pdfium._FPDFBitmap_FillRect(bitmap, ...place, WHITE);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, ...place, 0, ANNOTATIONS | REVERSE_BYTE_ORDER);
    if (form !== 0) {
      pdfium._FORM_OnAfterLoadPage(page, form);
      pdfium._FPDF_FFLDraw(form, bitmap, page, ...place, 0, REVERSE_BYTE_ORDER);
      pdfium._FORM_OnBeforeClosePage(page, form);
    }
    const data = new Uint8ClampedArray(pdfium.HEAPU8.slice(at, at + length));
    pdfium._FPDFBitmap_Destroy(bitmap);
    for (let alpha = 3; alpha < length; alpha += 4) data[alpha] = 255;
    return new ImageData(data, width, height);
  });
}

function fourFloats(pdfium: Pdfium, at: number): [number, number, number, number] {
  const view = new DataView(pdfium.HEAPU8.buffer, at, 16);
  const float = (index: number) => view.getFloat32(4 * index, true);
  return [float(0), float(1), float(2), float(3)];
}

/** The share of the page that its largest image covers, 0 to 1. */
function scanShare(pdfium: Pdfium, page: number, { width, height }: Size): number {
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), 1000);
  return withMemory(pdfium, 16, (at) => {
    let largest = 0;
    for (let index = 0; index < count; index += 1) {
      const object = pdfium._FPDFPage_GetObject(page, index);
      if (pdfium._FPDFPageObj_GetType(object) !== IMAGE_OBJECT) continue;
      if (pdfium._FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) continue;
      const [left, bottom, right, top] = fourFloats(pdfium, at);
      largest = Math.max(largest, Math.abs((right - left) * (top - bottom)));
    }
    return largest / (width * height);
  });
}

/** The characters of a page's text layer; null without a usable one. */
function charactersOf(pdfium: Pdfium, page: number, size: Size): PositionedCharacter[] | null {
  const text = pdfium._FPDFText_LoadPage(page);
  if (text === 0) return null;
  try {
    const count = pdfium._FPDFText_CountChars(text);
    if (count < 1 || count > MAX_CHARACTERS) return null;
    const characters: PositionedCharacter[] = [];
    let unknown = 0;
    for (let index = 0; index < count; index += 1) {
      const code = pdfium._FPDFText_GetUnicode(text, index);
      if (code === 0 || pdfium._FPDFText_HasUnicodeMapError(text, index) === 1) {
        unknown += 1;
        continue;
      }
      const box = boxOf(pdfium, page, text, index, size);
      if (box === 'outside') continue;
      characters.push({ text: String.fromCodePoint(code), box });
    }
    const letters = lettersIn(characters);
    return letters === 0 || unknown > MAX_UNKNOWN_SHARE * letters ? null : characters;
  } finally {
    pdfium._FPDFText_ClosePage(text);
  }
}

const lettersIn = (characters: readonly PositionedCharacter[]) =>
  characters.filter(({ text, box }) => box !== null && text.trim() !== '').length;

/** The box of a character on the drawn page, with the height of its line; null for a character without a box. */
function boxOf(
  pdfium: Pdfium,
  page: number,
  text: number,
  index: number,
  size: Size,
): Box | null | 'outside' {
  return withMemory(pdfium, 24, (at) => {
    if (pdfium._FPDFText_GetLooseCharBox(text, index, at) === 0) return null;
    const [left, top, right, bottom] = fourFloats(pdfium, at);
    const corner = (x: number, y: number) => {
      pdfium._FPDF_PageToDevice(page, 0, 0, size.width, size.height, 0, x, y, at + 16, at + 20);
      const found = new DataView(pdfium.HEAPU8.buffer, at, 24);
      return { x: found.getInt32(16, true), y: found.getInt32(20, true) };
    };
    const [one, other] = [corner(left, top), corner(right, bottom)];
    const [middle, height] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
    if (middle < 0 || middle > size.width || height < 0 || height > size.height) return 'outside';
    const x = clamp(Math.min(one.x, other.x), size.width - 1);
    const y = clamp(Math.min(one.y, other.y), size.height - 1);
    return {
      x,
      y,
      width: clamp(Math.max(one.x, other.x), size.width) - x,
      height: clamp(Math.max(one.y, other.y), size.height) - y,
    };
  });
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

function withMemory<Result>(pdfium: Pdfium, bytes: number, work: (at: number) => Result): Result {
  const at = allocate(pdfium, bytes);
  try {
    return work(at);
  } finally {
    pdfium.wasmExports.free(at);
  }
}

function allocate(pdfium: Pdfium, bytes: number): number {
  const at = pdfium.wasmExports.malloc(bytes);
  if (at === 0) throw new DocumentOpenError('cannot-draw');
  return at;
}
