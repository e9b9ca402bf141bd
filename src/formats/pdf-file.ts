import { strToU8, zlibSync } from 'fflate';
import { concatBytes } from './bytes.ts';
import { firstOf } from './checked.ts';
import type { Jpeg } from './jpeg.ts';
import type { PngPixels } from './png.ts';

/** A name, number, array or dictionary in PDF syntax. */
type Syntax = string;

/**
 * A PDF object in qpdf's JSON format. Strings: `/Name`, `12 0 R` for a reference, `u:` before text, `b:` before hexadecimal
 * digits of bytes.
 */
export type PdfValue = null | boolean | number | string | readonly PdfValue[] | PdfDictionary;
export interface PdfDictionary {
  readonly [key: `/${string}`]: PdfValue;
}

/** Adds objects to a file. Both methods return the reference of the new object. */
export interface PdfObjects {
  add(value: PdfValue): string;
  addStream(dictionary: PdfDictionary, content: Uint8Array): string;
}

/**
 * Writes a PDF file: the part of the format that a page with a picture and its text needs. Objects are numbered in the order
 * in which they are added.
 */
export class PdfFile implements PdfObjects {
  readonly #parts: Uint8Array[] = [strToU8('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', true)];
  readonly #offsets: number[] = [];
  #length = firstOf(this.#parts).length;

  /** `content`: a string must be PDF syntax already. */
  add(content: PdfValue): Syntax {
    return this.#write([strToU8(typeof content === 'string' ? content : serialize(content))]);
  }

  /** Adds the pages and the page tree, and returns the reference of the tree. Each function gets that reference. */
  addPages(pages: readonly ((list: Syntax) => Syntax)[]): Syntax {
    const list = `${this.#offsets.length + pages.length + 1} 0 R`;
    const kids = pages.map((page) => this.add(page(list)));
    return this.add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`);
  }

  /** `dictionary`: its entries. Content that is compressed already, such as a JPEG, needs a `/Filter` entry. */
  addStream(dictionary: PdfDictionary | Syntax, content: Uint8Array): Syntax {
    const entries = typeof dictionary === 'string' ? dictionary : entriesOf(dictionary);
    const isCompressed = entries.includes('/Filter');
    const data = isCompressed ? content : zlibSync(content);
    const filter = isCompressed ? '' : ' /Filter /FlateDecode';
    const head = `<< ${entries}${filter} /Length ${data.length} >>\nstream\n`;
    return this.#write([strToU8(head), data, strToU8('\nendstream')]);
  }

  bytes({ catalog, info }: { catalog: Syntax; info: Syntax }): Uint8Array {
    const entries = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    const size = this.#offsets.length + 1;
    const end = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}trailer\n<< /Size ${size} /Root ${catalog} /Info ${info} >>\nstartxref\n${this.#length}\n%%EOF\n`;
    return concatBytes([...this.#parts, strToU8(end)]);
  }

  #write(content: readonly Uint8Array[]): Syntax {
    this.#offsets.push(this.#length);
    const number = this.#offsets.length;
    for (const part of [strToU8(`${number} 0 obj\n`), ...content, strToU8('\nendobj\n')]) {
      this.#parts.push(part);
      this.#length += part.length;
    }
    return `${number} 0 R`;
  }
}

const entriesOf = (dictionary: PdfDictionary): Syntax =>
  Object.entries(dictionary)
    .map(([key, value]) => `${key} ${serialize(value)}`)
    .join(' ');

export function serialize(value: PdfValue): Syntax {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return stringSyntax(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(serialize).join(' ')}]`;
  return `<< ${entriesOf(value as PdfDictionary)} >>`;
}

function stringSyntax(value: string): Syntax {
  if (value.startsWith('u:')) return textString(value.slice(2));
  return value.startsWith('b:') ? `<${value.slice(2)}>` : value;
}

/** A number in PDF syntax: without an exponent, and rounded to `digits` decimals. */
export const number = (value: number, digits = 4) => String(Number(value.toFixed(digits)));

/** A two-byte code in hexadecimal digits. */
export const code = (value: number) => value.toString(16).padStart(4, '0');

/** UTF-16 in hexadecimal digits. */
export const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, at) => code(text.charCodeAt(at))).join('');

/** A text string in PDF syntax. */
export const textString = (text: string) => `<feff${utf16(text)}>`;

const COLORS = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' } as const;

/** The dictionary of an image XObject, whose stream data is the unchanged bytes of the picture. */
export const imageDictionary = (picture: Jpeg | PngPixels): PdfDictionary => ({
  '/Type': '/XObject',
  '/Subtype': '/Image',
  '/Width': picture.width,
  '/Height': picture.height,
  '/ColorSpace': COLORS[picture.components],
  '/BitsPerComponent': 8,
  ...('predicted' in picture ? decodingOfPng(picture) : decodingOfJpeg(picture)),
});

const decodingOfJpeg = ({ inverted }: Jpeg): PdfDictionary => ({
  '/Filter': '/DCTDecode',
  ...(inverted && { '/Decode': [1, 0, 1, 0, 1, 0, 1, 0] }),
});

const decodingOfPng = ({ width, components, predicted }: PngPixels): PdfDictionary => ({
  '/Filter': '/FlateDecode',
  ...(predicted && { '/DecodeParms': { '/Predictor': 15, '/Colors': components, '/Columns': width } }),
});

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
