/** Distinguishes a JPEG without its last few bytes from one that lost a part of the picture. */
import sharp from 'sharp';

/** Rows of the largest block of a JPEG. */
const JPEG_BLOCK_ROWS = 16;

/**
 * Whether only the end marker, or a few bytes of the last row of blocks, are missing: common after an interrupted transfer,
 * and no letter is lost. With an end marker added, everything above must decode without a warning; a decoder that runs out of
 * data earlier warns.
 */
export async function isNearlyWhole(bytes: Uint8Array): Promise<boolean> {
  const completed = Buffer.concat([bytes, Buffer.from([0xff, 0xd9])]);
  const options = { failOn: 'warning', limitInputPixels: false } as const;
  try {
    const { width, height } = await sharp(completed, options).metadata();
    if (height <= JPEG_BLOCK_ROWS) return false;
    const whole = { left: 0, top: 0, width, height: height - JPEG_BLOCK_ROWS };
    await sharp(completed, options).extract(whole).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}
