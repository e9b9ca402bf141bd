/** Finds drop caps. The text detector finds few of them, and none as part of a word. */
import { firstOf, itemAt, lastOf } from '../checked.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { connectedParts } from './connected-parts.ts';
import { levelled, median, type Region } from './geometry.ts';

/** A drop cap and the lines around it. */
export interface DropCap<R extends Region> {
  /** Around the letter, for the recognizer. */
  region: Region;
  /** The line that continues the letter's word. */
  first: R;
  /** All lines beside it, including the first one. */
  beside: R[];
  /** Regions that the text detector found in the letter. */
  seen: R[];
}

/** A line shows where its text column starts when it is this many times longer than high. */
const MIN_ASPECT = 3;
/** Distance from line to line, in their heights: a line further down belongs to another text. */
const STEP = { least: 0.4, most: 2 };
/** Lines beside a drop cap. */
const MAX_BESIDE = 6;
/** In line distances: how far lines are indented for the letter, and how evenly. */
const ASIDE = { least: 0.5, most: 7, even: 0.8 };
/**
 * In line distances: the least height of the letter, and how far its head, its foot and the tail of a Q or J may be from
 * those of its lines.
 */
const LETTER = { lowest: 1.2, head: 0.75, foot: 0.45, tail: 0.8, narrowest: 0.15 };
/** Distance of the baseline from a line's middle, in line distances. */
const BASELINE = 0.22;
/** Least contrast to the surrounding paper, of 255. */
const CONTRAST = 60;
/** Of the letter's height: the margin of paper that is read with it. */
const PAPER = { across: 0.2, along: 0.2, least: 0.04 };
/** More of them are the pattern of a table or a list. */
const MAX_INITIALS = 12;

interface Line<R> {
  region: R;
  left: number;
  right: number;
  middle: number;
  height: number;
}

/**
 * @param regions lines as the text detector found them, in working pixels
 * @param angle radians clockwise in which the page's text runs
 */
export function findDropCaps<R extends Region>(
  image: GrayImage,
  regions: readonly R[],
  angle: number,
): DropCap<R>[] {
  const lines = regions
    .map((region): Line<R> => {
      const { cx, cy, width, height } = levelled(region, angle);
      return { region, left: cx - width / 2, right: cx + width / 2, middle: cy, height };
    })
    .sort((a, b) => a.middle - b.middle);
  const long = lines.filter(({ left, right, height }) => right - left > MIN_ASPECT * height);
  const next = new Map(long.map((line, i) => [line, nextBelow(line, long, i)]));
  const found: DropCap<R>[] = [];
  for (const top of long) {
    const run = [top];
    for (let below = next.get(top); below && run.length <= MAX_BESIDE; below = next.get(below)) {
      const notch = run.length > 1 && notchOf(run, below);
      const dropCap = notch ? initialIn(image, lines, notch, angle) : undefined;
      if (dropCap && !found.some((other) => isSame(other.region, dropCap.region))) found.push(dropCap);
      if (dropCap) break;
      run.push(below);
    }
    if (found.length > MAX_INITIALS) return [];
  }
  return found;
}

/** The next line of the same text column. */
function nextBelow<R>(line: Line<R>, lines: readonly Line<R>[], index: number): Line<R> | undefined {
  for (let i = index + 1; i < lines.length; i++) {
    const other = itemAt(lines, i);
    const step = other.middle - line.middle;
    if (step > STEP.most * line.height) return undefined;
    const shared = Math.min(line.right, other.right) - Math.max(line.left, other.left);
    const least = Math.min(line.right - line.left, other.right - other.left);
    // A paragraph's last line may end before the lines beside the letter start.
    const isBelow = shared > least / 2 || (other.left < line.left && shared > -line.height * 0.8);
    if (step > STEP.least * line.height && isBelow) return other;
  }
  return undefined;
}

/** A run of indented lines, and the next line, which is not indented. */
interface Notch<R> {
  /** The lines beside it, and the one below. */
  run: readonly Line<R>[];
  left: number;
  right: number;
  pitch: number;
}

