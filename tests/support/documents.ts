/** Valid and broken documents of several pages. */
import sharp from 'sharp';
import { type DrawnPage, pdfOf } from './pdf.ts';
import { textPicture } from './pictures.ts';

/** `Harbour lights` / `seven boats` as a scan of 480 × 160 points. */
export async function scanPage(): Promise<DrawnPage> {
  return { width: 480, height: 160, jpeg: await scanJpeg() };
}

export const scanJpeg = (): Promise<Buffer> =>
  textPicture().resize(1920).toColourspace('srgb').jpeg().toBuffer();

/** A TIFF of two pages: the text's picture and its negative. */
export async function twoPageTiff(): Promise<Buffer> {
  const pages = [textPicture(), textPicture().negate()];
  const files = await Promise.all(pages.map((page) => page.png().toBuffer()));
  return sharp(files, { join: { animated: true } })
    .tiff({ compression: 'lzw' })
    .toBuffer();
}

/** A TIFF of two pages whose second page claims a size of 100,000 × 100,000 pixels. */
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

/** PDFs of broken transfers, old programs and attackers. */
export async function brokenPdfs(): Promise<Record<string, Uint8Array>> {
  const whole = Buffer.from(pdfOf([await scanPage(), { width: 300, height: 300, words: 'hello' }]));
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
