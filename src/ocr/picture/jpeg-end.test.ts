import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { textPicture } from '../../../tests/support/pictures.ts';
import { completedJpeg, isProgressive } from './jpeg-end.ts';

describe('the end of a JPEG', () => {
  it.each([false, true])('a whole file has one (progressive: %s)', async (progressive) => {
    const jpeg = await textPicture().jpeg({ progressive }).toBuffer();
    expect(completedJpeg(jpeg)).toBeUndefined();
    // Some cameras append a second picture.
    expect(completedJpeg(Buffer.concat([jpeg, Buffer.alloc(100, 7)]))).toBeUndefined();
  });

  it.each([false, true])(
    'a file that is cut anywhere in its picture gets one, and is decoded (progressive: %s)',
    async (progressive) => {
      const jpeg = await textPicture().jpeg({ progressive }).toBuffer();
      expect(isProgressive(jpeg)).toBe(progressive);
      for (let length = 900; length < jpeg.length; length += 61) {
        const completed = completedJpeg(jpeg.subarray(0, length))!;
        expect(completed.subarray(-2)).toEqual(Uint8Array.of(0xff, 0xd9));
        // The last whole marker segment ends here at the latest.
        expect(completed.length).toBeLessThanOrEqual(length + 2);
        expect(completed.length).toBeGreaterThan(length - 700);
        const { info } = await sharp(completed, { failOn: 'none' })
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect(info.width).toBe(480);
      }
    },
  );
});
