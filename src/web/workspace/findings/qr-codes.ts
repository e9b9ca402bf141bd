import { callWorker } from '../../workers/call-worker.ts';
import type { QrCode } from './qr-worker.ts';
import address from './qr-worker.ts?worker&url';

/** Pixels of the longer side: codes that are printed to be read are large enough on a picture of this size. */
const LONGEST_SIDE = 2400;

/**
 * The QR codes of a picture, read in a worker. None if the browser cannot draw the picture or has no workers.
 * @param size of the picture; boxes are in its pixels
 */
export async function qrCodesOf(
  url: string,
  size: { width: number; height: number },
  signal: AbortSignal,
): Promise<readonly QrCode[]> {
  // The address is invalid once another picture is shown.
  signal.throwIfAborted();
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.naturalWidth, image.naturalHeight));
  const picture = await createImageBitmap(image, {
    resizeWidth: Math.max(1, Math.round(image.naturalWidth * scale)),
    resizeHeight: Math.max(1, Math.round(image.naturalHeight * scale)),
    resizeQuality: 'medium',
  });
  signal.throwIfAborted();
  const [x, y] = [size.width / picture.width, size.height / picture.height];
  const codes = await callWorker<ImageBitmap, readonly QrCode[]>(address, picture, {
    transfer: [picture],
    signal,
  });
  return codes.map(({ text, box }) => ({
    text,
    box: { x: box.x * x, y: box.y * y, width: box.width * x, height: box.height * y },
  }));
}
