/** Notices about how a picture was read, one line each, for the user. */

import type { Line, Notice } from '../types.ts';
import { sharpnessOf } from './crop.ts';
import { median, wrapAngle } from './geometry.ts';
import type { LineImage } from './line-image.ts';

/** Least slant that is reported, in radians. */
const NOTICED_SKEW = (1.5 * Math.PI) / 180;
/** From this confidence on, a result needs no notice about the picture's quality. */
const GOOD = 0.9;
/** Line height, in the picture's own pixels and with the white around it, below which letters are about 8 pixels high. */
const TINY = 13;
/** Found by blurring sharp pictures until recognition failed. */
const BLURRED = 0.2;
/** Number of lines measured for sharpness, the longest ones, at this height in pixels. */
const ASKED = 8;
const HEIGHT = 32;

export interface Reading {
  images: readonly LineImage[];
  /** Quarter turns clockwise, as the user sees them. */
  turned: number;
  /** Radians clockwise in which the text runs on the picture, including the quarter turns. */
  angle: number;
  quarterTurns: number;
  /** The picture shows the page at an angle. */
  inPerspective: boolean;
  lines: readonly Line[];
  /** 0 to 1, of the whole picture. */
  confidence: number;
}

export function noticesOf(reading: Reading): Notice[] {
  const { lines, turned, angle, quarterTurns, inPerspective, confidence } = reading;
  if (lines.length === 0) return [{ code: 'no_text', message: 'No text was found in this picture.' }];
  const notices: Notice[] = [];
  if (turned !== 0) {
    const turn = turned === 2 ? 'by 180 degrees' : 'by 90 degrees';
    notices.push({ code: 'turned', message: `The picture was turned ${turn} to read it.` });
  }
  if (inPerspective) {
    notices.push({
      code: 'straightened',
      message: 'The page was photographed at an angle and has been straightened.',
    });
  } else if (Math.abs(wrapAngle(angle - (quarterTurns * Math.PI) / 2)) > NOTICED_SKEW) {
    notices.push({
      code: 'straightened',
      message: 'The picture was slightly tilted and has been straightened.',
    });
  }
  if (confidence >= GOOD) return notices;
  if (isTiny(reading)) {
    notices.push({
      code: 'too_small',
      message: 'The text is very small. A larger picture would be read more reliably.',
    });
  } else if (isBlurred(reading)) {
    notices.push({
      code: 'blurred',
      message: 'The picture is blurred. A sharper one would be read more reliably.',
    });
  }
  return notices;
}

function isTiny({ images }: Reading): boolean {
  return median(images.map(({ region, scale }) => region.height / scale)) < TINY;
}

function isBlurred({ images }: Reading): boolean {
  const longest = images.toSorted((a, b) => b.region.width - a.region.width).slice(0, ASKED);
  return median(longest.map((image) => sharpnessOf(image.pixels(HEIGHT)))) < BLURRED;
}