function notchOf<R>(run: readonly Line<R>[], below: Line<R>): Notch<R> | undefined {
  const pitch = (below.middle - firstOf(run).middle) / run.length;
  const indented = run.filter(({ left }) => left > below.left + ASIDE.least * pitch);
  // The text detector may have merged the first or the last line with the letter.
  const isEnd = (line: Line<R>) => line === run[0] || line === run.at(-1);
  const [other, ...others] = run.filter((line) => !indented.includes(line));
  if (indented.length === 0 || others.length > 0 || (other && !isEnd(other))) return undefined;
  const lefts = indented.map(({ left }) => left);
  const right = Math.min(...lefts);
  if (Math.max(...lefts) - right > ASIDE.even * pitch || right - below.left > ASIDE.most * pitch)
    return undefined;
  return { run, left: below.left, right, pitch };
}

function initialIn<R extends Region>(
  image: GrayImage,
  lines: readonly Line<R>[],
  { run, left, right, pitch }: Notch<R>,
  angle: number,
): DropCap<R> | undefined {
  const [first, last] = [firstOf(run), lastOf(run)];
  const foot = last.middle + BASELINE * pitch;
  const area = {
    left: Math.round(left - pitch / 2),
    // Detected lines are a little longer than their ink, and the letter may reach as far.
    right: Math.round(right + 0.4 * pitch),
    top: Math.round(first.middle - 1.2 * pitch),
    bottom: Math.round(foot + 0.8 * pitch),
  };
  const ink = largestInk(image, area, angle);
  if (!ink) return undefined;
  const [wide, tall] = [ink.right - ink.left, ink.bottom - ink.top];
  if (tall < LETTER.lowest * pitch || wide < LETTER.narrowest * tall) return undefined;
  const head = first.middle - (1 - 2 * BASELINE) * (pitch / 2);
  const below = (ink.bottom - foot) / pitch;
  if (below > LETTER.tail || below < -LETTER.foot || Math.abs(ink.top - head) > LETTER.head * pitch)
    return undefined;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // The crop must not hold ink of the lines beside the letter.
  const from = ink.left - PAPER.along * tall;
  const to = ink.right + Math.max(PAPER.least, Math.min(PAPER.along, (right - ink.right) / tall)) * tall;
  const [x, y] = [(from + to) / 2, (ink.top + ink.bottom) / 2];
  const beside = run.map(({ region }) => region);
  const isSeen = (line: Line<R>) => {
    const middle = (line.left + line.right) / 2;
    const isIn = middle > ink.left && middle < ink.right && line.middle > ink.top && line.middle < ink.bottom;
    return isIn && !beside.includes(line.region);
  };
  return {
    region: {
      cx: x * cos - y * sin,
      cy: x * sin + y * cos,
      width: to - from,
      height: tall * (1 + 2 * PAPER.across),
      angle,
    },
    first: first.region,
    beside,
    seen: lines.filter(isSeen).map(({ region }) => region),
  };
}

const isSame = (a: Region, b: Region) => Math.hypot(a.cx - b.cx, a.cy - b.cy) < a.height / 4;

interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The largest connected ink of a part of the leveled page that touches none of its edges. */
function largestInk({ gray, width, height }: GrayImage, area: Area, angle: number): Area | undefined {
  const [wide, tall] = [area.right - area.left, area.bottom - area.top];
  if (wide < 8 || tall < 8) return undefined;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const seen = new Uint8Array(wide * tall);
  for (let v = 0; v < tall; v++) {
    for (let u = 0; u < wide; u++) {
      const [x, y] = [u + area.left, v + area.top];
      const px = Math.max(0, Math.min(width - 1, Math.round(x * cos - y * sin)));
      const py = Math.max(0, Math.min(height - 1, Math.round(x * sin + y * cos)));
      seen[v * wide + u] = gray[py * width + px]!;
    }
  }
  const paper = median([...seen.filter((_, i) => i % 7 === 0)]);
  const isInk = seen.map((value) => (Math.abs(value - paper) < CONTRAST ? 0 : 1));
  let largest: Area | undefined;
  for (const ink of connectedParts(isInk, wide, tall)) {
    const isWhole = ink.left > 0 && ink.top > 0 && ink.right < wide && ink.bottom < tall;
    if (isWhole && (!largest || sizeOf(ink) > sizeOf(largest))) largest = ink;
  }
  return (
    largest && {
      left: largest.left + area.left,
      right: largest.right + area.left,
      top: largest.top + area.top,
      bottom: largest.bottom + area.top,
    }
  );
}

const sizeOf = ({ left, right, top, bottom }: Area) => (right - left) * (bottom - top);
