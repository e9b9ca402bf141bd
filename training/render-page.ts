/** Renders pages of generated text with the defects of cameras, scanners and screens, and returns the box of each line. */
import sharp from 'sharp';
import type { Random } from '../scripts/random.ts';
import type { Box } from '../src/ocr/types.ts';
import type { LineSource } from './text-source.ts';

export interface LabeledLine {
  text: string;
  /** In pixels of the image. */
  box: Box;
}

export interface RenderedPage {
  /** A JPEG or PNG file. */
  bytes: Uint8Array;
  lines: LabeledLine[];
}

/** Renders one page. `fonts`: names of installed font families. */
export async function renderPage(
  random: Random,
  source: LineSource,
  fonts: readonly string[],
): Promise<RenderedPage> {
  const width = random.whole(500, 1100);
  const dark = random.chance(0.15);
  const paper = dark ? random.whole(0, 70) : random.whole(170, 255);
  const ink = dark ? random.whole(150, 255) : random.whole(0, Math.min(110, paper - 90));
  const layers: { mask: Buffer; width: number; height: number; x: number; y: number }[] = [];
  const lines: LabeledLine[] = [];
  let font = random.of(fonts);
  // Small print would be illegible after camera defects.
  const isClean = random.chance(0.35);
  const smallest = isClean ? 9 : 12;
  let size = random.whole(smallest, 30);
  let y = random.whole(10, 60);
  const lineCount = random.whole(8, 34);
  const isHandwritten = random.chance(0.15);
  while (lines.length < lineCount) {
    if (random.chance(0.2)) font = random.of(fonts);
    if (random.chance(0.25)) size = random.chance(0.1) ? random.whole(30, 60) : random.whole(smallest, 30);
    const maxLength = Math.floor((width - 60) / (size * 0.55));
    const text = source.line(random.whole(3, Math.max(4, Math.min(70, maxLength))));
    const weight = random.chance(0.2) ? ' Bold' : random.chance(isHandwritten ? 0.7 : 0.1) ? ' Italic' : '';
    const markup = isHandwritten ? unsteadyMarkup(text, size, random) : escaped(text);
    const { data, info } = await sharp({
      // At 72 dpi, a point is a pixel. Pango parses markup, so the text is escaped.
      text: { text: markup, font: `${font}${weight} ${size}`, dpi: 72, rgba: false },
    })
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.width <= width - 30) {
      const x = random.whole(12, width - 12 - info.width);
      layers.push({ mask: data, width: info.width, height: info.height, x, y });
      lines.push({ text, box: { x, y, width: info.width, height: info.height } });
      y += info.height;
    }
    y += Math.round(size * random.between(0.35, 1.6));
  }
  const height = y + random.whole(10, 60);
  const gray = new Float32Array(width * height).fill(paper);
  shade(gray, width, height, random);
  const faint = random.chance(0.15) ? random.between(0.35, 0.8) : 1;
  for (const layer of layers) {
    for (let row = 0; row < layer.height; row++) {
      for (let column = 0; column < layer.width; column++) {
        const cover = (faint * layer.mask[row * layer.width + column]!) / 255;
        const at = (layer.y + row) * width + layer.x + column;
        gray[at] = gray[at]! * (1 - cover) + ink * cover;
      }
    }
  }
  return { bytes: await degrade(gray, width, height, isClean, random), lines };
}

/** Pango markup that varies the position, size and spacing of each letter, like unsteady handwriting. */
function unsteadyMarkup(text: string, size: number, random: Random): string {
  // Pango's unit is 1/1024 of a point.
  const upTo = (limit: number) => Math.round(size * 1024 * random.between(-limit, limit));
  return [...text]
    .map((letter) => {
      const scaled = Math.round(size * 1024 * random.between(0.92, 1.08));
      return `<span rise="${upTo(0.07)}" letter_spacing="${upTo(0.09)}" size="${scaled}">${escaped(letter)}</span>`;
    })
    .join('');
}

/** Uneven light: a gradient and sometimes the edge of a shadow. */
function shade(gray: Float32Array, width: number, height: number, random: Random): void {
  if (random.chance(0.5)) return;
  const [slopeX, slopeY] = [random.normal(0.12), random.normal(0.12)];
  const shadow = random.chance(0.3) ? random.between(0.55, 0.85) : 1;
  const edge = random.between(0.2, 0.8) * width;
  const tilt = random.normal(0.4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = 1 + slopeX * (x / width - 0.5) + slopeY * (y / height - 0.5);
      const inShadow = Math.max(0, Math.min(1, (x - edge - tilt * y) / 40));
      gray[y * width + x]! *= light * (1 - inShadow * (1 - shadow));
    }
  }
}

/** Defects of copying, printing and photographing: blur, lost resolution, grain, compression. */
async function degrade(
  gray: Float32Array,
  width: number,
  height: number,
  isClean: boolean,
  random: Random,
): Promise<Uint8Array> {
  const bytes = Buffer.from(Uint8ClampedArray.from(gray).buffer);
  let image = sharp(bytes, { raw: { width, height, channels: 1 } });
  if (!isClean && random.chance(0.6)) image = image.blur(random.between(0.4, 1.2));
  if (!isClean && random.chance(0.35)) {
    const share = random.between(0.6, 0.9);
    const smaller = await image
      .resize({ width: Math.round(width * share), kernel: 'cubic' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width: w, height: h, channels } = smaller.info;
    image = sharp(smaller.data, { raw: { width: w, height: h, channels } }).resize({
      width,
      height,
      fit: 'fill',
      kernel: 'cubic',
    });
  }
  const { data, info } = await image.greyscale().raw().toBuffer({ resolveWithObject: true });
  const grain = isClean ? 0 : random.between(0, 14);
  if (grain > 0) {
    for (let i = 0; i < data.length; i++)
      data[i] = Math.max(0, Math.min(255, data[i]! + random.normal(grain)));
  }
  const { width: w, height: h, channels } = info;
  const degrade = sharp(data, { raw: { width: w, height: h, channels } });
  return random.chance(0.6)
    ? degrade.jpeg({ quality: random.whole(25, 90) }).toBuffer()
    : degrade.png({ compressionLevel: 3 }).toBuffer();
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
