/**
 * Reads seven-segment displays: meters, clocks, scales. Their digits consist of separate bars, so that the text detector
 * misses them and the recognizers confuse them with other characters.
 */
import { firstOf, itemAt, lastOf } from '../checked.ts';
import type { Picture } from '../picture/picture.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { connectedParts, type InkPart } from './connected-parts.ts';
import type { Region } from './geometry.ts';

/** A number on a display, in working pixels. */
export interface DisplayNumber {
  region: Region;
  characters: { text: string /** Of the region's width, 0 to 1. */; at: number }[];
}

/** Longest side of the searched image, in pixels: displays are large. */
const SIDE = 640;
/** Half the side of the window whose mean separates ink from ground, in pixels, and the least difference, of 255. */
const WINDOW = { reach: 48, contrast: 22 } as const;
/** More connected parts are text or texture. */
const MAX_PARTS = 4000;
/** Of its length: the greatest thickness of a bar. A digit in one piece is not a bar. */
const THICKEST = 0.35;
/** Of a bar's thickness: the widest gap between two segments of a digit, and between two upright ones in line. */
const JOINT = { least: 0.35, upright: 0.85 } as const;
/** An upright bar is this many times higher than wide. */
const UPRIGHT = 1.5;
/** In pixels of the searched image. */
const LOWEST_DIGIT = 14;
/** Width over height: of a "1", whose right half alone is lit, and of other digits. */
const SHAPE = { one: 0.32, narrowest: 0.38, widest: 0.85 } as const;
/** Slants of the digits, across by down. */
const SLANTS = [0, 0.09, 0.17] as const;
/** Share of a segment's length that is inked when it is lit, and when it is not. */
const LIT = { least: 0.7, dark: 0.25 } as const;
/** Greatest inked share of the two fields that the segments enclose. */
const FIELD = 0.15;
/** Within a row, by height of a digit: how much digits differ, and how far they are apart. */
const ROW = { taller: 1.15, shifted: 0.15, apart: 1.1 } as const;
/**
 * Least separate bars of a row's clearest digit, and of a digit alone: ordinary digits are in one piece. On a picture with
 * such a row, small digits whose bars touch are read as well.
 */
const MIN_BARS = { inRow: 3, alone: 5 } as const;

/** Segments a to g: top, upper right, lower right, bottom, lower left, upper left, middle. */
const DIGITS: Readonly<Record<string, string>> = {
  abcdef: '0',
  bc: '1',
  abdeg: '2',
  abcdg: '3',
  bcfg: '4',
  acdfg: '5',
  acdefg: '6',
  cdefg: '6',
  abc: '7',
  abcf: '7',
  abcdefg: '8',
  abcdfg: '9',
  abcfg: '9',
};

/** The middle part of each segment and the two fields, in shares of the digit's width and height. */
const SEGMENTS = [
  { name: 'a', x: [0.3, 0.7], y: [0, 0.18], along: 'x' },
  { name: 'b', x: [0.72, 1], y: [0.18, 0.4], along: 'y' },
  { name: 'c', x: [0.72, 1], y: [0.6, 0.82], along: 'y' },
  { name: 'd', x: [0.3, 0.7], y: [0.82, 1], along: 'x' },
  { name: 'e', x: [0, 0.28], y: [0.6, 0.82], along: 'y' },
  { name: 'f', x: [0, 0.28], y: [0.18, 0.4], along: 'y' },
  { name: 'g', x: [0.3, 0.7], y: [0.4, 0.6], along: 'x' },
] as const;
const FIELDS = [
  { x: [0.38, 0.62], y: [0.24, 0.36] },
  { x: [0.38, 0.62], y: [0.64, 0.76] },
] as const;

/** A connected part of the ink, or several; `right` and `bottom` are excluded. */
interface Part extends InkPart {
  /** Of the bars. */
  thickness: number;
  bars: number;
}

interface Digit extends Part {
  text: string;
}

/** The numbers on the displays of an upright picture. */
export function displayNumbers(picture: Picture): DisplayNumber[] {
  const factor = Math.max(1, Math.ceil(Math.max(picture.width, picture.height) / SIDE));
  const image = reduced(picture, factor);
  const { dark, light } = inkOf(image);
  return [dark, light].flatMap((ink) => numbersIn({ ...image, gray: ink }, factor));
}

/** @param ink 1 where there is any */
function numbersIn(ink: GrayImage, factor: number): DisplayNumber[] {
  const parts = partsOf(ink);
  if (parts.length > MAX_PARTS) return [];
  const wholes = joined(parts);
  const digits = wholes.flatMap((whole) => digitOf(ink, whole) ?? []);
  return rowsOf(digits).map((row) => numberOf(row, parts, factor));
}

/** The image with each square of `factor` pixels as one. */
function reduced({ gray, width, height }: GrayImage, factor: number): GrayImage {
  const [wide, high] = [Math.floor(width / factor), Math.floor(height / factor)];
  const small = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      let sum = 0;
      for (let row = 0; row < factor; row++) {
        const from = (y * factor + row) * width + x * factor;
        for (let at = from; at < from + factor; at++) sum += gray[at]!;
      }
      small[y * wide + x] = sum / (factor * factor);
    }
  }
  return { gray: small, width: wide, height: high };
}

