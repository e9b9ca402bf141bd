/** Maps an edited page layout back to the lines of the text. */
import type { Extraction } from '#contract/extraction';
import { itemAt, required } from './checked.ts';
import { toPageLayout } from './page-layout.ts';
import type { MappedText, Mark, Piece } from './pieces.ts';
import { type FreeLine, type Unit, unitsOf } from './units.ts';

/**
 * The inverse of `toPageLayout`: applies the user's changes in `editedPage` to `lines`, from which the page was laid out.
 * Unchanged text is restored exactly.
 */
export function fromPageLayout(
  editedPage: MappedText,
  lines: MappedText,
  pieces: readonly Piece[],
  picture: Extraction['image'],
): MappedText {
  const before = toPageLayout(lines, pieces, picture);
  if (before.text === editedPage.text) return lines;
  const [own, then, now] = [unitsOf(lines), unitsOf(before), unitsOf(editedPage)];
  const [was, is] = [byPiece(then.units), byPiece(now.units)];
  const removed = missingLines(then.free, now.free);
  const added = missingLines(now.free, then.free);
  const linesAddedAfter = (piece: number | null) =>
    added.filter(({ after }) => (now.units[after - 1]?.mark.piece ?? null) === piece);

  let text = '';
  const marks: Mark[] = [];
  const openings = remainingLines(lines.text.slice(0, own.units[0]?.start ?? lines.text.length), removed);
  for (const line of [
    ...openings.filter((line) => line !== ''),
    ...linesAddedAfter(null).map((line) => line.text),
  ]) {
    text += `${line}\n`;
  }
  let previous: Unit | null = null;
  let addedBelow: string[] = [];
  for (const unit of own.units) {
    const current = is.get(unit.mark.piece);
    if (!current) continue;
    if (previous) {
      const old = lines.text.slice(previous.end, unit.start);
      const crossed =
        unit.index === previous.index + 1 ? old : widestGap(lines.text, own.units, previous, unit);
      let gap = remainingLines(crossed, removed).join('\n');
      const beside = previous.mark.piece;
      const [wasBefore, isBefore] = [required(was.get(beside)), required(is.get(beside))];
      if (isNext(wasBefore, required(was.get(unit.mark.piece))) && isNext(isBefore, current)) {
        const oldGap = before.text.slice(wasBefore.end, required(was.get(unit.mark.piece)).start);
        gap = gapAfter(gap, oldGap, editedPage.text.slice(isBefore.end, current.start));
      }
      // Text that was added below a line comes after the whole line.
      if (addedBelow.length > 0 && gap.includes('\n')) {
        gap = `\n${addedBelow.join('\n')}${gap}`;
        addedBelow = [];
      }
      text += gap;
    }
    const then = required(was.get(unit.mark.piece));
    const isSame =
      before.text.slice(then.start, then.end) === editedPage.text.slice(current.start, current.end);
    const [source, part] = isSame ? [lines.text, unit] : [editedPage.text, current];
    const collapseSpaces = isSame
      ? (written: string) => written
      : (written: string) => written.replaceAll(/ {2,}/g, ' ');
    const ahead = collapseSpaces(source.slice(part.start, part.mark.start));
    const word = source.slice(part.mark.start, part.mark.end);
    const start = text.length + ahead.length;
    marks.push({ piece: unit.mark.piece, start, end: start + word.length });
    text += ahead + word + collapseSpaces(source.slice(part.mark.end, part.end));
    addedBelow.push(...linesAddedAfter(unit.mark.piece).map((line) => line.text));
    previous = unit;
  }
  const rest = previous && previous.index === own.units.length - 1 ? lines.text.slice(previous.end) : '';
  const closing = [...addedBelow, ...remainingLines(rest, removed).filter((line) => line !== '')];
  return { text: [text, ...closing].filter((part) => part !== '').join('\n'), marks };
}

const byPiece = (units: readonly Unit[]) => new Map(units.map((unit) => [unit.mark.piece, unit]));

const isNext = (one: Unit, other: Unit) => other.index === one.index + 1;

/** The lines of the first list that are missing in the second; duplicates are counted. */
function missingLines(some: readonly FreeLine[], others: readonly FreeLine[]): FreeLine[] {
  const left = others.map(({ text }) => text);
  return some.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

/** The lines of the text between two words, without removed lines. Takes each omitted line out of `removed`. */
function remainingLines(gap: string, removed: FreeLine[]): string[] {
  return gap.split('\n').filter((line) => {
    const at = removed.findIndex(({ text }) => text === line.trim());
    if (at >= 0) removed.splice(at, 1);
    return at < 0;
  });
}

/** The gap with the most line breaks, for two words between which other words were deleted. */
function widestGap(text: string, units: readonly Unit[], from: Unit, to: Unit): string {
  const gaps = units
    .slice(from.index, to.index)
    .map((unit, index) => text.slice(unit.end, itemAt(units, from.index + index + 1).start));
  return gaps.reduce((widest, gap) => (lineBreaksIn(gap) > lineBreaksIn(widest) ? gap : widest));
}

const lineBreaksIn = (gap: string) => gap.split('\n').length - 1;

/** Applies inserted and removed line breaks and spaces of the page layout to a gap of the text. */
function gapAfter(gap: string, before: string, now: string): string {
  const [had, has] = [lineBreaksIn(before), lineBreaksIn(now)];
  if (gap.trim() !== '' || now.trim() !== '') return gap;
  if (had !== has) {
    const breaks = Math.max(has > 0 ? 1 : 0, lineBreaksIn(gap) + has - had);
    return breaks > 0 ? '\n'.repeat(breaks) : ' ';
  }
  const isTouching = now === '';
  return had > 0 || isTouching === (before === '') ? gap : isTouching ? '' : ' ';
}
