/** Documents of several pages, whole and broken. */
import { strToU8 } from 'fflate';
import sharp from 'sharp';
import { PdfFile } from '#formats/pdf-file';
import { textPicture } from './pictures.ts';

/** A page of a test's PDF: a picture over all of it, or words that it was written with; its size in points. */
export type DrawnPage = { width: number; height: number; rotate?: number } & (
  | { jpeg: Uint8Array }
  | { words: string }
);

export async function pdfOf(pages: readonly DrawnPage[]): Promise<Uint8Array> {
  const file = new PdfFile();
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const drawn = await Promise.all(
    pages.map(async (page) => {
      if (!('jpeg' in page)) return { page, resources: `/Font << /Text ${font} >>` };
      return { page, size: await sharp(page.jpeg).metadata() };
    }),
  );
  const objects = drawn.map(({ page, size, resources }) => {
    const { width, height, rotate = 0 } = page;
    let within = resources;
    if ('jpeg' in page) {
      const about = `/Type /XObject /Subtype /Image /Width ${size?.width} /Height ${size?.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`;
      within = `/XObject << /Picture ${file.addStream(about, page.jpeg)} >>`;
    }
    const content =
      'jpeg' in page
        ? `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`
        : `BT /Text 24 Tf 40 ${height - 60} Td (${page.words}) Tj ET`;
    const contents = file.addStream('', strToU8(content));
    return (list: string) =>
      `<< /Type /Page /Parent ${list} /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} /Resources << ${within} >> /Contents ${contents} >>`;
  });
  const catalog = file.add(`<< /Type /Catalog /Pages ${file.addPages(objects)} >>`);
  return file.bytes({ catalog, info: file.add('<< >>') });
}

/** `Harbour lights` / `seven boats` as a scan of 480 × 160 points. */
export async function scanPage(): Promise<DrawnPage> {
  return { width: 480, height: 160, jpeg: await scanJpeg() };
}

export const scanJpeg = (): Promise<Buffer> =>
  textPicture().resize(1920).toColourspace('srgb').jpeg().toBuffer();

/** A PDF that nobody here knows the password of. */
export async function lockedPdf(): Promise<Uint8Array> {
  const open = Buffer.from(await pdfOf([{ width: 200, height: 200, words: 'secret' }])).toString('latin1');
  const key = 'ab'.repeat(32);
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`;
  return Buffer.from(open.replace('trailer\n<<', `trailer\n<< ${lock}`), 'latin1');
}

/** The text's picture once upright and in its negative, as two pages of one TIFF. */
export async function twoPageTiff(): Promise<Buffer> {
  const pages = [textPicture(), textPicture().negate()];
  const files = await Promise.all(pages.map((page) => page.png().toBuffer()));
  return sharp(files, { join: { animated: true } })
    .tiff({ compression: 'lzw' })
    .toBuffer();
}

/** The same, of which the second page claims to be as large as a town. */
export async function halfBrokenTiff(): Promise<Buffer> {
  const file = await twoPageTiff();
  const first = file.readUInt32LE(4);
  const second = file.readUInt32LE(first + 2 + 12 * file.readUInt16LE(first));
  const [width, length] = [256, 257];
  for (let tag = 0; tag < file.readUInt16LE(second); tag += 1) {
    const at = second + 2 + 12 * tag;
    if (![width, length].includes(file.readUInt16LE(at))) continue;
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(100_000, at + 8);
  }
  return file;
}

/** PDFs as a broken transfer, an old program or somebody with a grudge makes them. */
export async function brokenPdfs(): Promise<Record<string, Uint8Array>> {
  const whole = Buffer.from(await pdfOf([await scanPage(), { width: 300, height: 300, words: 'hello' }]));
  const text = whole.toString('latin1');
  const changed = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), 'latin1');
  return {
    'nothing but its first line': Buffer.from('%PDF-1.7\n'),
    'its first half': whole.subarray(0, whole.length / 2),
    'without its table of objects': whole.subarray(0, text.lastIndexOf('xref\n0')),
    'a list of pages that holds itself': changed(
      /\/Kids \[\d+ 0 R/,
      (text.match(/\/Pages (\d+ 0 R)/)?.[1] ?? '').replace(/^/, '/Kids ['),
    ),
    'a count of pages that is not true': changed(/\/Count \d+/, '/Count 2000000000'),
    'a page without a size': changed(/\/MediaBox \[[^\]]+\]/g, '/MediaBox [0 0 0 0]'),
    'a page as large as a town': changed(/\/MediaBox \[[^\]]+\]/g, '/MediaBox [0 0 1e9 1e9]'),
    'a picture that claims a million rows': changed(/\/Height \d+/, '/Height 1000000'),
    'a stream that claims to be longer than the file': changed(/\/Length \d+/g, '/Length 999999999'),
  };
}
