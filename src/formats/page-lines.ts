/** Lines of a text from what a user made of it while it was laid out as on its page. */
import type { Extraction } from '#contract/extraction';
import { itemAt, required } from './checked.ts';
import { laidOnPage } from './page-layout.ts';
import type { MappedText, Mark, Piece } from './pieces.ts';
import { type FreeLine, type Unit, unitsOf } from './units.ts';

/**
 * The inverse of `laidOnPage`: `lines` with the user's changes since they were laid out and became `laid`. Unchanged text
 * comes back exactly.
 */
export function linesOfPage(
  laid: MappedText,
  lines: MappedText,
  pieces: readonly Piece[],
  picture: Extraction['image'],
): MappedText {
  const before = laidOnPage(lines, pieces, picture);
  if (before.text === laid.text) return lines;
  const [own, then, now] = [unitsOf(lines), unitsOf(before), unitsOf(laid)];
  const [was, is] = [byPiece(then.units), byPiece(now.units)];
  const removed = without(then.free, now.free);
  const added = without(now.free, then.free);
  const addedBehind = (piece: number | null) =>
    added.filter(({ after }) => (now.units[after - 1]?.mark.piece ?? null) === piece);

  let text = '';
  const marks: Mark[] = [];
  const openings = gapLines(lines.text.slice(0, own.units[0]?.start ?? lines.text.length), removed);
  for (const line of [
    ...openings.filter((line) => line !== ''),
    ...addedBehind(null).map((line) => line.text),
  ]) {
    text += `${line}\n`;
  }
  let previous: Unit | null = null;
  let waiting: string[] = [];
  for (const unit of own.units) {
    const current = is.get(unit.mark.piece);
    if (!current) continue;
    if (previous) {
      const old = lines.text.slice(previous.end, unit.start);
      const crossed =
        unit.index === previous.index + 1 ? old : widestOf(lines.text, own.units, previous, unit);
      let gap = gapLines(crossed, removed).join('\n');
      const beside = previous.mark.piece;
      const [wasBefore, isBefore] = [required(was.get(beside)), required(is.get(beside))];
      if (follows(wasBefore, required(was.get(unit.mark.piece))) && follows(isBefore, current)) {
        const oldGap = before.text.slice(wasBefore.end, required(was.get(unit.mark.piece)).start);
        gap = gapAfter(gap, oldGap, laid.text.slice(isBefore.end, current.start));
      }
      // Text that was added below a line follows the whole line.
      if (waiting.length > 0 && gap.includes('\n')) {
        gap = `\n${waiting.join('\n')}${gap}`;
        waiting = [];
      }
      text += gap;
    }
    const then = required(was.get(unit.mark.piece));
    const isSame = before.text.slice(then.start, then.end) === laid.text.slice(current.start, current.end);
    const [source, part] = isSame ? [lines.text, unit] : [laid.text, current];
    const tidy = isSame
      ? (written: string) => written
      : (written: string) => written.replaceAll(/ {2,}/g, ' ');
    const ahead = tidy(source.slice(part.start, part.mark.start));
    const word = source.slice(part.mark.start, part.mark.end);
    const start = text.length + ahead.length;
    marks.push({ piece: unit.mark.piece, start, end: start + word.length });
    text += ahead + word + tidy(source.slice(part.mark.end, part.end));
    waiting.push(...addedBehind(unit.mark.piece).map((line) => line.text));
    previous = unit;
  }
  const rest = previous && previous.index === own.units.length - 1 ? lines.text.slice(previous.end) : '';
  const closing = [...waiting, ...gapLines(rest, removed).filter((line) => line !== '')];
  return { text: [text, ...closing].filter((part) => part !== '').join('\n'), marks };
}

const byPiece = (units: readonly Unit[]) => new Map(units.map((unit) => [unit.mark.piece, unit]));

const follows = (one: Unit, other: Unit) => other.index === one.index + 1;

/** The lines of the first list that are missing in the second, each as often as it is missing there. */
function without(some: readonly FreeLine[], others: readonly FreeLine[]): FreeLine[] {
  const left = others.map(({ text }) => text);
  return some.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

/** The text between two words, line by line, without removed lines; each of those is removed once. */
function gapLines(gap: string, removed: FreeLine[]): string[] {
  return gap.split('\n').filter((line) => {
    const at = removed.findIndex(({ text }) => text === line.trim());
    if (at >= 0) removed.splice(at, 1);
    return at < 0;
  });
}

/** Where words in between are gone: the widest of their gaps. */
function widestOf(text: string, units: readonly Unit[], from: Unit, to: Unit): string {
  const gaps = units
    .slice(from.index, to.index)
    .map((unit, index) => text.slice(unit.end, itemAt(units, from.index + index + 1).start));
  return gaps.reduce((widest, gap) => (breaksIn(gap) > breaksIn(widest) ? gap : widest));
}

const breaksIn = (gap: string) => gap.split('\n').length - 1;

/** A gap with the line breaks and spaces that were inserted or removed at its place on the page. */
function gapAfter(gap: string, before: string, now: string): string {
  const [had, has] = [breaksIn(before), breaksIn(now)];
  if (gap.trim() !== '' || now.trim() !== '') return gap;
  if (had !== has) {
    const breaks = Math.max(has > 0 ? 1 : 0, breaksIn(gap) + has - had);
    return breaks > 0 ? '\n'.repeat(breaks) : ' ';
  }
  const isTouching = now === '';
  return had > 0 || isTouching === (before === '') ? gap : isTouching ? '' : ' ';
}
