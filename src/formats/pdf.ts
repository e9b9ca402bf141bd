import { strToU8 } from 'fflate';
import { BRAND } from '#contract/product';
import { GLYPH, GlyphlessFont } from './glyphless-font.ts';
import type { Jpeg } from './jpeg.ts';
import type { Material } from './material.ts';
import { number, PdfFile, textString } from './pdf-file.ts';
import type { PngPixels } from './png.ts';
import { type Slanted, slantedWords } from './slanted.ts';
import { runsLeftwards, type Transcript } from './transcript.ts';
import { quarterTurns, toUpright, uprightSize } from './upright.ts';

/**
 * Pages of the size of their pictures, turned upright: the picture, and on it invisible text, which can be searched, selected
 * and copied in place.
 *
 * @throws where there is no picture
 */
export function writePdf(pages: readonly Material[]): Uint8Array {
  const { picture: about, languages } = pages[0]!.transcript;
  const file = new PdfFile();
  const font = new GlyphlessFont();
  const drawn = pages.map((page) => drawPage(file, font, page));
  // The font is written after all text is encoded.
  const text = font.addTo(file);
  const list = file.addPages(drawn.map((page) => (parent) => page(parent, text)));
  const language = languages[0] ? ` /Lang (${languages[0]})` : '';
  const catalog = file.add(
    `<< /Type /Catalog /Pages ${list}${language} /ViewerPreferences << /DisplayDocTitle true >> >>`,
  );
  const info = file.add(`<< /Title ${textString(about.name)} /Producer ${textString(BRAND.name)} >>`);
  return file.bytes({ catalog, info });
}

/** Writes a page's content, and returns a function that makes the page object for its list. */
function drawPage(file: PdfFile, font: GlyphlessFont, { transcript, picture, points }: Material) {
  if (!picture) throw new Error('a PDF needs the picture');
  const { picture: about } = transcript;
  const size = uprightSize(about);
  const scale = points ? points.width / about.width : pointsPerPixel(size);
  const page = { width: size.width * scale, height: size.height * scale };
  const image = file.addStream(imageDictionary(picture), picture.bytes);
  const content = [
    `q ${placing('orientation' in picture ? picture.orientation : 1, quarterTurns(about), page)} cm /Picture Do Q`,
    ...linesOf(transcript, font, { scale, height: page.height }),
  ];
  const contents = file.addStream('', strToU8(content.join('\n')));
  return (parent: string, text: string) =>
    `<< /Type /Page /Parent ${parent} /MediaBox [0 0 ${number(page.width)} ${number(page.height)}] /Resources << /XObject << /Picture ${image} >> /Font << /Text ${text} >> >> /Contents ${contents} >>`;
}

/** Size of an A4 sheet, in points. A picture is no larger, unless it is so long that it would be illegible. */
const SHEET = { width: 595, height: 842 };
/** Size of a screen pixel; nothing is enlarged beyond it. */
const SCREEN_POINTS = 0.75;
/** Greatest page size that PDF readers accept. */
const MOST_POINTS = 14_000;

function pointsPerPixel({ width, height }: { width: number; height: number }): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fitting = Math.max(SHEET.width / short, SHEET.height / long);
  return Math.min(SCREEN_POINTS, fitting, MOST_POINTS / long);
}

const COLOURS = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' } as const;

const imageDictionary = (picture: Jpeg | PngPixels) => {
  const { width, height, components } = picture;
  const decoding = 'predicted' in picture ? decodingOfPng(picture) : decodingOfJpeg(picture);
  return `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${COLOURS[components]} /BitsPerComponent 8 ${decoding}`;
};

const decodingOfJpeg = ({ inverted }: Jpeg) =>
  `/Filter /DCTDecode${inverted ? ' /Decode [1 0 1 0 1 0 1 0]' : ''}`;

const decodingOfPng = ({ width, components, predicted }: PngPixels) =>
  `/Filter /FlateDecode${predicted ? ` /DecodeParms << /Predictor 15 /Colors ${components} /Columns ${width} >>` : ''}`;

/**
 * The displayed place of a point of the stored picture, both from 0 to 1 to the right and downwards: [of 1, of right, of
 * down] for each.
 */
type Seen = { x: readonly [number, number, number]; y: readonly [number, number, number] };

const ORIENTATIONS: readonly Seen[] = [
  { x: [0, 1, 0], y: [0, 0, 1] },
  { x: [1, -1, 0], y: [0, 0, 1] },
  { x: [1, -1, 0], y: [1, 0, -1] },
  { x: [0, 1, 0], y: [1, 0, -1] },
  { x: [0, 0, 1], y: [0, 1, 0] },
  { x: [1, 0, -1], y: [0, 1, 0] },
  { x: [1, 0, -1], y: [1, -1, 0] },
  { x: [0, 0, 1], y: [1, -1, 0] },
];

