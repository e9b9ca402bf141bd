/**
 * Decodes a HEIC that the browser does not support, with the library of the server. A separate worker, so that the library
 * and its WebAssembly memory exist only while it works.
 */
import decode from 'heic-decode';
import type { HeicPixels } from './decode.ts';

/** The package accepts only some of the brands of HEVC pictures; at this point the format is known. */
const BRAND = { at: 8, name: 'heic' };

addEventListener('message', async ({ data: bytes }: MessageEvent<Uint8Array>) => {
  bytes.set(
    Array.from(BRAND.name, (letter) => letter.charCodeAt(0)),
    BRAND.at,
  );
  try {
    const { data, width, height } = await decode({ buffer: bytes });
    postMessage({ data, width, height } satisfies HeicPixels, { transfer: [data.buffer] });
  } catch {
    postMessage(null);
  }
});
