import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '#ocr';
import { CLASSES, STYLES, type SyntheticTextClass } from './drawn-pages.ts';
import { exactTokens } from './measure.ts';
import { addLosses, countLosses } from './silent-loss.ts';

/**
 * Minimum share of exact words, and maximum share of lost or wrong words without a mark nearby, over all styles. Slightly
 * looser than the measurements, because other versions of the fonts differ slightly. Most losses of accents are Vietnamese.
 */
const LIMITS: Record<string, { exact: number; unmarked: number }> = {
  symbols: { exact: 0.93, unmarked: 0.1 },
  codes: { exact: 0.95, unmarked: 0.05 },
  accents: { exact: 0.86, unmarked: 0.12 },
  'accents of smaller languages': { exact: 0.75, unmarked: 0.06 },
  identifiers: { exact: 0.96, unmarked: 0.06 },
  links: { exact: 0.97, unmarked: 0.03 },
  leaders: { exact: 0.97, unmarked: 0.03 },
  directions: { exact: 0.96, unmarked: 0.03 },
};

const engine = createEngine({
  maxPixels: 50_000_000,
  concurrency: 2,
  queueLimit: 1000,
  premiumReserve: 0,
  timeoutMs: 60_000,
  languageDirs: [],
});

/** For sixteen pages, two in parallel; each may take some seconds while other suites run. */
const TIME_LIMIT_MS = 180_000;

beforeAll(() => engine.ready());
afterAll(() => engine.close());

async function readAll({ lines, draw }: SyntheticTextClass) {
  const expected = lines.flatMap(exactTokens);
  const results = await Promise.all(
    STYLES.map(async (style) => {
      const page = await engine.recognize(await draw(lines, style), { languages: ['eng'] });
      const read = exactTokens(page.text);
      const missed = expected.filter((token) => {
        const at = read.indexOf(token);
        if (at >= 0) read.splice(at, 1);
        return at < 0;
      });
      return { style, missed, read, losses: countLosses(page, expected, exactTokens) };
    }),
  );
  const total = expected.length * STYLES.length;
  const missed = results.reduce((sum, result) => sum + result.missed.length, 0);
  const { unmarked } = addLosses(results.map(({ losses }) => losses));
  return { exact: 1 - missed / total, unmarked: unmarked / total, results };
}

describe('recognize: rendered pages in eight fonts, three sizes, dark and light', () => {
  test.each(CLASSES.map((one) => [one.name, one] as const))(
    '%s are read exactly, and errors are marked',
    async (name, drawn) => {
      const { exact, unmarked, results } = await readAll(drawn);
      const shown = results
        .filter(({ missed }) => missed.length > 0)
        .map(
          ({ style, missed, read }) =>
            `${style.font} ${style.size}${style.dark ? ' dark' : ''}: ${missed.join(' ')} | ${read.join(' ')}`,
        );
      expect(exact, shown.join('\n')).toBeGreaterThanOrEqual(LIMITS[name]!.exact);
      expect(unmarked).toBeLessThanOrEqual(LIMITS[name]!.unmarked);
    },
    TIME_LIMIT_MS,
  );
});
