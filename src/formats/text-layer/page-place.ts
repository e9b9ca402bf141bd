/** Maps coordinates of a page's image to the page's own space. */
import type { Extraction } from '#contract/extraction';
import { number, type PdfValue } from '../pdf-file.ts';
import { quarterTurns, uprightSize } from '../upright.ts';
import type { PdfDocument, PdfPage } from './pdf-document.ts';

/** In units of the page: from the left and the bottom. */
export interface Rectangle {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

export interface PagePlace {
  /** The visible part of the page. */
  shown: Rectangle;
  /** Quarter turns clockwise in which it is shown: 0 to 3. */
  quarters: number;
}

/** [a b c d e f] of PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

const LETTER: Rectangle = { left: 0, bottom: 0, right: 612, top: 792 };

/** As PDFium shows a page, whose picture was read: the crop box within the media box. */
export function placeOf(document: PdfDocument, { inherited }: PdfPage): PagePlace {
  const media = rectangle(document.list(inherited['/MediaBox'])) ?? LETTER;
  const crop = rectangle(document.list(inherited['/CropBox']));
  const shown = crop ? common(crop, media) : media;
  const rotation = Number(document.resolve(inherited['/Rotate'])) || 0;
  return { shown, quarters: (((Math.trunc(rotation / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3 };
}

function rectangle(values: readonly PdfValue[]): Rectangle | undefined {
  const [a, b, c, d] = values.map(Number);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  const found = { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
  return found.right > found.left && found.top > found.bottom ? found : undefined;
}

const common = (one: Rectangle, other: Rectangle): Rectangle => ({
  left: Math.max(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.min(one.right, other.right),
  top: Math.min(one.top, other.top),
});

/** From shares of the displayed page, to the right and downwards, to the page's own space. */
function fromShown({ shown, quarters }: PagePlace, across: number, down: number): [x: number, y: number] {
  const { left, bottom, right, top } = shown;
  const [width, height] = [right - left, top - bottom];
  switch (quarters) {
    case 1:
      return [left + down * width, bottom + across * height];
    case 2:
      return [right - across * width, bottom + down * height];
    case 3:
      return [right - down * width, top - across * height];
    default:
      return [left + across * width, top - down * height];
  }
}

/** From pixels of the picture turned upright, to the right and upwards, to the page's own space. */
export function matrixFromUpright(place: PagePlace, picture: Extraction['image']): Matrix {
  const upright = uprightSize(picture);
  const quarters = quarterTurns(picture);
  const at = (x: number, up: number): [number, number] => {
    const y = upright.height - up;
    const [across, down] = [x / upright.width, y / upright.height];
    if (quarters === 1) return fromShown(place, down, 1 - across);
    if (quarters === 2) return fromShown(place, 1 - across, 1 - down);
    if (quarters === 3) return fromShown(place, 1 - down, across);
    return fromShown(place, across, down);
  };
  return matrixThrough(at(0, 0), at(1, 0), at(0, 1));
}

/** From the unit square of a picture, upright as displayed, to the page's own space. */
export const matrixOfWhole = (place: PagePlace): Matrix =>
  matrixThrough(fromShown(place, 0, 1), fromShown(place, 1, 1), fromShown(place, 0, 0));

const matrixThrough = (
  [x, y]: [number, number],
  [rightX, rightY]: [number, number],
  [upX, upY]: [number, number],
): Matrix => [rightX - x, rightY - y, upX - x, upY - y, x, y];

/** A turn about the middle of what is shown. Radians, counter-clockwise in the page's own space. */
export function turnAboutMiddle({ shown }: PagePlace, angle: number): Matrix {
  const [x, y] = [(shown.left + shown.right) / 2, (shown.bottom + shown.top) / 2];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
}

/** In PDF syntax, so fine that a pixel far from the origin is not moved. */
export const matrixSyntax = (matrix: Matrix): string =>
  matrix.map((value, at) => number(value, at < 4 ? 6 : 4)).join(' ');
