import harbourLights from '../fixtures/pictures/harbour-lights.png?url';
import { type DrawnPage, pdfOf } from '../support/pdf.ts';

/* PDF and TIFF files for tests of the tool. */

export const pdfFile = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  new File([bytes], name, { type: 'application/pdf' });

/** A scan of "Harbour lights / seven boats", a page of 480 × 160 points. */
async function scanPage(): Promise<DrawnPage> {
  const picture = await createImageBitmap(await (await fetch(harbourLights)).blob());
  const canvas = new OffscreenCanvas(1920, 640);
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
  return { width: 480, height: 160, jpeg: new Uint8Array(await jpeg.arrayBuffer()) };
}

/** A PDF with a page that has a text layer with these words, and a scanned page. */
export const letterPdf = async (name: string, words: string): Promise<File> =>
  pdfFile(name, pdfOf([{ width: 400, height: 300, words }, await scanPage()]));

/** A TIFF of two gray pages. The second declares a size that no browser can draw. */
export function brokenTiff(name: string): File {
  const side = 40;
  const pixelsAt = 8;
  const sizes = [side, 100_000];
  const tags = (size: number): [tag: number, value: number][] => [
    [256, size],
    [257, size],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, pixelsAt],
    [277, 1],
    [278, size],
    [279, side * side],
  ];
  const lengthOfList = 2 + 12 * tags(0).length + 4;
  const firstList = pixelsAt + side * side;
  const bytes = new DataView(new ArrayBuffer(firstList + sizes.length * lengthOfList));
  bytes.setUint32(0, 0x002a4949, true);
  bytes.setUint32(4, firstList, true);
  for (const [number, size] of sizes.entries()) {
    const at = firstList + number * lengthOfList;
    const entries = tags(size);
    bytes.setUint16(at, entries.length, true);
    for (const [place, [tag, value]] of entries.entries()) {
      const entry = at + 2 + 12 * place;
      bytes.setUint16(entry, tag, true);
      // One 32-bit value.
      bytes.setUint16(entry + 2, 4, true);
      bytes.setUint32(entry + 4, 1, true);
      bytes.setUint32(entry + 8, value, true);
    }
    const isLast = number === sizes.length - 1;
    bytes.setUint32(at + lengthOfList - 4, isLast ? 0 : at + lengthOfList, true);
  }
  return new File([bytes], name, { type: 'image/tiff' });
}
