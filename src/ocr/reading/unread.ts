/** Unread regions: ink that the text detector takes for text and that no word explains. */
import { boundsOf, type Region } from '../page/geometry.ts';
import type { Picture } from '../picture/picture.ts';
import type { Box, UnreadRegion } from '../types.ts';
import { type ScriptShares, scriptName } from './other-script.ts';

/** A region and its result. */
export interface ReadRegion {
  region: Region & { score: number };
  /** 0 to 1: the mean confidence of its words; undefined where it has none. */
  confidence: number | undefined;
  /** Undefined until it is identified. */
  scripts: ScriptShares | undefined;
}

/** Words with a lower mean confidence may be in another script. */
const WEAK = 0.5;
/** Number of regions whose script is identified, the widest ones: each costs as much as a second reading. */
const ASKED = 48;
/** The least chance of another script, and the greatest one of Latin letters. */
const OTHER = { most: 0.5, latin: 0.3 } as const;
/**
 * A region counts as text when it is this many times longer than high, and without a word when the detector's score is at
 * least this.
 */
const TEXT = { score: 0.72, aspect: 1.8 } as const;
const LATIN = 'Latn';

/** The regions whose script `unreadRegions` needs. */
export function regionsInQuestion(read: readonly ReadRegion[]): ReadRegion[] {
  return read
    .filter(({ confidence }) => confidence === undefined || confidence < WEAK)
    .toSorted((a, b) => b.region.width - a.region.width)
    .slice(0, ASKED);
}

/**
 * @param asked as `regionsInQuestion` returned them
 * @param shares the script of each, in the same order
 * @param own ISO 15924 codes of the scripts that the text was read in
 */
export function unreadRegions(
  asked: readonly ReadRegion[],
  shares: readonly ScriptShares[],
  own: ReadonlySet<string>,
  picture: Pick<Picture, 'scale' | 'original'>,
): UnreadRegion[] {
  return asked.flatMap(({ region, confidence }, i): UnreadRegion[] => {
    // Icons are about as wide as high, and look like letters of some script.
    if (region.width < TEXT.aspect * region.height) return [];
    const box = boxIn(picture, region);
    const script = otherScriptOf(shares[i]!, own);
    if (script) return [{ box, why: 'other_script', script }];
    return confidence === undefined && region.score >= TEXT.score ? [{ box, why: 'no_reading' }] : [];
  });
}

/** The English name of a script that was not read. */
function otherScriptOf(shares: ScriptShares, own: ReadonlySet<string>): string | undefined {
  if ((shares.get(LATIN) ?? 0) > OTHER.latin) return undefined;
  const [script, share] = [...shares].reduce((best, each) => (each[1] > best[1] ? each : best));
  return share >= OTHER.most && !own.has(script) ? scriptName(script) : undefined;
}

/** In whole pixels of the original picture. */
function boxIn({ scale, original }: Pick<Picture, 'scale' | 'original'>, region: Region): Box {
  const { x, y, width, height } = boundsOf(region);
  const within = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value / scale)));
  const [left, top] = [within(x, original.width), within(y, original.height)];
  return {
    x: left,
    y: top,
    width: within(x + width, original.width) - left,
    height: within(y + height, original.height) - top,
  };
}

/** A notice for the user: how many places were not read, and why. Undefined where all was read. */
export function unreadNotice(unread: readonly UnreadRegion[]): string | undefined {
  if (unread.length === 0) return undefined;
  const scripts = new Map<string, number>();
  for (const { script } of unread) if (script) scripts.set(script, (scripts.get(script) ?? 0) + 1);
  const places = unread.length === 1 ? '1 place was not read' : `${unread.length} places were not read`;
  const where = unread.length === 1 ? 'It is marked in the picture.' : 'They are marked in the picture.';
  if (scripts.size === 0) return `${places}. ${where}`;
  const lines = [...scripts].map(
    ([script, count]) => `${script} text in ${count === 1 ? '1 line' : `${count} lines`}`,
  );
  return `${places}: ${lines.join(', ')}. ${where}`;
}
