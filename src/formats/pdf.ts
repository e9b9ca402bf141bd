import { strToU8 } from 'fflate';
import { BRAND } from '#contract/product';
import { firstOf } from './checked.ts';
import { GlyphlessFont } from './glyphless-font.ts';
import { invisibleText } from './invisible-text.ts';
import type { Material } from './material.ts';
import { imageDictionary, number, PdfFile, textString } from './pdf-file.ts';
import { quarterTurns, uprightSize } from './upright.ts';

/**
 * Pages of the size of their pictures, turned upright: the picture, and on it invisible text, which can be searched, selected
 * and copied in place.
 *
 * @throws where there is no picture
 */
export function writePdf(pages: readonly Material[]): Uint8Array {
  const { picture: about, languages } = firstOf(pages).transcript;
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
function drawPage(file: PdfFile, font: GlyphlessFont, { transcript, picture }: Material) {
  if (!picture) throw new Error('a PDF needs the picture');
  const { picture: about } = transcript;
  const size = uprightSize(about);
  const scale = pointsPerPixel(size);
  const page = { width: size.width * scale, height: size.height * scale };
  const image = file.addStream(imageDictionary(picture), picture.bytes);
  const content = [
    `q ${placing('orientation' in picture ? picture.orientation : 1, quarterTurns(about), page)} cm /Picture Do Q`,
    invisibleText(transcript, font, { scale, height: page.height, fontName: '/Text' }),
  ];
  const contents = file.addStream('', strToU8(content.join('\n'), true));
  return (parent: string, text: string) =>
    `<< /Type /Page /Parent ${parent} /MediaBox [0 0 ${number(page.width)} ${number(page.height)}] /Resources << /XObject << /Picture ${image} >> /Font << /Text ${text} >> >> /Contents ${contents} >>`;
}

/** Size of an A4 sheet, in points. A picture is no larger, unless it is so long that it would be illegible. */
const SHEET = { width: 595, height: 842 };
/** Size of a screen pixel; nothing is enlarged beyond it. */
const SCREEN_POINTS = 0.75;
/** Greatest page size that PDF readers accept. */
const MAX_POINTS = 14_000;

function pointsPerPixel({ width, height }: { width: number; height: number }): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fitting = Math.max(SHEET.width / short, SHEET.height / long);
  return Math.min(SCREEN_POINTS, fitting, MAX_POINTS / long);
}

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
  let { x, y } = ORIENTATIONS[orientation - 1] ?? firstOf(ORIENTATIONS);
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
    .map((value) => number(value))
    .join(' ');
}
