import { prepareZXingModule, type ReadOutputBarcodeFormat, readBarcodes } from 'zxing-wasm/reader';
import { answerCalls } from '../../workers/call-worker.ts';
import { boxAround, type CodeTask, type PictureCode, pixelsOf } from './picture-codes.ts';

/** More codes than on any photographed page. */
const MAX_CODES = 64;

answerCalls(readCodes);

/** Finds every bar code and matrix code. Boxes are in pixels of the task's size. */
async function readCodes(task: CodeTask): Promise<PictureCode[]> {
  const pixels = pixelsOf(task);
  if (!pixels || !task.wasm) return [];
  prepareZXingModule({ overrides: { wasmBinary: task.wasm } });
  const codes = await readBarcodes(pixels, { tryHarder: true, maxNumberOfSymbols: MAX_CODES });
  return codes
    .filter(({ isValid, text }) => isValid && text !== '')
    .map(({ format, text, position: { topLeft, topRight, bottomRight, bottomLeft } }) => ({
      name: nameOf(format),
      text,
      box: boxAround([topLeft, topRight, bottomRight, bottomLeft]),
    }));
}

const NAMES: Partial<Record<ReadOutputBarcodeFormat, string>> = {
  QRCode: 'QR code',
  DataMatrix: 'Data Matrix code',
  Aztec: 'Aztec code',
  PDF417: 'PDF417 code',
  EAN13: 'EAN-13 bar code',
  EAN8: 'EAN-8 bar code',
  UPCA: 'UPC-A bar code',
  UPCE: 'UPC-E bar code',
  Code128: 'Code 128 bar code',
  Code39: 'Code 39 bar code',
  Code93: 'Code 93 bar code',
};

const nameOf = (format: ReadOutputBarcodeFormat) => NAMES[format] ?? `${format} code`;
