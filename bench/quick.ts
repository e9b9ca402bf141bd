/** The quick bench: reads a few pictures of every set and compares them with the baseline. */
import type { SetReport } from './accuracy.ts';
import { type Baseline, type RecordedSet, sharedCases } from './baseline.ts';
import type { Case, PictureSet } from './corpus.ts';
import { addCounts, f1 } from './measure.ts';
import { fixed, LOSS_HEAD, lossCells, ratio, table } from './report.ts';
import { addLosses, type LossCounts, reportLosses } from './silent-loss.ts';

/** Number of pictures of every set with the lowest recorded word F1. */
const HARDEST = 2;
/** Number of further pictures of a small and of a large set. */
const ORDINARY = { small: 1, large: 2 };
/** Minimum size of a large set. */
const LARGE = 12;

/**
 * The hardest pictures of a set and a few ordinary ones, in the order of the set; deterministic for a given baseline. Adds
 * pictures without a record if there are too few. A set of exact words is small and taken completely.
 */
export function pickQuick(set: PictureSet, recorded: RecordedSet | undefined): PictureSet {
  if (set.cases.some(({ exact }) => exact)) return set;
  const scored = set.cases.map((one) => ({ one, score: scoreOf(one, recorded) }));
  const known = scored.filter((each): each is Scored => each.score !== null).toSorted(byHardness);
  const unknown = scored.filter(({ score }) => score === null);
  const ordinary = set.cases.length < LARGE ? ORDINARY.small : ORDINARY.large;
  const inOrderOfChoice = [
    ...known.slice(0, HARDEST),
    ...ordinaryOnes(known.slice(HARDEST), ordinary),
    ...unknown,
    ...known,
  ].map(({ one }) => one);
  const picked = new Set([...new Set(inOrderOfChoice)].slice(0, HARDEST + ordinary));
  return { ...set, cases: set.cases.filter((one) => picked.has(one)) };
}

/**
 * Pictures distributed over the easier ones, because an unreadable picture cannot show a drop. Divides the list into one slice
 * more than needed, and takes the middle picture of each slice except the hardest.
 */
function ordinaryOnes(fromTheHardest: readonly Scored[], count: number): Scored[] {
  const slice = fromTheHardest.length / (count + 1);
  const middles = Array.from({ length: count }, (_, i) => Math.floor((i + 1.5) * slice));
  return middles.flatMap((at) => fromTheHardest[at] ?? []);
}

interface Scored {
  one: Case;
  score: { f1: number; words: number };
}

function scoreOf({ name }: Case, recorded: RecordedSet | undefined): Scored['score'] | null {
  const counts = recorded?.cases[name]?.counts;
  return counts ? { f1: f1(counts), words: counts.expected } : null;
}

/** Sorts by word F1; among equally bad pictures, the one with more words is more informative. */
const byHardness = (a: Scored, b: Scored) =>
  a.score.f1 - b.score.f1 || b.score.words - a.score.words || byName(a.one, b.one);
const byName = (a: Case, b: Case) => a.name.localeCompare(b.name, 'en');

const HEAD = ['set', 'pictures', 'word F1', 'baseline', 'change', ...LOSS_HEAD, 'baseline', 'time ×'];

/** A row per set. Baseline and change cover the pictures in the baseline. */
export function formatQuick(sets: readonly SetReport[], baseline: Baseline | null): string {
  const rows = sets.map((set) => {
    const shared = sharedCases(set, baseline);
    const scoreOfAll = (cases: readonly { counts: SetReport['cases'][number]['counts'] }[]) =>
      f1(addCounts(cases.map(({ counts }) => counts)));
    const [is, was] = shared.is.length > 0 ? [scoreOfAll(shared.is), scoreOfAll(shared.was)] : [];
    return [
      set.name,
      String(set.pictures),
      fixed(set.engine.f1),
      was === undefined ? '–' : fixed(was),
      is === undefined || was === undefined ? '–' : changeOf(is - was),
      ...lossCells(set.losses),
      unmarkedBefore(shared.was.map(({ losses }) => losses)),
      ratio(set.timeRatio),
    ];
  });
  const pictures = sets.reduce((sum, set) => sum + set.pictures, 0);
  const all = reportLosses(addLosses(sets.map(({ losses }) => losses)));
  const total = ['all', String(pictures), '', '', '', ...lossCells(all), '', ''];
  return table([HEAD, ...rows, total]);
}

function unmarkedBefore(recorded: readonly (LossCounts | undefined)[]): string {
  const losses = recorded.filter((one) => one !== undefined);
  if (losses.length === 0 || losses.length < recorded.length) return '–';
  return reportLosses(addLosses(losses)).perThousand.unmarked.toFixed(1);
}

function changeOf(difference: number): string {
  const rounded = fixed(Math.abs(difference));
  if (Number(rounded) === 0) return '=';
  return `${difference > 0 ? '+' : '−'}${rounded}`;
}

/** Minutes and seconds, such as `4 min 05 s`. */
export function inMinutes(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
