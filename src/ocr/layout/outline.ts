/** Headings, lists, form fields and indentation, from the places and starts of lines. */
import { firstOf, lastOf, pairwise } from '../checked.ts';
import { median } from '../page/geometry.ts';
import type { Box, LayoutHeading, LayoutListItem } from '../types.ts';
import { bottomOf, type PlacedWord, rightOf } from './tables/table-parts.ts';

/** A line with words, on the dewarped page. */
export interface PlacedLine {
  line: number;
  words: readonly PlacedWord[];
  box: Box;
  /** The text column from the ordering. */
  block: number;
  paragraph: number;
  text: string;
  /** Whether a table contains some of its words. */
  isInTable: boolean;
}

const around = (lines: readonly PlacedLine[]): Box => {
  const x = Math.min(...lines.map(({ box }) => box.x));
  const y = Math.min(...lines.map(({ box }) => box.y));
  const width = Math.max(...lines.map(({ box }) => rightOf(box))) - x;
  return { x, y, width, height: Math.max(...lines.map(({ box }) => bottomOf(box))) - y };
};

const heightOf = ({ words }: PlacedLine) => median(words.map(({ box }) => box.height));

/** Least height of a heading relative to the text, and its most lines and words. */
const HEADING = { higher: 1.22, lines: 3, words: 16 } as const;
/** Headings whose heights differ by less than this are of one level. */
const SAME_SIZE = 1.14;
const MAX_LEVELS = 6;
/** "3 Results", "6.4 The changing face": the number of parts is its level. */
const NUMBERED = /^\p{Nd}{1,2}(?:\.\p{Nd}{1,2}){0,3}\.?\s+\p{Lu}/u;

/** Short paragraphs in a larger size than the body text, and numbered titles on separate lines. */
export function headingsIn(lines: readonly PlacedLine[]): LayoutHeading[] {
  const heights = lines.flatMap((line) => line.words.map(() => heightOf(line)));
  if (lines.length < 3) return [];
  const usual = median(heights);
  const found = paragraphsOf(lines).flatMap((paragraph) => {
    const text = paragraph.map((line) => line.text).join(' ');
    const words = paragraph.reduce((sum, line) => sum + line.words.length, 0);
    if (paragraph.length > HEADING.lines || words > HEADING.words || paragraph.some((line) => line.isInTable))
      return [];
    if (!/\p{L}{2}/u.test(text) || /[,;:]$/.test(text)) return [];
    const higher = median(paragraph.map(heightOf)) / usual;
    const numbered = NUMBERED.test(text) && !/[.!?]$/.test(text) && words > 1 && paragraph.length === 1;
    if (higher < HEADING.higher && !numbered) return [];
    const [number = ''] = text.split(/\s/);
    return [{ paragraph, higher, depth: numbered ? number.replace(/\.$/, '').split('.').length : 0 }];
  });
  const sizes: number[] = [];
  for (const { higher } of found
    .filter((one) => one.higher >= HEADING.higher)
    .toSorted((a, b) => b.higher - a.higher)) {
    if (sizes.length === 0 || lastOf(sizes) > higher * SAME_SIZE) sizes.push(higher);
  }
  return found.map(({ paragraph, higher, depth }) => {
    const size =
      higher >= HEADING.higher
        ? sizes.findIndex((one) => one <= higher * SAME_SIZE) + 1
        : sizes.length + depth;
    return {
      level: Math.min(MAX_LEVELS, Math.max(1, size)),
      lines: { from: firstOf(paragraph).line, to: lastOf(paragraph).line + 1 },
      box: around(paragraph),
      confidence: Math.min(0.9, 0.5 + 0.5 * Math.max(0, higher - HEADING.higher) + (depth > 0 ? 0.2 : 0)),
    };
  });
}

function paragraphsOf(lines: readonly PlacedLine[]): PlacedLine[][] {
  const paragraphs: PlacedLine[][] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (last?.[0]?.paragraph === line.paragraph) last.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs;
}

