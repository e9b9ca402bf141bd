/** More are not looked for. */
export const MAX_TIFF_PAGES = 1000;

const NEW_SUBFILE_TYPE = 254;
/** Bit of `NEW_SUBFILE_TYPE`: the same picture as another in the file, smaller. */
const REDUCED = 1;
const TAG_BYTES = 12;
/** All tags that are known make half of it. */
const MAX_TAGS = 512;

/** Where a page's list of tags lies, and where the file says where the next one does. Bytes. */
export interface TiffDirectory {
  at: number;
  pointer: number;
}

/** The pages of a TIFF in their order, without scanners' small copies of them; of one that is cut off, those that are there. */
export async function tiffDirectories(file: Blob): Promise<TiffDirectory[]> {
  const view = async (at: number, bytes: number) =>
    new DataView(await file.slice(at, at + bytes).arrayBuffer());
  const head = await view(0, 8);
  if (head.byteLength < 8) return [];
  const little = head.getUint8(0) === 0x49;
  if (head.getUint16(2, little) !== 42) return [];
  const seen = new Set<number>();
  const found: TiffDirectory[] = [];
  let at = head.getUint32(4, little);
  // A chain that goes round in a circle ends where it began.
  while (at !== 0 && at + 2 <= file.size && !seen.has(at) && found.length < MAX_TIFF_PAGES) {
    seen.add(at);
    const count = (await view(at, 2)).getUint16(0, little);
    const tags = await view(at + 2, TAG_BYTES * count + 4);
    if (count > MAX_TAGS || tags.byteLength < TAG_BYTES * count) break;
    const pointer = at + 2 + TAG_BYTES * count;
    // Tags stand in their order, and this one has the lowest number of those in use.
    const isReduced =
      count > 0 &&
      tags.getUint16(0, little) === NEW_SUBFILE_TYPE &&
      (tags.getUint32(8, little) & REDUCED) !== 0;
    if (count > 0 && (found.length === 0 || !isReduced)) found.push({ at, pointer });
    at = tags.byteLength < TAG_BYTES * count + 4 ? 0 : tags.getUint32(TAG_BYTES * count, little);
  }
  return found;
}
