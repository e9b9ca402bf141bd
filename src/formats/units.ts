import type { MappedText, Mark } from './pieces.ts';

/** A word of the picture as it stands in a text, with what was written beside it by hand. */
export interface Unit {
  /** Counted from 0, in the order of the text. */
  index: number;
  /** `[start, end)` of the text. */
  start: number;
  end: number;
  mark: Mark;
  /** The line of the text that it stands in, counted from 0. */
  line: number;
}

/** A line of the text without a word of the picture. */
export interface FreeLine {
  text: string;
  /** How many units stand before it. */
  after: number;
}

/** A text cut up: what was added stands with the word before it on its line, or else with the one behind it. */
export interface UnitsOfText {
  units: readonly Unit[];
  free: readonly FreeLine[];
}

export function unitsOf({ text, marks }: MappedText): UnitsOfText {
  const units: Unit[] = [];
  const free: FreeLine[] = [];
  let from = 0;
  let next = 0;
  text.split('\n').forEach((line, index) => {
    const end = from + line.length;
    const held: Mark[] = [];
    for (; next < marks.length && marks[next]!.start < end; next += 1) {
      // A word that a person broke belongs to the line that it begins on.
      held.push({ ...marks[next]!, end: Math.min(marks[next]!.end, end) });
    }
    const written = line.trim();
    if (held.length === 0) {
      if (written !== '') free.push({ text: written, after: units.length });
    } else {
      const opening = from + line.length - line.trimStart().length;
      held.forEach((mark, at) => {
        const limit = held[at + 1]?.start ?? end;
        const kept = text.slice(mark.end, limit).trimEnd().length;
        const start = at === 0 ? opening : mark.start;
        units.push({ index: units.length, start, end: mark.end + kept, mark, line: index });
      });
    }
    from = end + 1;
  });
  return { units, free };
}