const BULLET = /^[•·▪◦‣●○■□–—*+-]$/u;
const NUMBERED_ITEM = /^\(?(?:\p{Nd}{1,3}|\p{L}|[ivx]{1,4})[.)]$/u;

interface ListItem {
  kind: 'bullet' | 'numbered';
  mark: string;
  first: PlacedLine;
  /** With its continuation lines, which begin right of `inner`. */
  own: PlacedLine[];
  inner: number;
  left: number;
  height: number;
}

function openedBy(first: PlacedLine): ListItem | undefined {
  const [mark, next] = first.words;
  if (!mark || !next || first.isInTable) return undefined;
  const kind = BULLET.test(mark.text) ? 'bullet' : NUMBERED_ITEM.test(mark.text) ? 'numbered' : undefined;
  if (!kind) return undefined;
  const { x: left, height } = first.box;
  return { kind, mark: mark.text, first, own: [first], inner: next.box.x - 0.6 * height, left, height };
}

/** Lines that start with a bullet, a number or a letter, at least two of a kind, with their continuation lines. */
export function listItemsIn(lines: readonly PlacedLine[]): LayoutListItem[] {
  const items: ListItem[] = [];
  let open: ListItem | undefined;
  for (const line of lines) {
    const opened = openedBy(line);
    if (opened) {
      items.push(opened);
      open = opened;
    } else if (open && line.paragraph === open.first.paragraph && line.box.x >= open.inner) {
      open.own.push(line);
    } else {
      open = undefined;
    }
  }
  const edges: number[] = [];
  for (const { left, height } of items.toSorted((a, b) => a.left - b.left)) {
    if (edges.length === 0 || left - lastOf(edges) > height) edges.push(left);
  }
  return items.flatMap(({ kind, mark, first, own, left, height }) => {
    const peers = items.filter(
      (other) => other.kind === kind && Math.abs(other.left - left) <= height,
    ).length;
    // A dash or a number may start a line of any text.
    if (peers < 2 && mark !== '•') return [];
    const below = edges.filter((edge) => edge < left - 1e-6 && left - edge < 14 * height).length;
    return {
      level: 1 + Math.max(0, edges.some((edge) => Math.abs(edge - left) < 1e-6) ? below : below - 1),
      mark,
      lines: { from: first.line, to: lastOf(own).line + 1 },
      box: around(own),
      confidence: Math.min(0.95, 0.7 + 0.05 * peers),
    };
  });
}

interface FoundField {
  label: PlacedWord[];
  value: PlacedWord[];
  confidence: number;
}

/** Most words and letters of a label. */
const LABEL = { words: 6, letters: 40 } as const;
/** Words this far apart, by their height, belong to different fields. */
const FIELD_GAP = 1.1;

/** The text before a colon on a line, and the text after it up to the next wide gap or label. */
export function fieldsIn(lines: readonly PlacedLine[]): FoundField[] {
  return lines.flatMap(({ words }) => {
    const found: FoundField[] = [];
    let label: PlacedWord[] = [];
    let open: FoundField | undefined;
    for (const [i, word] of words.entries()) {
      const before = words[i - 1];
      const apart = before && word.box.x - rightOf(before.box) > FIELD_GAP * word.box.height;
      if (apart && open && open.value.length > 0) open = undefined;
      if (apart && !open) label = [];
      if (open && before && !isLabelled(before, words.slice(i))) {
        open.value.push(word);
        continue;
      }
      label = open ? [word] : [...label, word];
      open = undefined;
      if (!/\p{L}/u.test(word.text) || !/[:：]$/u.test(word.text)) continue;
      const text = label.map((each) => each.text).join(' ');
      if (label.length <= LABEL.words && text.length <= LABEL.letters) {
        open = { label, value: [], confidence: 0.85 };
        found.push(open);
      }
      label = [];
    }
    // A sentence may hold a colon: the text after a label is short, or stands apart.
    return found.filter(({ value }) => value.length <= 10);
  });
}

