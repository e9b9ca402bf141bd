import { Unzlib } from 'fflate';

const AT_ONCE = 65_536;

/** Decompressed zlib data; undefined where there are more than `most` bytes, or where it is damaged. */
export function inflated(data: Uint8Array, most: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Unzlib((part) => {
    parts.push(part);
    length += part.length;
  });
  try {
    for (let from = 0; from < data.length && length <= most; from += AT_ONCE)
      stream.push(data.subarray(from, from + AT_ONCE), from + AT_ONCE >= data.length);
  } catch {
    return undefined;
  }
  if (length > most) return undefined;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
