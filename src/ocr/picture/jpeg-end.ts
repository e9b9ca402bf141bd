/**
 * Completes a truncated JPEG, as an interrupted transfer leaves it: browsers reject such a file, but decode it with an
 * end marker.
 */

const MARKER = 0xff;
const SCAN = 0xda;
const END = 0xd9;
const PROGRESSIVE = 0xc2;
/** Restart markers, and an escaped byte, stand within the data of a scan. */
const isData = (code: number) => code === 0 || (code >= 0xd0 && code <= 0xd7);

/**
 * A JPEG without its end, completed by an end marker after its last whole segment or in its last scan; undefined for one that
 * has its end.
 */
export function completedJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const view = withTables(bytes);
  let at = 2;
  let end = at;
  while (at + 4 <= bytes.length && bytes[at] === MARKER) {
    const code = view.getUint8(at + 1);
    if (code === END) return undefined;
    // A marker may stand after any number of fill bytes.
    if (code === MARKER) {
      at += 1;
      continue;
    }
    end = at;
    at += 2 + view.getUint16(at + 2);
    if (at > bytes.length) break;
    if (code === SCAN) at = endOfScan(bytes, at);
    end = at;
  }
  // The last marker of a whole file has no length.
  if (bytes[at] === MARKER && bytes[at + 1] === END) return undefined;
  const completed = new Uint8Array(end + 2);
  completed.set(bytes.subarray(0, end));
  completed.set([MARKER, END], end);
  return completed;
}

/** Whether a JPEG is built up scan by scan, so that one that is cut off is coarse everywhere. */
export function isProgressive(bytes: Uint8Array): boolean {
  const view = withTables(bytes);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === MARKER; ) {
    const code = view.getUint8(at + 1);
    if (code === PROGRESSIVE || code === SCAN) return code === PROGRESSIVE;
    at += code === MARKER ? 1 : 2 + view.getUint16(at + 2);
  }
  return false;
}

const withTables = ({ buffer, byteOffset, length }: Uint8Array) => new DataView(buffer, byteOffset, length);

/** Where the next marker stands, or the file ends. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(MARKER, start); at >= 0; at = bytes.indexOf(MARKER, at + 1)) {
    const code = bytes[at + 1];
    if (code === undefined) return at;
    if (code !== MARKER && !isData(code)) return at;
  }
  return bytes.length;
}