/** The matrix that places a stored picture on the page: oriented as its file states, and turned as for recognition. */
function placing(orientation: number, quarters: number, page: { width: number; height: number }): string {
  let { x, y } = ORIENTATIONS[orientation - 1] ?? ORIENTATIONS[0]!;
  for (let turn = 0; turn < quarters; turn += 1) [x, y] = [[1 - y[0], -y[1], -y[2]], x];
  // The picture's own space has its origin at the bottom, and so has the page.
  const [width, height] = [page.width, page.height];
  return [
    width * x[1],
    -height * y[1],
    -width * x[2],
    height * y[2],
    width * (x[0] + x[2]),
    height * (1 - y[0] - y[2]),
  ]
    .map(number)
    .join(' ');
}

interface Page {
  /** Points per pixel. */
  scale: number;
  /** Points. */
  height: number;
}

function linesOf({ paragraphs, picture }: Transcript, font: GlyphlessFont, page: Page): string[] {
  return paragraphs.flatMap(({ lines }) =>
    lines.map(({ words }) => {
      const places = slantedWords(words.map(({ box }) => toUpright(box, picture)));
      const placed = words.map((word, index) => ({ ...word, ...places[index]! }));
      // PDF readers read letters from left to right in any script, and reorder right-to-left text themselves.
      const leftwards = runsLeftwards(words.map(({ text }) => text).join(' '));
      if (leftwards) placed.sort((one, other) => one.x - other.x);
      const shown = placed.map((word, index) => {
        const spaced = (leftwards ? placed[index + 1] : word)?.spaced ?? true;
        return wordOf({ ...word, spaced }, placed[index + 1] ?? null, font, page);
      });
      return `BT 3 Tr\n${shown.join('\n')}\nET`;
    }),
  );
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const charactersOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Shares of a word's height: the widest and the narrowest space for the gap behind a word. */
const WIDEST_SPACE = 1;
const NARROWEST_SPACE = 0.1;

interface PlacedWord extends Slanted {
  text: string;
  /** A space follows. */
  spaced: boolean;
}

/** A word stretched to its place, and the space behind it. */
function wordOf(word: PlacedWord, next: PlacedWord | null, font: GlyphlessFont, page: Page): string {
  const { text, width, height, spaced } = word;
  const gap = next ? next.x - word.x - (next.width + width) / 2 : NARROWEST_SPACE * height;
  const space = Math.min(WIDEST_SPACE, Math.max(NARROWEST_SPACE, gap / height)) * height;
  // Two words without a space between them must touch, or a reader would see one.
  const stretch = spaced || !next || gap < 0 || gap > height ? 0 : gap;
  const characters = charactersOf(text);
  const parts = [
    { text: (runsLeftwards(text) ? visually(characters) : characters).join(''), width: width + stretch },
    ...(spaced ? [{ text: ' ', width: space }] : []),
  ];
  const shown = parts.map((part) => {
    const { codes, width: natural } = font.encode(part.text);
    return `${number(Math.max(1, (100_000 * part.width) / (natural * height)))} Tz <${codes}> Tj`;
  });
  return `/Text ${number(height * page.scale)} Tf ${matrixOf(word, page)} Tm ${shown.join(' ')}`;
}

/**
 * Radians. Up to this slope a word is written level, at its height: poppler takes letters that climb within a word for
 * several words, and then finds none.
 */
const LEVEL_UP_TO = 0.17;

/** The start and the direction of a word's line. */
function matrixOf({ x, y, width, height, angle }: Slanted, page: Page): string {
  const shown = Math.abs(angle) <= LEVEL_UP_TO ? 0 : angle;
  const [cos, sin] = [Math.cos(shown), Math.sin(shown)];
  const along = -width / 2;
  const down = height / 2 + (GLYPH.descent / 1000) * height;
  const left = (x + along * cos - down * sin) * page.scale;
  const bottom = page.height - (y + along * sin + down * cos) * page.scale;
  return [cos, -sin, sin, cos, left, bottom].map(number).join(' ');
}

/** The characters of a right-to-left word in visual order; numbers in it run the other way. */
function visually(characters: readonly string[]): string[] {
  const isNumber = (character: string) => /[\p{Nd}A-Za-z]/u.test(character);
  const runs: string[][] = [];
  for (const character of characters) {
    const run = runs.at(-1);
    if (run && isNumber(character) && isNumber(run[0]!)) run.push(character);
    else runs.push([character]);
  }
  return runs.reverse().flat();
}
