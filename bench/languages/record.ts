/** Records the figures of the languages page and of `docs/benchmark.md`, for `bench:languages --record`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeLanguage } from '#ocr';
import type { Condition } from './draw.ts';

const FIGURES_FILE = fileURLToPath(new URL('../../src/web/features/languages/figures.json', import.meta.url));
const PAGE_FILE = fileURLToPath(new URL('../../docs/benchmark.md', import.meta.url));

/** Character error rates in percent, without white space. */
interface WrongLetters {
  glyphlift: number;
  tesseract: number;
}

export interface LanguageFigures extends Record<Condition, WrongLetters> {
  /** Origin of the data: the pinned package, or the folder of the system. */
  data: 'package' | 'system';
}

export interface Figures {
  recordedAt: string;
  languages: Record<string, LanguageFigures>;
}

export function readFigures(file: string = FIGURES_FILE): Figures | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figures) : null;
}

/** Replaces the entries of the given languages and keeps the others. */
export function recordFigures(
  read: Readonly<Record<string, LanguageFigures>>,
  at: Date,
  file: string = FIGURES_FILE,
): Figures {
  const all = { ...readFigures(file)?.languages, ...read };
  const figures = {
    recordedAt: at.toISOString().slice(0, 10),
    languages: Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  // One line per language, for readable diffs.
  const lines = Object.entries(figures.languages).map(
    ([code, each]) => `    ${JSON.stringify(code)}: ${JSON.stringify(each)}`,
  );
  writeFileSync(
    file,
    `{\n  "recordedAt": "${figures.recordedAt}",\n  "languages": {\n${lines.join(',\n')}\n  }\n}\n`,
  );
  return figures;
}

const MARKERS = { begin: '<!-- languages: written by bench:languages -->', end: '<!-- /languages -->' };

/** Writes the table between its markers. */
export function writeTable(figures: Figures, page: string = PAGE_FILE): void {
  const before = readFileSync(page, 'utf8');
  const [begin, end] = [before.indexOf(MARKERS.begin), before.indexOf(MARKERS.end)];
  if (begin < 0 || end < begin) throw new Error(`${page} lacks the markers that the table goes between`);
  const head = before.slice(0, begin + MARKERS.begin.length);
  writeFileSync(page, `${head}\n\n${tableOf(figures)}\n\n${before.slice(end)}`);
}

function tableOf({ recordedAt, languages }: Figures): string {
  const each = Object.entries(languages)
    .map(([code, figures]) => ({ code, name: describeLanguage(code).name, ...figures }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const cells = ({ glyphlift, tesseract }: WrongLetters) => `${percent(glyphlift)} | ${percent(tesseract)}`;
  const mean = (of: (figures: LanguageFigures) => number) =>
    percent(each.reduce((sum, figures) => sum + of(figures), 0) / each.length);
  return [
    `Measured on ${recordedAt}: ${each.length} languages. In the mean ${mean(({ clean }) => clean.glyphlift)} of letters are wrong in clean print (plain: ${mean(({ clean }) => clean.tesseract)}) and ${mean(({ worn }) => worn.glyphlift)} in the worn copy (plain: ${mean(({ worn }) => worn.tesseract)}).`,
    '',
    '| language | code | data | clean print | plain | worn copy | plain |',
    '|---|---|---|---|---|---|---|',
    ...each.map(
      ({ name, code, data, clean, worn }) =>
        `| ${name} | \`${code}\` | ${data} | ${cells(clean)} | ${cells(worn)} |`,
    ),
  ].join('\n');
}

const percent = (wrong: number): string => `${wrong.toFixed(1)} %`;
