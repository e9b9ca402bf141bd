/** Pixels as plain bytes, the data of all stages. */

/** One byte a pixel, row by row, black 0. */
export interface GrayImage {
  gray: Uint8Array;
  width: number;
  height: number;
}

/** Interleaved RGB bytes. */
export interface RgbImage {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Shared memory where the platform has any: a page in a browser may have none. */
export function bytesForAll(length: number): Uint8Array {
  return new Uint8Array(
    typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(length) : new SharedArrayBuffer(length),
  );
}
