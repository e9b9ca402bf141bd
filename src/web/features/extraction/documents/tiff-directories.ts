/** Further pages are ignored. */
export const MAX_TIFF_PAGES = 1000;

const NEW_SUBFILE_TYPE = 254;
/** Bit of `NEW_SUBFILE_TYPE`: a reduced copy of another picture in the file. */
const REDUCED = 1;
const TAG_BYTES = 12;
/** Twice the number of known tags. */
const MAX_TAGS = 512;

/** The byte offsets of a page's tags (the directory), and of the pointer to the next directory. */
export interface TiffDirectory {
  at: number;
  pointer: number;
}

/** The pages of a TIFF in their order, without reduced copies. Of a truncated file, the complete pages. */
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
  // `seen` ends a circular chain of directories.
  while (at !== 0 && at + 2 <= file.size && !seen.has(at) && found.length < MAX_TIFF_PAGES) {
    seen.add(at);
    const count = (await view(at, 2)).getUint16(0, little);
    const tags = await view(at + 2, TAG_BYTES * count + 4);
    if (count > MAX_TAGS || tags.byteLength < TAG_BYTES * count) break;
    const pointer = at + 2 + TAG_BYTES * count;
    // Tags are sorted, and this tag has the lowest number of the used ones.
    const isReduced =
      count > 0 &&
      tags.getUint16(0, little) === NEW_SUBFILE_TYPE &&
      (tags.getUint32(8, little) & REDUCED) !== 0;
    if (count > 0 && (found.length === 0 || !isReduced)) found.push({ at, pointer });
    at = tags.byteLength < TAG_BYTES * count + 4 ? 0 : tags.getUint32(TAG_BYTES * count, little);
  }
  return found;
}
