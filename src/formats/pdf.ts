import { strToU8 } from 'fflate';
import { BRAND } from '#contract/product';
import { firstOf } from './checked.ts';
import { GlyphlessFont } from './glyphless-font.ts';
import { invisibleText } from './invisible-text.ts';
import { imageDictionary, number, PdfFile, textString } from './pdf-file.ts';
import { quarterTurns, uprightSize } from './upright.ts';
import type { WriterInput } from './writer-input.ts';

/**
 * A searchable PDF: each page shows its upright picture under invisible text, which can be searched, selected and copied.
 *
 * @throws if a page has no picture
 */
export function writePdf(pages: readonly WriterInput[]): Uint8Array {
  const { picture: imageInfo, languages } = firstOf(pages).positionedText;
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
  const info = file.add(`<< /Title ${textString(imageInfo.name)} /Producer ${textString(BRAND.name)} >>`);
  return file.bytes({ catalog, info });
}

/** Writes a page's content, and returns a function that makes the page object from the references of page tree and font. */
function drawPage(file: PdfFile, font: GlyphlessFont, { positionedText, picture }: WriterInput) {
  if (!picture) throw new Error('a PDF needs the picture');
  const { picture: imageInfo } = positionedText;
  const size = uprightSize(imageInfo);
  const scale = pointsPerPixel(size);
  const page = { width: size.width * scale, height: size.height * scale };
  const image = file.addStream(imageDictionary(picture), picture.bytes);
  const content = [
    `q ${placementMatrix('orientation' in picture ? picture.orientation : 1, quarterTurns(imageInfo), page)} cm /Picture Do Q`,
    invisibleText(positionedText, font, { scale, height: page.height, fontName: '/Text' }),
  ];
  const contents = file.addStream('', strToU8(content.join('\n'), true));
  return (parent: string, text: string) =>
    `<< /Type /Page /Parent ${parent} /MediaBox [0 0 ${number(page.width)} ${number(page.height)}] /Resources << /XObject << /Picture ${image} >> /Font << /Text ${text} >> >> /Contents ${contents} >>`;
}

/** Size of an A4 sheet, in points. A page is no larger, unless it is so long that its text would be illegible. */
const SHEET = { width: 595, height: 842 };
/** Points per pixel at 96 pixels per inch; no picture is enlarged beyond that. */
const SCREEN_POINTS = 0.75;
/** Maximum page size that PDF readers accept, in points. */
const MAX_POINTS = 14_000;

function pointsPerPixel({ width, height }: { width: number; height: number }): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fitting = Math.max(SHEET.width / short, SHEET.height / long);
  return Math.min(SCREEN_POINTS, fitting, MAX_POINTS / long);
}

/**
 * Maps a point of the stored picture to the displayed picture, both as fractions to the right and downwards: x and y are
 * c[0] + c[1] · right + c[2] · down.
 */
type DisplayTransform = { x: readonly [number, number, number]; y: readonly [number, number, number] };

const ORIENTATIONS: readonly DisplayTransform[] = [
  { x: [0, 1, 0], y: [0, 0, 1] },
  { x: [1, -1, 0], y: [0, 0, 1] },
  { x: [1, -1, 0], y: [1, 0, -1] },
  { x: [0, 1, 0], y: [1, 0, -1] },
  { x: [0, 0, 1], y: [0, 1, 0] },
  { x: [1, 0, -1], y: [0, 1, 0] },
  { x: [1, 0, -1], y: [1, -1, 0] },
  { x: [0, 0, 1], y: [1, -1, 0] },
];

/** The matrix that places a stored picture on the page: with its EXIF orientation and the rotation found by recognition. */
function placementMatrix(
  orientation: number,
  quarters: number,
  page: { width: number; height: number },
): string {
  let { x, y } = ORIENTATIONS[orientation - 1] ?? firstOf(ORIENTATIONS);
  for (let turn = 0; turn < quarters; turn += 1) [x, y] = [[1 - y[0], -y[1], -y[2]], x];
  // In PDF, picture and page have their origin at the bottom left.
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
