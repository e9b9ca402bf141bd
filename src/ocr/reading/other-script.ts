/** Detects a text in a script that it was not read in; its reading is then not text. */

import type { LineImage } from '../page/line-image.ts';

/**
 * The chance of each script for a line, by ISO 15924 code; `Hani` is Chinese, `Jpan` and `Kore` the mixed scripts of Japanese
 * and Korean.
 */
export type ScriptShares = ReadonlyMap<string, number>;

/** Fewer lines are a logo, a stamp or a drawing; two lines of Hindi were taken for Korean. */
const MIN_LINES = 4;
/**
 * A page in another script quotes Latin letters. Of 54 English pictures outside the training data, and of nine in other
 * languages of Latin letters, none has more than three such lines in sixteen.
 */
const MIN_OF_LINES = 0.25;
/** Least share of those lines that agree. */
const MIN_AGREED = 0.4;

const LATIN = 'Latn';

/** A language of a script, by the name of its data; `letters` where the script has several. */
export interface OfScript {
  code: string;
  letters?: string;
}

const WRITTEN_IN: Readonly<Record<string, OfScript>> = {
  Arab: { code: 'ara', letters: 'Arabic' },
  Beng: { code: 'ben', letters: 'Bengali' },
  Cyrl: { code: 'rus', letters: 'Cyrillic' },
  Deva: { code: 'hin', letters: 'Devanagari' },
  Geor: { code: 'kat' },
  Grek: { code: 'ell' },
  Hani: { code: 'chi_sim', letters: 'Chinese' },
  Hebr: { code: 'heb', letters: 'Hebrew' },
  Jpan: { code: 'jpn' },
  Kore: { code: 'kor' },
  Taml: { code: 'tam' },
  Thai: { code: 'tha' },
};

const CLASSIFIED_LINES = 16;
/** Every second one of the widest lines, where there are many: neighbors are of one kind. */
const WIDEST = 40;

/** The sample of lines by which a page is judged. */
export function linesToClassify<Line extends { image: LineImage }>(lines: readonly Line[]): Line[] {
  const widest = lines.toSorted((a, b) => b.image.region.width - a.image.region.width).slice(0, WIDEST);
  const every = lines.length < 1.5 * CLASSIFIED_LINES ? 1 : 2;
  return widest.filter((_, index) => index % every === 0).slice(0, CLASSIFIED_LINES);
}

/** The language of a page of such lines, if it is clearly not in Latin letters. */
export function otherScript(lines: readonly ScriptShares[]): OfScript | undefined {
  if (lines.length < MIN_LINES) return undefined;
  const foreign = lines.filter((shares) => (shares.get(LATIN) ?? 0) < 0.5);
  if (foreign.length < lines.length * MIN_OF_LINES) return undefined;
  const sums = new Map<string, number>();
  for (const shares of foreign) {
    for (const [script, share] of shares) {
      if (script !== LATIN) sums.set(script, (sums.get(script) ?? 0) + share);
    }
  }
  const all = [...sums.values()].reduce((sum, share) => sum + share, 0);
  const [script, most] = [...sums].reduce((best, each) => (each[1] > best[1] ? each : best));
  return most >= all * MIN_AGREED ? WRITTEN_IN[script] : undefined;
}

/** The English name of a script, by its ISO 15924 code; the code itself where it is unknown. */
export const scriptName = (script: string): string => NAMES[script] ?? WRITTEN_IN[script]?.letters ?? script;

const NAMES: Readonly<Record<string, string>> = {
  Geor: 'Georgian',
  Grek: 'Greek',
  Hebr: 'Hebrew',
  Jpan: 'Japanese',
  Kore: 'Korean',
  Taml: 'Tamil',
  Thai: 'Thai',
};
