import { itemAt } from './checked.ts';
import type { MappedText, Mark } from './pieces.ts';

/** A recognized word in the text, with the text that the user wrote beside it. */
export interface Unit {
  /** Counted from 0, in text order. */
  index: number;
  /** `[start, end)` of the text. */
  start: number;
  end: number;
  mark: Mark;
  /** Its line of the text, counted from 0. */
  line: number;
}

/** A line of the text without a recognized word. */
export interface FreeLine {
  text: string;
  /** Number of units before it. */
  after: number;
}

/** A text divided into units: added text belongs to the word before it on its line, or else to the one after it. */
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
    const marksOfLine: Mark[] = [];
    for (; next < marks.length && itemAt(marks, next).start < end; next += 1) {
      // A word with a user's line break belongs to the line that it starts on.
      marksOfLine.push({ ...itemAt(marks, next), end: Math.min(itemAt(marks, next).end, end) });
    }
    const written = line.trim();
    if (marksOfLine.length === 0) {
      if (written !== '') free.push({ text: written, after: units.length });
    } else {
      const opening = from + line.length - line.trimStart().length;
      marksOfLine.forEach((mark, at) => {
        const limit = marksOfLine[at + 1]?.start ?? end;
        const kept = text.slice(mark.end, limit).trimEnd().length;
        const start = at === 0 ? opening : mark.start;
        units.push({ index: units.length, start, end: mark.end + kept, mark, line: index });
      });
    }
    from = end + 1;
  });
  return { units, free };
}
