import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { callWorker } from '../../workers/call-worker.ts';
import barcodeWorker from './barcode-worker.ts?worker&url';
import type { CodeTask, PictureCode } from './picture-codes.ts';
import qrWorker from './qr-worker.ts?worker&url';

/** The preview's URL of a picture, and its file if the browser can decode it. */
interface ShownPicture {
  url: string;
  file: File | null;
}

interface CodeSearch {
  /** The URL of the worker. */
  address: string;
  /** Maximal length of the longer side of the worker's picture, in pixels. */
  maxSide: number;
  /** The WebAssembly module of the worker. */
  wasm?: ArrayBuffer;
}

type Search = (
  shown: ShownPicture,
  size: { width: number; height: number },
  signal: AbortSignal,
) => Promise<readonly PictureCode[]>;

/** Enough for the size of printed QR codes. */
const MAX_SIDE_QR = 2400;
/** Enough for 2 pixels in the narrowest bars of a photographed page. */
const MAX_SIDE_BARCODES = 4000;

/** Finds QR codes with a small decoder, which runs for every result. */
export const findQrCodes: Search = (shown, size, signal) =>
  findCodes({ address: qrWorker, maxSide: MAX_SIDE_QR }, shown, size, signal);

/**
 * Finds bar codes and matrix codes of every common kind, including QR codes. Its decoder has 1 MB and is loaded on
 * request.
 */
export const findBarcodes: Search = async (shown, size, signal) => {
  const response = await fetch(wasmAddress, { signal });
  if (!response.ok) throw new Error(`Loading the barcode decoder failed: ${response.status}`);
  const wasm = await response.arrayBuffer();
  return findCodes({ address: barcodeWorker, maxSide: MAX_SIDE_BARCODES, wasm }, shown, size, signal);
};

/**
 * Finds codes in a worker. Rejects if the browser cannot decode the picture or has no workers.
 * @param size the picture's size; boxes are in its pixels
 */
async function findCodes(
  { address, maxSide, wasm }: CodeSearch,
  shown: ShownPicture,
  size: { width: number; height: number },
  signal: AbortSignal,
): Promise<readonly PictureCode[]> {
  // The URL is revoked once another picture is shown.
  signal.throwIfAborted();
  const picture = await bitmapOf(shown);
  signal.throwIfAborted();
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
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

/** `createImageBitmap(file)` decodes off the main thread; an `img` element would block it for large photographs. */
async function bitmapOf({ url, file }: ShownPicture): Promise<ImageBitmap> {
  if (file) return createImageBitmap(file);
  const image = new Image();
  image.src = url;
  await image.decode();
  return createImageBitmap(image);
}