/** Pixels that are clearly darker, or lighter, than the mean around them. */
function inkOf({ gray, width, height }: GrayImage): { dark: Uint8Array; light: Uint8Array } {
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += gray[y * width + x]!;
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
    }
  }
  const [dark, light] = [new Uint8Array(gray.length), new Uint8Array(gray.length)];
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - WINDOW.reach), Math.min(height, y + WINDOW.reach)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - WINDOW.reach), Math.min(width, x + WINDOW.reach)];
      const sum =
        sums[bottom * stride + right]! -
        sums[top * stride + right]! -
        sums[bottom * stride + left]! +
        sums[top * stride + left]!;
      const difference = gray[y * width + x]! - sum / ((right - left) * (bottom - top));
      if (difference < -WINDOW.contrast) dark[y * width + x] = 1;
      if (difference > WINDOW.contrast) light[y * width + x] = 1;
    }
  }
  return { dark, light };
}

/** The connected parts of the ink that may be segments, or whole digits. */
function partsOf({ gray, width, height }: GrayImage): Part[] {
  return connectedParts(gray, width, height).flatMap((ink): Part[] => {
    const long = Math.max(ink.right - ink.left, ink.bottom - ink.top);
    const thickness = Math.min(ink.pixels / long, long < LOWEST_DIGIT ? long : THICKEST * long);
    return ink.pixels >= 6 && ink.bottom - ink.top < height / 1.5 ? [{ ...ink, thickness, bars: 1 }] : [];
  });
}

interface PartNode {
  part: Part;
  /** With what was joined to it. */
  whole: Part;
  /** What it was joined to. */
  parent: PartNode | undefined;
}

/** Parts that are as near one another as the segments of a digit, as wholes. */
function joined(parts: readonly Part[]): Part[] {
  const nodes = parts
    .toSorted((a, b) => a.left - b.left)
    .map((part): PartNode => ({ part, whole: { ...part }, parent: undefined }));
  const rootOf = (node: PartNode): PartNode => (node.parent ? rootOf(node.parent) : node);
  const reachOf = (part: Part) => JOINT.least * part.thickness + 1;
  const isUpright = ({ left, right, top, bottom }: Part) => bottom - top >= UPRIGHT * (right - left);
  const widestReach = Math.max(0, ...parts.map(reachOf));
  for (const [i, node] of nodes.entries()) {
    const one = node.part;
    for (let j = i + 1; j < nodes.length; j++) {
      const next = itemAt(nodes, j);
      const other = next.part;
      if (other.left > one.right + widestReach) break;
      const thin = Math.min(one.thickness, other.thickness);
      if (Math.max(one.thickness, other.thickness) > 2 * thin) continue;
      const reach = JOINT.least * thin + 1;
      const across = other.left - one.right;
      const down = Math.max(one.top, other.top) - Math.min(one.bottom, other.bottom);
      const inLine = isUpright(one) && isUpright(other) && -across >= thin / 2;
      if (across > reach || down > (inLine ? JOINT.upright * thin + 1 : reach)) continue;
      const [to, from] = [rootOf(node), rootOf(next)];
      if (to === from) continue;
      from.parent = to;
      const [a, b] = [to.whole, from.whole];
      a.left = Math.min(a.left, b.left);
      a.right = Math.max(a.right, b.right);
      a.top = Math.min(a.top, b.top);
      a.bottom = Math.max(a.bottom, b.bottom);
      a.thickness = Math.min(a.thickness, b.thickness);
      a.pixels += b.pixels;
      a.bars += b.bars;
    }
  }
  return nodes.filter(({ parent }) => !parent).map(({ whole }) => whole);
}

function digitOf(ink: GrayImage, whole: Part): Digit | undefined {
  const [width, height] = [whole.right - whole.left, whole.bottom - whole.top];
  if (height < LOWEST_DIGIT || width > SHAPE.widest * height) return undefined;
  // Slanted bars of a "1" lie side by side.
  if (width < SHAPE.one * height) return whole.bars === 2 ? { ...whole, text: '1' } : undefined;
  if (width < SHAPE.narrowest * height) return undefined;
  for (const slant of SLANTS) {
    const text = decoded(ink, whole, slant);
    if (text !== undefined) return { ...whole, text };
  }
  return undefined;
}

