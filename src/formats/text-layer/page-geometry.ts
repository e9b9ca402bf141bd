/** Maps coordinates of a page's image to the PDF page's user space. */
import type { Extraction } from '#contract/extraction';
import { number, type PdfValue } from '../pdf-file.ts';
import { quarterTurns, uprightSize } from '../upright.ts';
import type { PdfDocument, PdfPage } from './pdf-document.ts';

/** In units of user space, from the left and the bottom. */
export interface Rectangle {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

export interface PageGeometry {
  /** The crop box within the media box. */
  shown: Rectangle;
  /** Quarter turns clockwise of the displayed page: 0 to 3. */
  quarters: number;
}

/** A PDF matrix [a b c d e f]: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

const LETTER: Rectangle = { left: 0, bottom: 0, right: 612, top: 792 };

/** The crop box within the media box; the media box alone if they do not overlap. */
export function pageGeometry(document: PdfDocument, { inherited }: PdfPage): PageGeometry {
  const media = rectangle(document.list(inherited['/MediaBox'])) ?? LETTER;
  const crop = rectangle(document.list(inherited['/CropBox']));
  const shown = (crop && intersection(crop, media)) ?? media;
  const rotation = Number(document.resolve(inherited['/Rotate'])) || 0;
  return { shown, quarters: (((Math.trunc(rotation / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3 };
}

function rectangle(values: readonly PdfValue[]): Rectangle | undefined {
  const [a, b, c, d] = values.map(Number);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return nonEmpty({
    left: Math.min(a, c),
    bottom: Math.min(b, d),
    right: Math.max(a, c),
    top: Math.max(b, d),
  });
}

const intersection = (one: Rectangle, other: Rectangle): Rectangle | undefined =>
  nonEmpty({
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  });

const nonEmpty = (rectangle: Rectangle): Rectangle | undefined =>
  rectangle.right > rectangle.left && rectangle.top > rectangle.bottom ? rectangle : undefined;

/** Maps fractions (0–1) of the displayed page, to the right and downwards, to user space. */
function fromDisplayed(
  { shown, quarters }: PageGeometry,
  across: number,
  down: number,
): [x: number, y: number] {
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

/** Maps pixels of the upright picture, to the right and upwards, to user space. */
export function matrixFromUpright(place: PageGeometry, picture: Extraction['image']): Matrix {
  const upright = uprightSize(picture);
  const quarters = quarterTurns(picture);
  const at = (x: number, up: number): [number, number] => {
    const y = upright.height - up;
    const [across, down] = [x / upright.width, y / upright.height];
    if (quarters === 1) return fromDisplayed(place, down, 1 - across);
    if (quarters === 2) return fromDisplayed(place, 1 - across, 1 - down);
    if (quarters === 3) return fromDisplayed(place, 1 - down, across);
    return fromDisplayed(place, across, down);
  };
  return matrixFromPoints(at(0, 0), at(1, 0), at(0, 1));
}

/** Maps the unit square of an image XObject to the displayed page in user space. */
export const matrixFromUnitSquare = (place: PageGeometry): Matrix =>
  matrixFromPoints(fromDisplayed(place, 0, 1), fromDisplayed(place, 1, 1), fromDisplayed(place, 0, 0));

const matrixFromPoints = (
  [x, y]: [number, number],
  [rightX, rightY]: [number, number],
  [upX, upY]: [number, number],
): Matrix => [rightX - x, rightY - y, upX - x, upY - y, x, y];

/** A rotation about the center of the crop box, counter-clockwise in radians. */
export function rotationAboutCenter({ shown }: PageGeometry, angle: number): Matrix {
  const [x, y] = [(shown.left + shown.right) / 2, (shown.bottom + shown.top) / 2];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
}

/** PDF syntax with enough decimals that a pixel far from the origin does not move. */
export const matrixSyntax = (matrix: Matrix): string =>
  matrix.map((value, at) => number(value, at < 4 ? 6 : 4)).join(' ');
