import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url';
import barcodeWorker from './barcode-worker.ts?worker&url';
import { codesOf, type PictureCode, type ShownPicture } from './picture-codes.ts';
import qrWorker from './qr-worker.ts?worker&url';

type Search = (
  shown: ShownPicture,
  size: { width: number; height: number },
  signal: AbortSignal,
) => Promise<readonly PictureCode[]>;

/** QR codes that are printed to be read are large enough on a picture of this size. */
const LONGEST_FOR_QR = 2400;
/** The narrowest bars of a photographed page have two pixels then. */
const LONGEST_FOR_BARS = 4000;

/** The QR codes of a picture, with a small reader that every result has. */
export const findQrCodes: Search = (shown, size, signal) =>
  codesOf({ address: qrWorker, longest: LONGEST_FOR_QR }, shown, size, signal);

/** Bar codes and matrix codes of every common kind, QR codes among them. Its reader is a megabyte, fetched at a press. */
export const findBarcodes: Search = async (shown, size, signal) => {
  const answer = await fetch(wasmAddress, { signal });
  if (!answer.ok) throw new Error(`The reader of bar codes was answered with ${answer.status}`);
  const wasm = await answer.arrayBuffer();
  return codesOf({ address: barcodeWorker, longest: LONGEST_FOR_BARS, wasm }, shown, size, signal);
};
