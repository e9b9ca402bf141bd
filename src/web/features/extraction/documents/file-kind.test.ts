import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bmp, fixture } from '../../../../../tests/support/pictures.ts';
import { kindOf } from './file-kind.ts';

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const kindTextOf = async (bytes: Uint8Array<ArrayBuffer>) => {
  const kind = await kindOf(new Blob([bytes]));
  return kind?.is === 'other' ? kind.what : (kind?.name ?? null);
};
const archive = (...names: string[]) =>
  // Stored without compression, like files that programs read without unpacking.
  new Uint8Array(
    zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array(9000)])), { level: 0 }),
  );
const copy = (bytes: Uint8Array) => new Uint8Array(bytes);

describe('kindOf', () => {
  it.each([
    ['a PDF', letters('%PDF-1.7\n%\xe2\xe3')],
    ['an SVG', letters('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an SVG', letters('\n<svg viewBox="0 0 1 1"></svg>')],
    ['a web page', letters('<!DOCTYPE html><title>x</title>')],
    ['a text file', letters('Dear all,\r\n\tsee you at seven.')],
    ['an empty file', new Uint8Array(0)],
    ['a video', letters('\0\0\0\x20ftypisom\0\0\x02\0')],
    ['a video', letters('\x1a\x45\xdf\xa3\x01')],
    ['an RTF document', letters('{\\rtf1\\ansi')],
    ['an Office document of an older kind', letters('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    ['a Word document', archive('[Content_Types].xml', 'word/document.xml')],
    ['an Excel workbook', archive('[Content_Types].xml', 'xl/workbook.xml')],
    ['a PowerPoint presentation', archive('[Content_Types].xml', 'ppt/presentation.xml')],
    ['an archive', archive('photos/one.jpg')],
  ])('file kind: recognizes %s by its bytes', async (what, bytes) => {
    expect(await kindTextOf(bytes)).toBe(`This is ${what}`);
  });

  it('file kind: recognizes every supported picture format', async () => {
    const drawn = sharp(fixture('harbour-lights.png'));
    for (const [name, format] of [
      ['PNG', 'png'],
      ['JPG', 'jpeg'],
      ['WebP', 'webp'],
      ['GIF', 'gif'],
      ['TIFF', 'tiff'],
      ['AVIF', 'avif'],
    ] as const) {
      expect(await kindTextOf(copy(await drawn.clone().toFormat(format).toBuffer()))).toBe(name);
    }
    expect(await kindTextOf(copy(await bmp('24-bit')))).toBe('BMP');
    expect(await kindTextOf(copy(fixture('upright.heic')))).toBe('HEIC');
  });

  it('file kind: returns null for unknown bytes', async () => {
    expect(await kindTextOf(Uint8Array.of(1, 2, 3, 0, 255, 7))).toBeNull();
    expect(await kindTextOf(copy(readFileSync(process.execPath).subarray(64, 9000)))).toBeNull();
  });
});