/** The digit whose segments are lit; undefined where one is neither lit nor dark. */
function decoded(ink: GrayImage, whole: Part, slant: number): string | undefined {
  const high = whole.bottom - whole.top;
  const wide = whole.right - whole.left - slant * high;
  const isInk = (u: number, v: number) => {
    const y = Math.min(whole.bottom - 1, whole.top + Math.floor(v * high));
    const x = Math.min(whole.right - 1, Math.floor(whole.left + u * wide + slant * (whole.bottom - y - 1)));
    return ink.gray[y * ink.width + x] === 1;
  };
  const steps = ([from, to]: readonly [number, number], length: number) => {
    const count = Math.max(2, Math.round((to - from) * length));
    return Array.from({ length: count }, (_, i) => from + ((to - from) * (i + 0.5)) / count);
  };
  let lit = '';
  for (const { name, x, y, along } of SEGMENTS) {
    const [us, vs] = [steps(x, wide), steps(y, high)];
    const inked =
      along === 'x'
        ? us.filter((u) => vs.some((v) => isInk(u, v))).length / us.length
        : vs.filter((v) => us.some((u) => isInk(u, v))).length / vs.length;
    if (inked >= LIT.least) lit += name;
    else if (inked > LIT.dark) return undefined;
  }
  for (const { x, y } of FIELDS) {
    const inside = steps(x, wide).flatMap((u) => steps(y, high).map((v) => isInk(u, v)));
    if (inside.filter(Boolean).length > FIELD * inside.length) return undefined;
  }
  return DIGITS[lit];
}

/** Digits side by side, left to right, with the evidence that they are made of bars. */
function rowsOf(digits: readonly Digit[]): Digit[][] {
  const rows: Digit[][] = [];
  for (const digit of digits.toSorted((a, b) => a.left - b.left)) {
    const height = digit.bottom - digit.top;
    const row = rows.find((one) => {
      const last = lastOf(one);
      const high = last.bottom - last.top;
      return (
        Math.max(high, height) <= ROW.taller * Math.min(high, height) &&
        Math.abs(last.top - digit.top) <= ROW.shifted * height &&
        digit.left - last.right <= ROW.apart * height &&
        digit.left >= last.left
      );
    });
    if (row) row.push(digit);
    else rows.push([digit]);
  }
  const isClear = (row: readonly Digit[]) =>
    Math.max(...row.map(({ bars }) => bars)) >= (row.length > 1 ? MIN_BARS.inRow : MIN_BARS.alone);
  const numbers = rows.filter((row) => row.some(({ text }) => text !== '1'));
  return numbers.some(isClear) ? numbers.filter((row) => isClear(row) || row.length > 1) : [];
}

/** A row of digits with its decimal points, colons and minus sign. */
function numberOf(row: readonly Digit[], parts: readonly Part[], factor: number): DisplayNumber {
  const [first, last] = [firstOf(row), lastOf(row)];
  const [top, bottom] = [Math.min(...row.map((one) => one.top)), Math.max(...row.map((one) => one.bottom))];
  const height = bottom - top;
  const thickness = Math.min(...row.map((one) => one.thickness));
  const isDot = ({ left, right, top: from, bottom: to }: Part) =>
    Math.max(right - left, to - from) <= 1.9 * thickness &&
    Math.min(right - left, to - from) >= 0.5 * thickness;
  const inside = parts.filter(
    (part) =>
      part.left > first.left &&
      part.right < last.right + 0.4 * height &&
      part.top >= top &&
      part.bottom <= bottom + thickness &&
      !row.some(
        (digit) => part.left < digit.right - 1 && part.right > digit.left + 1 && isWithin(part, digit),
      ),
  );
  const dots = inside.filter(isDot);
  const middle = (part: Part) => (part.left + part.right) / 2;
  const marks = dots.flatMap((dot) => {
    if (dot.bottom >= bottom - 0.5 * thickness) return [{ text: '.', x: middle(dot) }];
    const isLower = dots.some(
      (other) => other.top < dot.top && Math.abs(middle(other) - middle(dot)) < thickness,
    );
    return isLower ? [{ text: ':', x: middle(dot) }] : [];
  });
  const isMinus = (part: Part) =>
    part.right <= first.left &&
    first.left - part.right < ROW.apart * height &&
    part.right - part.left >= 0.2 * height &&
    part.bottom - part.top <= 1.6 * thickness &&
    Math.abs((part.top + part.bottom) / 2 - (top + bottom) / 2) < 0.12 * height;
  const minus = parts.find(isMinus);
  const characters = [
    ...(minus ? [{ text: '-', x: middle(minus) }] : []),
    ...row.map((digit) => ({ text: digit.text, x: middle(digit) })),
    ...marks,
  ].sort((a, b) => a.x - b.x);
  const margin = 0.12 * height;
  const left = (minus ?? first).left - margin;
  const right = Math.max(last.right, ...marks.map(({ x }) => x + thickness)) + margin;
  const region = {
    cx: ((left + right) / 2) * factor,
    cy: ((top + bottom) / 2) * factor,
    width: (right - left) * factor,
    height: (height + 2 * margin) * factor,
    angle: 0,
  };
  return { region, characters: characters.map(({ text, x }) => ({ text, at: (x - left) / (right - left) })) };
}

/** Whether a part is one of a digit's bars. */
const isWithin = (part: Part, digit: Part): boolean =>
  part.left >= digit.left &&
  part.right <= digit.right &&
  part.top >= digit.top &&
  part.bottom <= digit.bottom;
