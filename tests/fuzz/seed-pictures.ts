/** What is mutated: small pictures of every format in many of its kinds, and real ones where there are any. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { type BmpKind, bmp, fixture, textPicture } from '../support/pictures.ts';
import { FORMATS, type Format } from './anatomy.ts';
import type { SeedPicture } from './mutations.ts';

const BMP_KINDS: readonly BmpKind[] = [
  '1-bit',
  '4-bit',
  '8-bit',
  'os2-24-bit',
  '16-bit-555',
  '16-bit-565',
  '24-bit',
  '24-bit-top-down',
  '32-bit-v4-fields',
  '32-bit-v5-alpha',
  'rle4',
  'rle8',
];

/** Each is drawn from the fixture: 480 × 160 pixels, two lines of text. */
const KINDS: Record<
  Exclude<Format, 'bmp' | 'heic'>,
  Record<string, (picture: Sharp) => Sharp | Promise<Sharp>>
> = {
  png: {
    grey: (picture) => picture.greyscale().png(),
    palette: (picture) => picture.png({ palette: true, colours: 16 }),
    interlaced: (picture) => picture.png({ progressive: true }),
    'interlaced, 16 bits': (picture) => picture.toColourspace('rgb16').png({ progressive: true }),
    'with alpha': (picture) => picture.ensureAlpha(0.8).png(),
  },
  jpeg: {
    baseline: (picture) => picture.jpeg({ quality: 80 }),
    progressive: (picture) => picture.jpeg({ progressive: true }),
    'whole color, optimised': (picture) => picture.jpeg({ chromaSubsampling: '4:4:4', optimiseCoding: true }),
    grey: (picture) => picture.greyscale().jpeg(),
    turned: (picture) => picture.withMetadata({ orientation: 6 }).jpeg(),
    cmyk: (picture) => picture.toColourspace('cmyk').jpeg(),
  },
  webp: {
    lossy: (picture) => picture.webp({ quality: 70 }),
    lossless: (picture) => picture.webp({ lossless: true }),
    'with alpha': (picture) => picture.ensureAlpha(0.7).webp(),
    animated: async (picture) => (await frames(picture)).webp({ loop: 1, delay: [50, 50, 50] }),
  },
  gif: {
    still: (picture) => picture.gif(),
    interlaced: (picture) => picture.gif({ progressive: true }),
    animated: async (picture) => (await frames(picture)).gif({ loop: 0, delay: [50, 50, 50] }),
  },
  tiff: {
    plain: (picture) => picture.tiff({ compression: 'none' }),
    lzw: (picture) => picture.tiff({ compression: 'lzw', predictor: 'horizontal' }),
    deflate: (picture) => picture.tiff({ compression: 'deflate' }),
    jpeg: (picture) => picture.tiff({ compression: 'jpeg', quality: 70 }),
    packbits: (picture) => picture.tiff({ compression: 'packbits' }),
    'fax of one bit': (picture) =>
      picture.toColourspace('b-w').threshold(128).tiff({ compression: 'ccittfax4', bitdepth: 1 }),
    tiled: (picture) => picture.tiff({ tile: true, tileWidth: 64, tileHeight: 64 }),
    pyramid: (picture) => picture.tiff({ tile: true, pyramid: true, tileWidth: 64, tileHeight: 64 }),
    big: (picture) => picture.tiff({ bigtiff: true }),
  },
  avif: {
    color: (picture) => picture.avif({ quality: 50, effort: 2 }),
    'whole color': (picture) => picture.avif({ quality: 60, effort: 2, chromaSubsampling: '4:4:4' }),
    lossless: (picture) => picture.avif({ lossless: true, effort: 2 }),
    'with alpha': (picture) => picture.ensureAlpha(0.7).avif({ effort: 2 }),
  },
};

/** The fixture in brown: a grey one is stored without its colors, whatever is asked for. */
const colored = () => textPicture().tint({ r: 200, g: 90, b: 30 });

/** Every kind of every format; the same bytes each time on one machine. */
export async function drawnPictures(): Promise<SeedPicture[]> {
  const drawn = Object.entries(KINDS).flatMap(([format, kinds]) =>
    Object.entries(kinds).map(async ([kind, draw]) => ({
      name: `${format} ${kind}`,
      format: format as Format,
      bytes: await (await draw(colored())).toBuffer(),
    })),
  );
  const bitmaps = BMP_KINDS.map(async (kind) => ({
    name: `bmp ${kind}`,
    format: 'bmp' as const,
    bytes: await bmp(kind),
  }));
  const upright = { name: 'heic upright', format: 'heic' as const, bytes: fixture('upright.heic') };
  const turned = { name: 'heic turned', format: 'heic' as const, bytes: fixture('turned.heic') };
  return [...(await Promise.all([...drawn, ...bitmaps])), upright, turned];
}

/** Frames that are alike would be stored as one. */
async function frames(picture: Sharp): Promise<Sharp> {
  const frame = await picture.resize({ width: 240 }).png().toBuffer();
  const negative = await sharp(frame).negate({ alpha: false }).png().toBuffer();
  return sharp([frame, negative, frame], { join: { animated: true } });
}

/** Reading a whole page takes seconds: what is looked for lies in the decoders. */
const REAL_SIDE = 700;
const REAL_BYTES = 3 * 1024 * 1024;
const EXTENSIONS: Readonly<Record<string, Format>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  bmp: 'bmp',
  tif: 'tiff',
  tiff: 'tiff',
  heic: 'heic',
  avif: 'avif',
};

/**
 * `count` pictures from anywhere below a folder, evenly taken: as their files are while small enough to be read quickly,
 * else drawn smaller in a format that sharp writes, each in its turn.
 */
export async function realPictures(folder: string, count: number): Promise<SeedPicture[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const known = names.filter((name) => formatByName(name) !== undefined);
  const step = Math.max(1, known.length / count);
  const chosen = Array.from(
    { length: Math.min(count, known.length) },
    (_, i) => known[Math.floor(i * step)]!,
  );
  const written = FORMATS.filter((format): format is keyof typeof KINDS => format in KINDS);
  return Promise.all(
    chosen.map(async (name, i) => {
      const bytes = await readFile(join(folder, name));
      const format = formatByName(name)!;
      const size = await sharp(bytes, { limitInputPixels: false })
        .metadata()
        .catch(() => undefined);
      const small = size === undefined || Math.max(size.width, size.height) <= REAL_SIDE;
      if (small && bytes.length <= REAL_BYTES) return { name, format, bytes };
      const target = written[i % written.length]!;
      const smaller = sharp(bytes, { limitInputPixels: false }).resize({
        width: REAL_SIDE,
        height: REAL_SIDE,
        fit: 'inside',
      });
      return {
        name: `${name} as ${target}`,
        format: target,
        bytes: await smaller.toFormat(target).toBuffer(),
      };
    }),
  );
}

function formatByName(name: string): Format | undefined {
  return EXTENSIONS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
}
