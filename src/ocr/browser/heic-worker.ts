/**
 * Opens a HEIC where the browser does not, with the library of the server. A worker of its own: the library and the memory of
 * its WebAssembly are there only while it works.
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
