import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { callWorker } from '../../workers/call-worker.ts';
import barcodeWorker from './barcode-worker.ts?worker&url';
import type { CodeTask, PictureCode } from './picture-codes.ts';
import qrWorker from './qr-worker.ts?worker&url';

/** A picture: where it is shown from, and its file where the browser draws that itself. */
interface ShownPicture {
  url: string;
  file: File | null;
}

interface CodeSearch {
  /** Of the worker. */
  address: string;
  /** Pixels: the longer side of what the worker gets. */
  longest: number;
  /** What the worker compiles. */
  wasm?: ArrayBuffer;
}

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

/**
 * The codes of a picture, read in a worker. Rejects if the browser cannot draw the picture or has no workers.
 * @param size of the picture; boxes are in its pixels
 */
async function codesOf(
  { address, longest, wasm }: CodeSearch,
  shown: ShownPicture,
  size: { width: number; height: number },
  signal: AbortSignal,
): Promise<readonly PictureCode[]> {
  // The address is invalid once another picture is shown.
  signal.throwIfAborted();
  const picture = await bitmapOf(shown);
  signal.throwIfAborted();
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [scaled(picture.width), scaled(picture.height)];
  const [x, y] = [size.width / width, size.height / height];
  const codes = await callWorker<CodeTask, readonly PictureCode[]>(
    address,
    { picture, width, height, wasm },
    { transfer: wasm ? [picture, wasm] : [picture], signal },
  );
  return codes.map(({ box, ...code }) => ({
    ...code,
    box: { x: box.x * x, y: box.y * y, width: box.width * x, height: box.height * y },
  }));
}

/** A file is decoded beside the page; an image that is shown would be decoded by it, which takes long for a photograph. */
async function bitmapOf({ url, file }: ShownPicture): Promise<ImageBitmap> {
  if (file) return createImageBitmap(file);
  const image = new Image();
  image.src = url;
  await image.decode();
  return createImageBitmap(image);
}
