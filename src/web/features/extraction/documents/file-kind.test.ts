import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bmp, fixture } from '../../../../../tests/support/pictures.ts';
import { kindOf } from './file-kind.ts';

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const said = async (bytes: Uint8Array<ArrayBuffer>) => {
  const kind = await kindOf(new Blob([bytes]));
  return kind?.is === 'other' ? kind.what : (kind?.name ?? null);
};
const archive = (...names: string[]) =>
  // Held as it is, as what must be read without unpacking often is.
  new Uint8Array(
    zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array(9000)])), { level: 0 }),
  );
const copy = (bytes: Uint8Array) => new Uint8Array(bytes);

describe('file kind: is recognized by the bytes', () => {
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
  ])('as %s', async (what, bytes) => {
    expect(await said(bytes)).toBe(`This is ${what}`);
  });

  it('and every picture that is read is one', async () => {
    const drawn = sharp(fixture('harbour-lights.png'));
    for (const [name, format] of [
      ['PNG', 'png'],
      ['JPG', 'jpeg'],
      ['WebP', 'webp'],
      ['GIF', 'gif'],
      ['TIFF', 'tiff'],
      ['AVIF', 'avif'],
    ] as const) {
      expect(await said(copy(await drawn.clone().toFormat(format).toBuffer()))).toBe(name);
    }
    expect(await said(copy(await bmp('24-bit')))).toBe('BMP');
    expect(await said(copy(fixture('upright.heic')))).toBe('HEIC');
  });

  it('file kind: unknown bytes have none', async () => {
    expect(await said(Uint8Array.of(1, 2, 3, 0, 255, 7))).toBeNull();
    expect(await said(copy(readFileSync(process.execPath).subarray(64, 9000)))).toBeNull();
  });
});
