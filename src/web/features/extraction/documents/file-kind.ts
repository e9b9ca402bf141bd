/** Detects the kind of a file by its bytes, because its name is not reliable. */

/** Bytes that are read: at the start for signatures, and at the end for the table of contents of archives. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 16 * 1024;

export type Kind =
  | { is: 'picture'; type: string; name: string }
  /** `what`: a sentence for the user; `advice`: what the user can do instead. */
  | { is: 'other'; what: string; advice: string; hasPages?: boolean };

const SCREENSHOT = 'take a screenshot of it';
const other = (what: string, advice: string): Kind => ({ is: 'other', what: `This is ${what}`, advice });
const picture = (name: string, type: string): Kind => ({ is: 'picture', type, name });

const PDF: Kind = {
  is: 'other',
  what: 'This is a PDF',
  advice: 'Its pages can be read as pictures. Text that the PDF contains is used and not counted.',
  hasPages: true,
};
const SVG = other('an SVG', `It is a drawing and no picture: open it in a browser and ${SCREENSHOT}.`);
const VIDEO = other('a video', 'Pause it where the text is visible, and take a screenshot.');
const SOUND = other('a sound recording', 'It contains no text to read.');
const TEXT = other('a text file', 'You can open it and copy its text.');
const HTML = other('a web page', 'You can open it in a browser and copy its text.');
const EMPTY = other('an empty file', 'It may not have been copied or downloaded completely.');
const document = (what: string) =>
  other(what, 'You can open it and copy its text. If it contains a scan, save the scan as a picture.');
const WORD = document('a Word document');
const OFFICE = document('an Office document of an older kind');
const SHEET = document('an Excel workbook');
const SLIDES = document('a PowerPoint presentation');
const OPEN_DOCUMENT = document('an OpenDocument file');
const RTF = document('an RTF document');
const EPUB = document('an e-book');
const ZIP = other('an archive', 'Unpack it, and choose a picture in it.');
const POSTSCRIPT = other('a PostScript file', `Open it and ${SCREENSHOT}, or save it as PNG.`);
const PROGRAM = other('a program', 'It contains no text to read.');
const RAW = other('a camera’s raw file', 'Save it as JPG or PNG first.');
const PHOTOSHOP = other('a Photoshop file', 'Save it as PNG or JPG first.');

/** Kinds by the first bytes of a file; `?` matches any byte. */
const SIGNATURES: readonly (readonly [beginning: string, kind: Kind])[] = [
  ['%PDF-', PDF],
  ['\x89PNG\r\n\x1a\n', picture('PNG', 'image/png')],
  ['\xff\xd8\xff', picture('JPG', 'image/jpeg')],
  ['GIF8', picture('GIF', 'image/gif')],
  ['RIFF????WEBP', picture('WebP', 'image/webp')],
  ['RIFF????AVI ', VIDEO],
  ['RIFF????WAVE', SOUND],
  ['BM????\0\0\0\0', picture('BMP', 'image/bmp')],
  ['II*\0????????CR', RAW],
  ['II*\0', picture('TIFF', 'image/tiff')],
  ['MM\0*', picture('TIFF', 'image/tiff')],
  ['????ftypheic', picture('HEIC', 'image/heic')],
  ['????ftypheix', picture('HEIC', 'image/heic')],
  ['????ftypmif1', picture('HEIF', 'image/heif')],
  ['????ftypavif', picture('AVIF', 'image/avif')],
  ['????ftypM4A', SOUND],
  ['????ftypcrx', RAW],
  ['????ftyp', VIDEO],
  ['\x1a\x45\xdf\xa3', VIDEO],
  ['FLV\x01', VIDEO],
  ['\0\0\x01\xba', VIDEO],
  ['ID3', SOUND],
  ['OggS', SOUND],
  ['fLaC', SOUND],
  ['{\\rtf', RTF],
  ['%!PS', POSTSCRIPT],
  ['8BPS', PHOTOSHOP],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', OFFICE],
  ['Rar!', ZIP],
  ['7z\xbc\xaf\x27\x1c', ZIP],
  ['\x1f\x8b', ZIP],
  ['MZ', PROGRAM],
  ['\x7fELF', PROGRAM],
];

/** Kinds of ZIP archives by a name in their table of contents. */
const ARCHIVE_CONTENTS: readonly (readonly [holding: string, kind: Kind])[] = [
  ['word/document', WORD],
  ['xl/workbook', SHEET],
  ['ppt/presentation', SLIDES],
  ['application/epub+zip', EPUB],
  ['application/vnd.oasis.opendocument', OPEN_DOCUMENT],
];

/** The kind of a file; null for unknown bytes. @throws {DOMException} if it cannot be read, for example a folder */
export async function kindOf(file: Blob): Promise<Kind | null> {
  if (file.size === 0) return EMPTY;
  const head = await lettersOf(file.slice(0, HEAD_BYTES));
  if (head.startsWith('PK\x03\x04')) {
    const listed = head + (await lettersOf(file.slice(-TAIL_BYTES)));
    return ARCHIVE_CONTENTS.find(([holding]) => listed.includes(holding))?.[1] ?? ZIP;
  }
  const found = SIGNATURES.find(([beginning]) => beginsWith(head, beginning));
  return found ? found[1] : kindOfText(head);
}

const beginsWith = (head: string, beginning: string) =>
  head.length >= beginning.length &&
  [...beginning].every((letter, at) => letter === '?' || letter === head[at]);

/** The bytes as a string with one character per byte. */
async function lettersOf(part: Blob): Promise<string> {
  // Not `TextDecoder`: browsers decode Latin 1 as Windows-1252, which has other characters at 0x80 to 0x9f.
  return Array.from(new Uint8Array(await part.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('');
}

function kindOfText(head: string): Kind | null {
  if (/^(?:\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<!doctype svg|<svg)[\s\S]*<svg|^\s*<svg/i.test(head)) return SVG;
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i.test(head)) return HTML;
  // A text has no control characters except white space and escape.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head) ? null : TEXT;
}
