import { strFromU8, strToU8 } from 'fflate';
import { PdfFile } from '#formats/pdf-file';

/* PDFs for tests. Uses no Node modules, so that component tests can create them too. */

/** A page: covered by a JPEG, or with words. Sizes in points. */
export type DrawnPage = { width: number; height: number; rotate?: number } & (
  | { jpeg: Uint8Array }
  | { words: string }
);

export function pdfOf(pages: readonly DrawnPage[]): Uint8Array<ArrayBuffer> {
  const file = new PdfFile();
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const objects = pages.map((page) => {
    const { width, height, rotate = 0 } = page;
    let resources = `/Font << /Text ${font} >>`;
    if ('jpeg' in page) {
      const size = sizeOfJpeg(page.jpeg);
      const about = `/Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`;
      resources = `/XObject << /Picture ${file.addStream(about, page.jpeg)} >>`;
    }
    const content =
      'jpeg' in page
        ? `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`
        : `BT /Text 24 Tf 40 ${height - 60} Td (${page.words}) Tj ET`;
    const contents = file.addStream('', strToU8(content));
    return (list: string) =>
      `<< /Type /Page /Parent ${list} /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} /Resources << ${resources} >> /Contents ${contents} >>`;
  });
  const catalog = file.add(`<< /Type /Catalog /Pages ${file.addPages(objects)} >>`);
  return new Uint8Array(file.bytes({ catalog, info: file.add('<< >>') }));
}

/** A PDF that is encrypted with a password that no test knows. */
export function lockedPdf(): Uint8Array<ArrayBuffer> {
  const open = strFromU8(pdfOf([{ width: 200, height: 200, words: 'secret' }]), true);
  const key = 'ab'.repeat(32);
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`;
  return new Uint8Array(strToU8(open.replace('trailer\n<<', `trailer\n<< ${lock}`), true));
}

/** Size in the first frame header of a JPEG. */
function sizeOfJpeg(jpeg: Uint8Array): { width: number; height: number } {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  for (let at = 2; at + 9 < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
  }
  throw new Error('not a JPEG');
}
