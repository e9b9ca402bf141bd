/** Renders a text of any script with Debian's Noto fonts: as a clean print and as a degraded, tilted copy. */
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';

export const CONDITIONS = ['clean', 'worn'] as const;
export type Condition = (typeof CONDITIONS)[number];

export interface Sample {
  /** Tesseract's code. */
  language: string;
  /** Font families. */
  serif: string;
  sans: string;
  paragraphs: string[];
}

const WIDTH = 760;
const LOOKS = {
  clean: { size: 26, paper: '#ffffff', ink: [0, 0, 0] },
  worn: { size: 21, paper: '#d8d4c8', ink: [52, 50, 58] },
} as const;

/** Renders a PNG. Pango breaks lines by the rules of the script and detects the direction. */
export async function draw({ serif, sans, paragraphs }: Sample, condition: Condition): Promise<Buffer> {
  const { size, paper, ink } = LOOKS[condition];
  const mask = await sharp({
    text: {
      text: escaped(paragraphs.join('\n\n')),
      font: `${condition === 'clean' ? serif : sans} ${size}`,
      // At 72 dpi, a point is a pixel.
      dpi: 72,
      width: WIDTH,
      wrap: 'word-char',
      spacing: Math.round(size * 0.35),
    },
  })
    .extractChannel(0)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = mask.info;
  const inked = sharp({
    create: { width, height, channels: 3, background: { r: ink[0], g: ink[1], b: ink[2] } },
  })
    .joinChannel(mask.data, { raw: { width, height, channels: 1 } })
    .png();
  const page = await sharp({
    create: { width: WIDTH + 80, height: height + 80, channels: 3, background: paper },
  })
    // Right-to-left text starts at the right margin, because the mask is only as wide as its ink.
    .composite([{ input: await inked.toBuffer(), left: 40, top: 40 }])
    .png()
    .toBuffer();
  return condition === 'clean' ? page : wear(page, paper);
}

/** Adds tilt, blur and JPEG compression. */
async function wear(page: Buffer, paper: string): Promise<Buffer> {
  const tilted = await sharp(page)
    .rotate(1.5, { background: paper })
    .blur(0.7)
    .jpeg({ quality: 55 })
    .toBuffer();
  return sharp(tilted).png().toBuffer();
}

/** Font families that fontconfig does not know. Without them, Pango uses other fonts or draws empty boxes. */
export function missingFonts(samples: readonly Sample[]): string[] {
  const installed = new Set(
    execFileSync('fc-list', ['--format', '%{family}\n'], { encoding: 'utf8' }).split(/[,\n]/),
  );
  return [...new Set(samples.flatMap(({ serif, sans }) => [serif, sans]))].filter(
    (font) => !installed.has(font),
  );
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!);
