/** The kind of a file, by its bytes; its name is not reliable. */

/** The last offset that tells formats apart; archives list their content at the end. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 16 * 1024;

export type Kind =
  | { is: 'picture'; type: string; name: string }
  /** In words for a person, and what to do instead. */
  | { is: 'other'; what: string; wayOn: string; hasPages?: boolean };

const SCREENSHOT = 'take a screenshot of it';
const other = (what: string, wayOn: string): Kind => ({ is: 'other', what: `This is ${what}`, wayOn });
const picture = (name: string, type: string): Kind => ({ is: 'picture', type, name });

const PDF: Kind = {
  is: 'other',
  what: 'This is a PDF',
  wayOn: 'Its pages can be read as pictures, and the text of those that hold some is taken at no cost.',
  hasPages: true,
};
const SVG = other('an SVG', `It is a drawing and no picture: open it in a browser and ${SCREENSHOT}.`);
const VIDEO = other('a video', 'Stop it where the text can be seen, and take a screenshot.');
const SOUND = other('a sound recording', 'There is nothing in it to be read.');
const TEXT = other('a text file', 'Its text can be opened and copied as it is.');
const HTML = other('a web page', 'Its text can be copied in a browser as it is.');
const EMPTY = other(
  'an empty file',
  'There is nothing in it. It may not have been copied or downloaded whole.',
);
const document = (what: string) =>
  other(what, 'Its text can be copied as it is. If it holds a scan, save that picture out of it.');
const WORD = document('a Word document');
const OFFICE = document('an Office document of an older kind');
const SHEET = document('an Excel workbook');
const SLIDES = document('a PowerPoint presentation');
const OPEN_DOCUMENT = document('an OpenDocument file');
const RTF = document('an RTF document');
const EPUB = document('an e-book');
const ZIP = other('an archive', 'Unpack it, and choose a picture out of it.');
const POSTSCRIPT = other('a PostScript file', `Open it and ${SCREENSHOT}, or save it as PNG.`);
const PROGRAM = other('a program', 'There is nothing in it to be read.');
const RAW = other('a camera’s raw file', 'Save it as JPG or PNG first.');
const PHOTOSHOP = other('a Photoshop file', 'Save it as PNG or JPG first.');

/** By the first bytes, `?` standing for any. */
const BEGINNINGS: readonly (readonly [beginning: string, kind: Kind])[] = [
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

/** By what an archive lists. */
const HOLDINGS: readonly (readonly [holding: string, kind: Kind])[] = [
  ['word/document', WORD],
  ['xl/workbook', SHEET],
  ['ppt/presentation', SLIDES],
  ['application/epub+zip', EPUB],
  ['application/vnd.oasis.opendocument', OPEN_DOCUMENT],
];

/** Null for unknown bytes. @throws {DOMException} for what is not readable, such as a folder */
export async function kindOf(file: Blob): Promise<Kind | null> {
  if (file.size === 0) return EMPTY;
  const head = await lettersOf(file.slice(0, HEAD_BYTES));
  if (head.startsWith('PK\x03\x04')) {
    const listed = head + (await lettersOf(file.slice(-TAIL_BYTES)));
    return HOLDINGS.find(([holding]) => listed.includes(holding))?.[1] ?? ZIP;
  }
  const found = BEGINNINGS.find(([beginning]) => beginsWith(head, beginning));
  return found ? found[1] : kindOfText(head);
}

const beginsWith = (head: string, beginning: string) =>
  head.length >= beginning.length &&
  [...beginning].every((letter, at) => letter === '?' || letter === head[at]);

/** One letter a byte. */
async function lettersOf(part: Blob): Promise<string> {
  // What browsers decode as Latin 1 has other letters where that has control codes.
  return Array.from(new Uint8Array(await part.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('');
}

function kindOfText(head: string): Kind | null {
  if (/^(?:\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<!doctype svg|<svg)[\s\S]*<svg|^\s*<svg/i.test(head)) return SVG;
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i.test(head)) return HTML;
  // What no text holds are the codes below a space, but for those that lead.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head) ? null : TEXT;
}