/**
 * Whether a word after a value starts the next label of the line: it stands apart, and a colon follows before the next gap.
 */
function isLabelled(before: PlacedWord, words: readonly PlacedWord[]): boolean {
  const [first, ...others] = words.slice(0, LABEL.words);
  if (!first) return false;
  const gap = FIELD_GAP * first.box.height;
  if (first.box.x - rightOf(before.box) < gap) return false;
  let last = first;
  for (const word of others) {
    if (/[:：]$/u.test(last.text)) return true;
    if (word.box.x - rightOf(last.box) > gap) return false;
    last = word;
  }
  return /[:：]$/u.test(last.text);
}

/** Edges closer than this many letters are one, and an edge this many further in is a step. */
const EDGE = { same: 1.2, step: 1.8 } as const;
/** More edges than this are not steps but centered or irregular lines. */
const MAX_EDGES = 12;

/** Number of steps by which lines are indented from the outermost line around them. */
export function indentsIn(lines: readonly PlacedLine[]): { line: number; steps: number }[] {
  return zonesOf(lines.filter(({ isInTable }) => !isInTable)).flatMap((zone) => stepsOf(zone));
}

/** Lines below one another without a wide gap between them. */
function zonesOf(lines: readonly PlacedLine[]): PlacedLine[][] {
  const zones: { lines: PlacedLine[]; left: number; right: number; bottom: number }[] = [];
  for (const line of lines.toSorted((a, b) => a.box.y - b.box.y)) {
    const right = rightOf(line.box);
    const zone = zones.findLast(
      (one) =>
        line.box.x < one.right &&
        right > one.left &&
        line.box.y - one.bottom < 4 * line.box.height &&
        line.box.y + 0.5 * line.box.height > one.bottom,
    );
    if (zone) {
      zone.lines.push(line);
      zone.left = Math.min(zone.left, line.box.x);
      zone.right = Math.max(zone.right, right);
      zone.bottom = Math.max(zone.bottom, bottomOf(line.box));
    } else {
      zones.push({ lines: [line], left: line.box.x, right, bottom: bottomOf(line.box) });
    }
  }
  return zones.map((zone) => zone.lines);
}

function stepsOf(zone: readonly PlacedLine[]): { line: number; steps: number }[] {
  if (zone.length < 3) return [];
  const widths = zone.flatMap(({ words }) =>
    words.flatMap(({ text, box }) => ([...text].length >= 3 ? [box.width / [...text].length] : [])),
  );
  if (widths.length === 0) return [];
  const letter = median(widths);
  const hasNumber = ({ words: [first] }: PlacedLine) => first && /^\p{Nd}{1,5}$/u.test(first.text);
  const numbered = zone.filter((line) => line.words.length > 1 && hasNumber(line)).length;
  const isNumbered = numbered >= 0.7 * zone.length;
  const starts = zone.flatMap((line) => {
    const { words } = line;
    const first = isNumbered && hasNumber(line) ? words[1] : words[0];
    return first && !(isNumbered && words.length === 1) ? [{ line: line.line, at: first.box.x }] : [];
  });
  if (starts.length < 3) return [];
  const edges: { at: number; lines: number }[] = [];
  for (const { at } of starts.toSorted((a, b) => a.at - b.at)) {
    const last = edges.at(-1);
    if (last && at - last.at < EDGE.same * letter) {
      last.at += (at - last.at) / ++last.lines;
    } else {
      edges.push({ at, lines: 1 });
    }
  }
  if (edges.length < 2 || edges.length > Math.min(MAX_EDGES, 0.6 * starts.length + 1)) return [];
  const outer = firstOf(edges).at;
  const differences = pairwise(edges)
    .map(([edge, next]) => next.at - edge.at)
    .filter((difference) => difference >= EDGE.step * letter);
  if (differences.length === 0) return [];
  const step = Math.min(...differences);
  return starts.flatMap(({ line, at }) => {
    const steps = Math.round((at - outer) / step);
    return steps > 0 ? [{ line, steps }] : [];
  });
}
