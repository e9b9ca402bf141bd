/**
 * Follows dotted leaders across the page. The text detector finds no text in dots, and often misses a lone figure after
 * them.
 */
import { lastOf } from '../checked.ts';
import type { Picture } from '../picture/picture.ts';
import { cleaned, cutLine } from './crop.ts';
import { nextOnRow, type Region, sliceOf } from './geometry.ts';
import { type InkRun, leadersIn } from './line-rules.ts';

/** Radians; the rows of a page with more slant are not followed. */
const LEVEL = 0.05;
/** Height of the strip that is searched for dots, in pixels. */
const HEIGHT = 48;
const CONTRAST = { black: 0.03, white: 0.7 } as const;
/** Fewest dots of a leader across the page. An ellipsis has three, and some print has six. */
const MIN = 8;
/** In heights of the line: how far before and after its right edge a leader starts. */
const STARTS = { before: 3, behind: 2 } as const;
/** In heights of the line: the widest gap between a leader and the text after it, and inside that text. */
const GAP = { before: 3, inside: 0.6 } as const;
/** Of the line's height: the least height of the text after a leader. */
const LOWEST = 0.3;
/** In heights of the line: the paper around a region's ink. */
const MARGIN = 0.25;
/** Fewest runs of ink to the right of a line that warrant a closer search, and how far it goes, in heights. */
const GLANCE = { runs: 4, reach: 4 } as const;
const INK = 70;

/**
 * The lines of a page without the dots of their leaders, and the regions after leaders that the text detector missed.
 * @param regions in working pixels of `picture`, on an upright page
 * @param angle of the page, in radians
 */
export function alongLeaders<R extends Region>(picture: Picture, regions: readonly R[], angle: number): R[] {
  if (Math.abs(angle) > LEVEL) return [...regions];
  const lines = [...regions];
  const found: R[] = [];
  for (const [index, detected] of regions.entries()) {
    if (detected.spine || Math.abs(detected.angle - angle) > LEVEL || !dotsMayFollow(picture, detected))
      continue;
    // Far from a short line, its own angle would lead to another row.
    const line = { ...detected, angle };
    const next = nextOnRow(line, index, regions);
    const end = next ? next.from + next.region.width : picture.width - (line.cx - line.width / 2);
    const strip = sliceOf(line, 0, Math.max(line.width, end));
    const crop = cleaned(cutLine(picture, strip, HEIGHT), CONTRAST);
    const scale = strip.width / crop.width;
    const { runs, leaders } = leadersIn(crop);
    const leader = leaders.find((dots) => {
      const from = dots[0]!.from * scale - line.width;
      return dots.length >= MIN && from > -STARTS.before * line.height && from < STARTS.behind * line.height;
    });
    if (!leader || leader[0] === runs[0]) continue;
    const before = runs[runs.indexOf(leader[0]!) - 1]!;
    const text = (before.to + leader[0]!.from) / 2;
    lines[index] = sliceOf(detected, 0, Math.min(line.width, text * scale));
    const goal = textAfter(lastOf(leader), runs);
    if (!goal) continue;
    const edge = ((goal.before + goal.from) / 2) * scale;
    if (next) {
      const cut = edge - next.from;
      if (cut > 0 && cut < next.region.width / 2)
        lines[next.index] = sliceOf(next.region, cut, next.region.width);
    } else if (goal.from - lastOf(leader).to <= GAP.before * HEIGHT) {
      const margin = MARGIN * line.height;
      const place = sliceOf(line, Math.max(goal.from * scale - margin, edge), goal.to * scale + margin);
      found.push({ ...place, cy: place.cy + (goal.middle / HEIGHT - 0.5) * line.height });
    }
  }
  return [...lines, ...found];
}

/**
 * Whether a row in the lower half of the line has as much ink after it as dots make. A cheap test: nearly all lines fail it.
 */
function dotsMayFollow(
  { gray, width, height }: Picture,
  { cx, cy, width: wide, height: high }: Region,
): boolean {
  const from = Math.max(0, Math.round(cx + wide / 2));
  const to = Math.min(width, Math.round(from + GLANCE.reach * high));
  for (let y = Math.max(0, Math.round(cy)); y < Math.min(height, cy + high / 2); y++) {
    let runs = 0;
    for (let x = from + 1; x < to; x++) {
      if (Math.abs(gray[y * width + x]! - gray[y * width + x - 1]!) >= INK / 2) runs += 0.5;
    }
    if (runs >= GLANCE.runs) return true;
  }
  return false;
}

/** The text after a leader, in pixels of the strip. `before`: where the last dot ends. */
function textAfter(
  dot: InkRun,
  runs: readonly InkRun[],
): { before: number; from: number; to: number; middle: number } | undefined {
  const behind = runs.slice(runs.indexOf(dot) + 1);
  // The last dot may be cut off, and then does not count as part of the leader.
  const start = behind.findIndex(isTall);
  const first = behind[start];
  if (!first) return undefined;
  const end = behind.findIndex((run, i) => i > start && run.from - behind[i - 1]!.to > GAP.inside * HEIGHT);
  const ink = behind.slice(start, end < 0 ? undefined : end);
  const [top, bottom] = [Math.min(...ink.map((run) => run.top)), Math.max(...ink.map((run) => run.bottom))];
  return {
    before: (behind[start - 1] ?? dot).to,
    from: first.from,
    to: lastOf(ink).to,
    middle: (top + bottom + 1) / 2,
  };
}

const isTall = ({ top, bottom }: Pick<InkRun, 'top' | 'bottom'>): boolean => bottom - top >= LOWEST * HEIGHT;
