import { crc32, deflateSync } from 'node:zlib';
import { OCR_ERRORS } from '../../src/ocr/errors.ts';
import { bmp, encodeBmp, fixture, textPicture } from './pictures.ts';

/** A changed copy. */
export function patched(bytes: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  patch(copy);
  return copy;
}

/** A PNG with a valid header of the given size. */
const pngOf = (width: number, height: number): Buffer => {
  const png = Buffer.from(fixture('harbour-lights.png'));
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
};
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
const afterText = (bytes: Buffer, text: string, distance: number) =>
  bytes.indexOf(text, 0, 'latin1') + distance;
const tinyBmp = () => encodeBmp('24-bit', { gray: [0, 255, 255, 0], width: 2, height: 2 });
const gif = () => textPicture().gif().toBuffer();

const { unsupported, vector, damaged, tooManyPixels } = OCR_ERRORS;
/** Pictures without their end. The engine reads the existing part, with the notice `incomplete`. */
export const INCOMPLETE_PICTURES: readonly (readonly [what: string, make: () => Promise<Buffer> | Buffer])[] =
  [
    ['half a JPEG', async () => half(await textPicture().jpeg().toBuffer())],
    ['half a progressive JPEG', async () => half(await textPicture().jpeg({ progressive: true }).toBuffer())],
    [
      'three quarters of a PNG',
      () => {
        const whole = fixture('harbour-lights.png');
        return whole.subarray(0, whole.length * 0.75);
      },
    ],
    ['half a PNG in color', async () => half(await textPicture().png({ compressionLevel: 0 }).toBuffer())],
    [
      'three quarters of a PNG of a palette',
      async () => {
        const whole = await textPicture().png({ palette: true, compressionLevel: 0 }).toBuffer();
        return whole.subarray(0, whole.length * 0.75);
      },
    ],
    ['a PNG that claims more than it holds', () => pngOf(480, 9_000)],
  ];

/** Broken pictures: description, error code and bytes. */
export const BROKEN_PICTURES: readonly (readonly [
  what: string,
  code: string,
  make: () => Promise<Buffer> | Buffer,
])[] = [
  ['nothing at all', unsupported, () => Buffer.alloc(0)],
  ['a single byte', unsupported, () => Buffer.from([0xff])],
  ['plain text', unsupported, () => Buffer.from('BM is how this note begins, and it is no bitmap.')],
  ['a PDF', unsupported, () => Buffer.from('%PDF-1.7\n1 0 obj\n')],
  ['a ZIP archive', unsupported, () => Buffer.from('PK\x03\x04and so on')],
  ['a web page', unsupported, () => Buffer.from('<html><body>hello</body></html>')],
  ['a film', unsupported, () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
  ['an SVG', vector, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an SVG behind an XML declaration', vector, () => Buffer.from('\uFEFF<?xml version="1.0"?><svg/>')],
  [
    'half an interlaced PNG',
    damaged,
    async () => half(await textPicture().png({ progressive: true }).toBuffer()),
  ],
  ['half a WebP', damaged, async () => half(await textPicture().webp().toBuffer())],
  ['half a GIF', damaged, async () => half(await gif())],
  ['half a TIFF', damaged, async () => half(await textPicture().tiff().toBuffer())],
  ['half an AVIF', damaged, async () => half(await textPicture().avif({ effort: 1 }).toBuffer())],
  ['half a HEIC', damaged, () => half(fixture('upright.heic'))],
  ['half a bitmap', damaged, async () => half(await bmp('24-bit'))],
  ['half a packed bitmap', damaged, async () => half(await bmp('rle8'))],
  [
    'a PNG signature with rubbish behind it',
    damaged,
    () => Buffer.from('\x89PNG\r\n\x1a\nrubbish rubbish', 'latin1'),
  ],
  [
    'a JPEG signature with rubbish behind it',
    damaged,
    () => Buffer.from('\xff\xd8\xff rubbish rubbish', 'latin1'),
  ],
  ['a script that opens like a GIF', damaged, () => Buffer.from('GIF89a/*<script>alert(1)</script>*/')],
  ['a PNG of no width', damaged, () => pngOf(0, 160)],
  ['a PNG that claims 20,000 × 20,000 pixels', tooManyPixels, () => pngOf(20_000, 20_000)],
  ['a PNG bomb of 20,000 × 20,000 pixels', tooManyPixels, bomb],
  ['a PNG strip of a million single pixels', tooManyPixels, () => pngOf(1, 1_000_000)],
  ['a bitmap of no width', damaged, () => patched(tinyBmp(), (copy) => copy.writeInt32LE(0, 18))],
  ['a bitmap of negative width', damaged, () => patched(tinyBmp(), (copy) => copy.writeInt32LE(-2, 18))],
  [
    'a bitmap that claims four thousand million pixels',
    tooManyPixels,
    () =>
      patched(tinyBmp(), (copy) => {
        copy.writeInt32LE(65_535, 18);
        copy.writeInt32LE(-65_535, 22);
      }),
  ],
  ['a bitmap of 7 bits a pixel', damaged, () => patched(tinyBmp(), (copy) => copy.writeUInt16LE(7, 28))],
  [
    'a HEIC that claims 60,000 × 60,000 pixels',
    tooManyPixels,
    () =>
      patched(fixture('upright.heic'), (copy) => {
        copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 8));
        copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 12));
      }),
  ],
  [
    'a HEIC of no width',
    damaged,
    () =>
      patched(fixture('upright.heic'), (copy) => {
        copy.writeUInt32BE(0, afterText(copy, 'ispe', 8));
      }),
  ],
  [
    'an AVIF that claims 60,000 × 60,000 pixels',
    tooManyPixels,
    async () =>
      patched(await textPicture().avif({ effort: 1 }).toBuffer(), (copy) => {
        copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 8));
        copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 12));
      }),
  ],
  [
    'a GIF whose frame claims 60,000 × 60,000 pixels',
    tooManyPixels,
    async () =>
      patched(await gif(), (copy) => {
        const frame = copy.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 0xe0, 0x01]));
        for (const at of [6, 8, frame + 5, frame + 7]) copy.writeUInt16LE(60_000, at);
      }),
  ],
  [
    'a JPEG that claims 65,000 × 65,000 pixels',
    tooManyPixels,
    async () =>
      patched(await textPicture().jpeg().toBuffer(), (copy) => {
        const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
        copy.writeUInt16BE(65_000, frame + 5);
        copy.writeUInt16BE(65_000, frame + 7);
      }),
  ],
  [
    'a TIFF whose width tag is absurd',
    tooManyPixels,
    () => tiffWith({ 256: 1_000_000, 257: 1_000_000, 277: 1 }),
  ],
  ['a TIFF of 65,000 channels', damaged, () => tiffWith({ 256: 1_000, 257: 1_000, 277: 65_000 })],
  [
    'a TIFF whose list of tags points at itself',
    damaged,
    () => Buffer.from('II*\0\x08\0\0\0\0\0\x08\0\0\0', 'latin1'),
  ],
];

/** A decompression bomb: 20,000 × 20,000 pixels in less than 100 kB. */
function bomb(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(20_000, 0);
  header.writeUInt32BE(20_000, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(20_000 * (1 + 20_000 / 8)), { level: 1 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A little-endian TIFF that consists of tags only. */
function tiffWith(tags: Record<number, number>): Buffer {
  const all = { 258: 8, 259: 1, 262: 1, 273: 8, 278: 1, 279: 16, ...tags };
  const entries = Object.entries(all).map(([tag, value]) => [Number(tag), value] as const);
  entries.sort(([a], [b]) => a - b);
  const file = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, value], index) => {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
}
