/** Unread regions: ink that the text detector takes for text and that no word explains. */
import type { TextRegion } from '../page/detect.ts';
import type { LineImage } from '../page/line-image.ts';
import type { UnreadRegion } from '../types.ts';
import { type ScriptShares, scriptName } from './other-script.ts';

/** A text line and its result. */
export interface ReadRegion {
  image: LineImage<TextRegion>;
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
    .toSorted((a, b) => b.image.region.width - a.image.region.width)
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
): UnreadRegion[] {
  return asked.flatMap(({ image, confidence }, i): UnreadRegion[] => {
    const { region, box } = image;
    // Icons are about as wide as high, and look like letters of some script.
    if (region.width < TEXT.aspect * region.height) return [];
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
