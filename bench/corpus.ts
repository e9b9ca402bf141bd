/** Loads the labeled pictures: a corpus outside the repository, or the repository's small cases. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Alternatives, withoutNotes } from './truth-notes.ts';

export interface Case {
  /** Unique within its set, such as `025` or `twocol`. */
  name: string;
  file: string;
  /** The ground-truth text in reading order. */
  truth: string;
  /** The ground truth is in capitals whatever the picture shows, so characters are compared without case. */
  foldCase: boolean;
  /** Languages of the reading; English by default. */
  languages?: readonly string[];
  /** Text without spaces: characters are counted instead of words. */
  byLetter?: boolean;
  /** The ground truth has no meaningful order. */
  unordered?: boolean;
  /** Measured by exact tokens, with case and punctuation. */
  exact?: boolean;
  /** Accepted results besides the ground truth. */
  accepted?: Alternatives;
  /** The page of a document. */
  page?: number;
  /** Hash of the trained data; absent if the built-in English suffices. */
  data?: string;
}

export interface PictureSet {
  name: string;
  cases: Case[];
}

/** The set of small cases from bug reports. Some of its files are documents or deliberately unreadable. */
export const REPORTS = 'reports';

/** A problem that the user must fix before the benchmark can run. */
export class BenchSetupError extends Error {
  override name = 'BenchSetupError';
}

const OWN_CASES = fileURLToPath(new URL('./cases', import.meta.url));
const PICTURES = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif', '.bmp', '.tif', '.tiff']);
const DOCUMENT = '.pdf';

/**
 * The sets of `corpus`, or the repository's own cases if it is undefined.
 * Receipts for training are left out, because the weights were trained on them.
 * @throws {BenchSetupError} if the folder cannot be read or has no labeled picture
 */
export function loadSets(corpus: string | undefined): PictureSet[] {
  if (corpus === undefined) return [{ name: 'cases', cases: textCases(OWN_CASES) }];
  try {
    accessSync(corpus, constants.R_OK | constants.X_OK);
    if (!statSync(corpus).isDirectory()) throw new Error('not a folder');
  } catch {
    throw new BenchSetupError(
      `CORPUS_DIR=${corpus} is not a folder that can be read. Leave CORPUS_DIR out to run the small cases in bench/cases.`,
    );
  }
  const sets = [
    { name: 'receipts-tuning', cases: receiptCases(join(corpus, 'receipts/tuning')) },
    { name: 'receipts-validation', cases: receiptCases(join(corpus, 'receipts/validation')) },
    { name: 'pages', cases: textCases(join(corpus, 'pages')) },
    { name: 'screens', cases: textCases(join(corpus, 'screens')) },
    { name: REPORTS, cases: reportCases(join(corpus, 'reports')) },
    ...realSets(join(corpus, 'real')),
  ].filter((set) => set.cases.length > 0);
  if (sets.length === 0) {
    throw new BenchSetupError(
      `CORPUS_DIR=${corpus} holds no labelled pictures: expected receipts/{tuning,validation}, pages, screens, reports or real.`,
    );
  }
  return sets;
}

/** At most `count` cases, evenly distributed over the set, so that a sample is the same in every run. */
export function sample(set: PictureSet, count: number | undefined): PictureSet {
  if (count === undefined || count >= set.cases.length) return set;
  const step = set.cases.length / count;
  return { ...set, cases: Array.from({ length: count }, (_, i) => set.cases[Math.floor(i * step)]!) };
}

/**
 * Every second picture by name, starting at the first or the second. Settings are tuned on one half, and results are reported
 * on the other.
 */
export function half(set: PictureSet, which: number | undefined): PictureSet {
  if (which === undefined) return set;
  return { ...set, cases: set.cases.filter((_, i) => i % 2 === which) };
}

/**
 * Moves real pictures in other scripts and in Fraktur to separate sets, because their results say nothing about their kind of
 * picture. Applied after `half`, so that the halves stay the same.
 */
export function separateScripts(sets: readonly PictureSet[]): PictureSet[] {
  const apart: PictureSet[] = [
    { name: 'real-fraktur', cases: [] },
    { name: 'real-other-scripts', cases: [] },
  ];
  const [fraktur, others] = apart as [PictureSet, PictureSet];
  const rest = sets.map((set) => {
    if (!set.name.startsWith('real-')) return set;
    const placeOf = ({ languages = [] }: Case) => {
      if (languages.includes('frk')) return fraktur;
      return languages.every(isLatin) ? null : others;
    };
    for (const one of set.cases) placeOf(one)?.cases.push(one);
    return { ...set, cases: set.cases.filter((one) => placeOf(one) === null) };
  });
  return [...rest, ...apart];
}

/** Whether the language with a tesseract code such as `chi_sim` is written in Latin script. */
const isLatin = (code: string) =>
  (new Intl.Locale(code.split('_')[0] ?? code).maximize().script ?? 'Latn') === 'Latn';

/** The sets of real pictures, one per folder. A table in the corpus' README has the language of each picture. */
function realSets(folder: string): PictureSet[] {
  const table = join(folder, 'README.md');
  if (!existsSync(table)) return [];
  const rows = readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const kinds = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return kinds
    .map(({ name: kind }) => ({
      name: `real-${kind}`,
      cases: textCases(join(folder, kind)).map((one) => {
        const [, , , language = 'eng', ordered] =
          rows.find((row) => row[1] === kind && row[2] === one.name) ?? [];
        const languages = codesOf(language);
        return {
          ...one,
          languages,
          byLetter: languages.some((code) => /^(?:chi|jpn|kor|tha)/.test(code)),
          unordered: ordered === 'no',
        };
      }),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Parses entries such as `kor+eng`, `deu (Fraktur)`, `jpn (vertical)` and `fra (17th c.)`. */
function codesOf(language: string): string[] {
  if (language.includes('(Fraktur)')) return ['frk'];
  const codes = language.split(' ')[0]!.split('+');
  return language.includes('(vertical)') ? codes.map((code) => `${code}_vert`) : codes;
}

/** Pictures with a text file of the same name; others have no ground truth and are skipped. */
function textCases(folder: string): Case[] {
  return pictures(folder).flatMap(({ name, file }) => {
    const text = join(folder, `${name}.txt`);
    return existsSync(text) ? [{ name, file, truth: readFileSync(text, 'utf8'), foldCase: false }] : [];
  });
}

function receiptCases(folder: string): Case[] {
  return pictures(folder).flatMap(({ name, file }) => {
    const label = join(folder, `${name}.json`);
    if (!existsSync(label)) return [];
    const { lines } = JSON.parse(readFileSync(label, 'utf8')) as { lines: { text: string }[] };
    return [{ name, file, truth: lines.map((line) => line.text).join('\n'), foldCase: true }];
  });
}

function reportCases(folder: string): Case[] {
  return pictures(folder, [DOCUMENT]).flatMap(({ name, file }) => {
    const label = join(folder, `${name}.txt`);
    if (!existsSync(label)) return [];
    const { text: truth, accepted } = withoutNotes(readFileSync(label, 'utf8'));
    const isDocument = extname(file).toLowerCase() === DOCUMENT;
    return [{ name, file, truth, foldCase: false, exact: true, accepted, ...(isDocument && { page: 1 }) }];
  });
}

function pictures(folder: string, further: readonly string[] = []): { name: string; file: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => {
      const extension = extname(entry).toLowerCase();
      return PICTURES.has(extension) || further.includes(extension);
    })
    .sort()
    .map((entry) => ({ name: entry.slice(0, -extname(entry).length), file: join(folder, entry) }));
}
