/** Puts the words of a page into lines in reading order. */
import { required } from '../checked.ts';
import type { Region } from '../page/geometry.ts';
import type { LineImage } from '../page/line-image.ts';
import { quartersOf } from '../page/orient.ts';
import type { PageLines } from '../page/page-lines.ts';
import type { Picture } from '../picture/picture.ts';
import type { FusedWord } from '../reading/fuse.ts';
import type { Lexicon } from '../reading/lexicon.ts';
import type { Layout, Line, Word } from '../types.ts';
import { withLigaturesSpelled } from './code-ligatures.ts';
import { type DewarpedPage, dewarpPage } from './dewarped-page.ts';
import { withDropCaps } from './drop-caps.ts';
import { lineOf } from './lines.ts';
import { withRepairedZones } from './machine-readable-zone.ts';
import { byDirection, followedBy, linesInOrder, type OrderBoxes } from './order/ordered-lines.ts';
import {
  type Drawn,
  drawnOn,
  type LaidPage,
  layoutOf,
  NO_LAYOUT,
  NOTHING_DRAWN,
  type WordPlace,
} from './page-layout.ts';
import { placeFragment, type ReadFragment } from './place.ts';
import { withRuby } from './ruby.ts';

/** In heights of the line: horizontal spread of the bullets of one level. */
const BULLET_DRIFT = 0.5;
const FILLED_BULLET = /^[•●▪■]$/u;

/** A line as it was read. */
export interface ReadLine {
  image: LineImage;
  words: readonly FusedWord[];
}

export interface ArrangedPage {
  /** In reading order. */
  lines: Line[];
  /** The words of each region that has any. */
  fragmentOf: ReadonlyMap<Region, ReadFragment>;
  /** Fragments of the page's own direction, with their drop caps. */
  fragments: readonly ReadFragment[];
  /** Fragments that are ruby of these. */
  ruby: ReadonlySet<ReadFragment>;
  flat: DewarpedPage;
  /** The layout of some of the page's lines. */
  layout(lines: readonly Line[]): Layout;
}

/** @param inColumns the script is written downwards */
export async function arrangePage(
  picture: Picture,
  page: Pick<PageLines, 'regions' | 'dropCaps' | 'angle'>,
  read: readonly ReadLine[],
  { inColumns, lexicon, order }: { inColumns: boolean; lexicon: Lexicon; order: OrderBoxes },
): Promise<ArrangedPage> {
  const { angle } = page;
  const directions = inColumns
    ? new Map([[0, page.regions]])
    : byDirection(
        read.map(({ image }) => image.region),
        angle,
      );
  const flats = new Map(
    [...directions].map(([quarterTurns, regions]) => [
      quarterTurns,
      dewarpPage(regions, angle + (quarterTurns * Math.PI) / 2),
    ]),
  );
  const flat = required(flats.get(0));
  const directionOf = (region: Region) => (inColumns ? 0 : quartersOf(region, angle));
  const fragmentOf = new Map<Region, ReadFragment>();
  for (const { image, words } of read) {
    if (words.length === 0) continue;
    const { region } = image;
    fragmentOf.set(region, placeFragment(image, words, required(flats.get(directionOf(region)))));
  }
  const level = new Map([...fragmentOf].filter(([region]) => directionOf(region) === 0));
  const turned = new Map<number, ReadFragment[]>();
  for (const [region, fragment] of fragmentOf) {
    const quarterTurns = directionOf(region);
    if (quarterTurns !== 0) turned.set(quarterTurns, [...(turned.get(quarterTurns) ?? []), fragment]);
  }
  const { lines: fragments, ruby } = withRuby(withDropCaps(level, page.dropCaps, lexicon));
  const drawn = inColumns ? NOTHING_DRAWN : drawnOrNothing({ picture, flat }, fragments);
  const main = await linesInOrder(fragments, drawn.tables, order);
  // Text that lies across the page follows the page's own, each direction by itself.
  const others = await Promise.all([...turned.values()].map((part) => linesInOrder(part, [], order)));
  const { lines, blocks } = others.reduce(followedBy, main);
  const all = withLigaturesSpelled(withNestedBullets(withRepairedZones(lines)));
  const placeOf = placesFor(fragments, all, blocks);
  return {
    lines: all,
    fragmentOf,
    fragments,
    ruby,
    flat,
    // Vertical columns stand side by side as rows do: their layout differs.
    layout: (some) =>
      inColumns ? NO_LAYOUT : layoutOrNone({ lines: some, placeOf, picture, flat, rules: drawn.rules }),
  };
}

/** An error in the detection of rules must not fail a read text. */
function drawnOrNothing(page: Pick<LaidPage, 'picture' | 'flat'>, fragments: readonly ReadFragment[]): Drawn {
  try {
    return drawnOn(
      page,
      fragments.flatMap(({ words, uprightWords }) =>
        words.map(({ text, confidence }, i) => ({ text, confidence, box: uprightWords[i]! })),
      ),
    );
  } catch {
    return NOTHING_DRAWN;
  }
}

/** An error in the layout must not fail a read text either. */
function layoutOrNone(page: LaidPage): Layout {
  try {
    return layoutOf(page);
  } catch {
    return NO_LAYOUT;
  }
}

/** The places of words on the dewarped page, by word. */
function placesFor(
  fragments: readonly ReadFragment[],
  lines: readonly Line[],
  blocks: readonly number[],
): (word: Word) => WordPlace | undefined {
  const blockOf = new Map(
    lines.flatMap(({ words }, line) => words.map((word): [Word, number] => [word, blocks[line]!])),
  );
  const places = new Map(
    fragments.flatMap(({ words, uprightWords }) =>
      words.map((word, i): [Word, WordPlace] => [
        word,
        { box: uprightWords[i]!, block: required(blockOf.get(word)) },
      ]),
    ),
  );
  return (word) => places.get(word);
}

/**
 * Lines with "◦" in place of a leading "o" or "°", on a page whose lists have filled bullets further left: recognizers see
 * the same ring. The words of a line are changed in place.
 */
export function withNestedBullets(lines: readonly Line[]): Line[] {
  const opened = lines.filter(({ words }) => words.length > 1);
  const filled = opened
    .filter(({ words }) => FILLED_BULLET.test(words[0]!.text))
    .map(({ words }) => words[0]!.box.x);
  if (filled.length === 0) return [...lines];
  const rings = opened.map(({ words }) => words[0]!).filter(({ text }) => text === 'o' || text === '°');
  for (const word of rings) {
    const { x, height } = word.box;
    const isNested = filled.some((left) => left < x - height);
    const hasPeer = rings.some(
      (other) => other !== word && Math.abs(other.box.x - x) < BULLET_DRIFT * height,
    );
    if (isNested && hasPeer) word.text = '◦';
  }
  return lines.map((line) => (rings.includes(line.words[0]!) ? lineOf(line.words, line.paragraph) : line));
}
