/**
 * `npm run bench:languages`: compares the accuracy of the engine with plain tesseract in each language, checks that every
 * installed or pinned language can be used, and measures the cost of languages. Pictures are rendered with Debian's Noto fonts
 * (fonts-noto-core, fonts-noto-cjk); tesseract-ocr-all has the data of all languages. The texts are the first articles of the
 * Universal Declaration of Human Rights, for some languages with a few more sentences.
 */
import { execFile } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import {
  createEngine,
  describeLanguage,
  type Engine,
  LanguageFetcher,
  npmPackages,
  OcrError,
  type PackageSource,
} from '#ocr';
import { CONDITIONS, type Condition, draw, missingFonts, type Sample } from './languages/draw.ts';
import { type LanguageFigures, recordFigures, writeTable } from './languages/record.ts';
import { characterErrorRate } from './measure.ts';

const HELP = `Reads drawn texts of many scripts, loads every installed language, and measures what languages cost.

  npm run bench:languages -- [options]

  --data FOLDER     folder of .traineddata files (default /usr/share/tesseract-ocr/5/tessdata)
  --pinned FOLDER   first have every language that is pinned fetched into this folder as a server does, one after another:
                    each is checked by its hash, and where it is there its data is read with, not that of --data
  --packages FOLDER with --pinned: take packages that npm pack has laid there, and ask no registry
  --only CODES      languages to fetch and to read, such as ara,jpn
  --keep FOLDER     write the drawn pictures and what was read of them there
  --record          write the figures into src/web/features/languages/figures.json and docs/benchmark.md
  --no-read, --no-load, --no-cost    leave a part out
`;
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '/usr/share/tesseract-ocr/5/tessdata' },
    pinned: { type: 'string' },
    packages: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'string' },
    record: { type: 'boolean', default: false },
    'no-read': { type: 'boolean', default: false },
    'no-load': { type: 'boolean', default: false },
    'no-cost': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Maximum character error rate without white space; a language above it fails. */
const MAX_ERRORS = 0.05;
/** Scripts in which a line break is no space. */
const UNSPACED = new Set(['Jpan', 'Hans', 'Hant', 'Thai']);

const only = options.only?.split(',');
const isRequested = (code: string) => !only || only.includes(code);
/** The first folder that has a language provides its data. */
const folders = options.pinned === undefined ? [options.data] : [options.pinned, options.data];

const run = promisify(execFile);
const here = (name: string) => new URL(name, import.meta.url);
const small = () => new Uint8Array(readFileSync(here('cases/tiny.png')));

function openEngine() {
  return createEngine({
    maxPixels: 200e6,
    queueLimit: 100,
    premiumReserve: 0,
    timeoutMs: 120_000,
    languageDirs: folders,
    recycleAfter: Number.MAX_SAFE_INTEGER,
  });
}

interface Score {
  /** Character error rate with white space folded to one space. */
  text: number;
  /** Character error rate without white space. */
  letters: number;
}

function score(read: string, { language, paragraphs }: Sample): Score {
  const lineEnd = UNSPACED.has(describeLanguage(language).script) ? '' : ' ';
  const foldSpaces = (text: string) =>
    normalizeApostrophes(text)
      .trim()
      .replace(/\s*\n\s*/g, lineEnd);
  const withoutSpaces = (text: string) => normalizeApostrophes(text).replace(/\s+/g, '');
  const truth = paragraphs.join('\n');
  return {
    text: characterErrorRate(foldSpaces(read), foldSpaces(truth)),
    letters: characterErrorRate(withoutSpaces(read), withoutSpaces(truth)),
  };
}

/** Makes all apostrophes straight, because their form depends on the keyboard. */
const normalizeApostrophes = (text: string): string => text.normalize('NFC').replace(/[‘’ʻʼ]/g, "'");

async function readScripts(engine: Engine): Promise<number> {
  const all = JSON.parse(readFileSync(here('languages/texts.json'), 'utf8')) as Sample[];
  const samples = all.filter(({ language }) => isRequested(language));
  const missing = missingFonts(samples);
  if (missing.length > 0) throw new Error(`These fonts are not installed: ${missing.join(', ')}.`);
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'glyphlift-scripts-'));
  mkdirSync(folder, { recursive: true });
  const format = ({ text, letters }: Score) => `${text.toFixed(3)} ${letters.toFixed(3)}`;
  console.log(
    'language  script  picture   engine: text letters   tesseract: text letters   confidence  hidden     ms',
  );
  let failed = 0;
  const sums = { engine: 0, plain: 0, pictures: 0 };
  const figures: Record<string, LanguageFigures> = {};
  for (const sample of samples) {
    const { script } = describeLanguage(sample.language);
    const wrong: Partial<Pick<LanguageFigures, Condition>> = {};
    for (const condition of CONDITIONS) {
      const { ours, plain, confidence, hidden, milliseconds } = await readBoth(
        engine,
        sample,
        condition,
        folder,
      );
      console.log(
        `${sample.language.padEnd(9)} ${script.padEnd(7)} ${condition.padEnd(9)} ${format(ours).padStart(20)} ${format(plain).padStart(26)} ${confidence.toFixed(2).padStart(12)} ${String(hidden).padStart(7)} ${String(Math.round(milliseconds)).padStart(6)}`,
      );
      sums.engine += ours.letters;
      sums.plain += plain.letters;
      sums.pictures++;
      if (ours.letters > MAX_ERRORS) failed++;
      wrong[condition] = { glyphlift: percentOf(ours.letters), tesseract: percentOf(plain.letters) };
    }
    figures[sample.language] = {
      data: isPackaged(sample.language) ? 'package' : 'system',
      ...(wrong as Pick<LanguageFigures, Condition>),
    };
  }
  const mean = (sum: number) => (sum / sums.pictures).toFixed(4);
  console.log(
    `${samples.length} languages; mean error of letters: engine ${mean(sums.engine)}, tesseract ${mean(sums.plain)}; above ${MAX_ERRORS}: ${failed} of ${sums.pictures}`,
  );
  if (options.keep === undefined) rmSync(folder, { recursive: true });
  if (options.record) writeTable(recordFigures(figures, new Date()));
  return failed;
}

const percentOf = (share: number): number => Math.round(share * 1000) / 10;

/** The folder with a language's data. @throws if no folder has it */
function dataOf(language: string): string {
  const found = folders.find((folder) => existsSync(join(folder, `${language}.traineddata`)));
  if (found !== undefined) return found;
  throw new Error(`No folder holds data for ${language}: ${folders.join(', ')}.`);
}

const isPackaged = (language: string): boolean => language === 'eng' || dataOf(language) === options.pinned;

/** Downloads every pinned language as a server does. @returns the number of failures */
async function fetchPinned(folder: string): Promise<number> {
  const fetcher = new LanguageFetcher({ folder, ...packageSources() });
  const codes = (await fetcher.codes()).filter(isRequested);
  let failed = 0;
  for (const code of codes) {
    try {
      await fetcher.fetch(code);
    } catch (error) {
      failed++;
      console.log(`${code}: ${error instanceof Error ? error.message : error}`);
    }
  }
  await fetcher.close();
  console.log(`${codes.length} languages pinned: ${codes.length - failed} fetched and as they are pinned\n`);
  return failed;
}

/** Option `--packages`: a folder of packages that replaces the server's sources. */
function packageSources(): { sources?: PackageSource[] } {
  const { packages } = options;
  if (packages === undefined) return {};
  const source: PackageSource = {
    ...npmPackages(),
    async open(code, version) {
      const archive = join(packages, `tesseract.js-data-${code}-${version}.tgz`);
      if (!existsSync(archive)) throw new Error(`${packages} holds no package of ${code}`);
      return createReadStream(archive);
    },
  };
  return { sources: [source] };
}

async function readBoth(engine: Engine, sample: Sample, condition: Condition, folder: string) {
  const file = join(folder, `${sample.language}-${condition}.png`);
  const picture = await draw(sample, condition);
  writeFileSync(file, picture);
  const { text, confidence, hidden, durationMs } = await engine.recognize(new Uint8Array(picture), {
    languages: [sample.language],
  });
  const vertical = describeLanguage(sample.language).vertical;
  const plain = await run(
    'tesseract',
    [
      file,
      '-',
      '-l',
      sample.language,
      '--tessdata-dir',
      dataOf(sample.language),
      '--psm',
      vertical ? '5' : '3',
    ],
    { env: { ...process.env, OMP_THREAD_LIMIT: '1' } },
  );
  if (options.keep !== undefined) {
    writeFileSync(file.replace(/png$/, 'txt'), `${text}\n\n----\n\n${plain.stdout}`);
  }
  return {
    ours: score(text, sample),
    plain: score(plain.stdout, sample),
    confidence,
    hidden: hidden.length,
    milliseconds: durationMs,
  };
}

/** Reads a small picture in every language: its data must load or be rejected with a reason. */
async function loadEach(engine: Engine): Promise<number> {
  const languages = (await engine.languages()).filter(({ code }) => isRequested(code));
  const refused: string[] = [];
  let broken = 0;
  const times: number[] = [];
  for (const { code } of languages) {
    try {
      const { durationMs } = await engine.recognize(small(), { languages: [code], filter: false });
      times.push(durationMs);
    } catch (error) {
      if (error instanceof OcrError && error.code === 'language_unavailable') refused.push(code);
      else {
        broken++;
        console.log(`${code}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  times.sort((a, b) => a - b);
  console.log(
    `\n${languages.length} languages and scripts: ${times.length} read, ${refused.length} refused by name${refused.length > 0 ? ` (${refused.join(', ')})` : ''}, ${broken} broken; loading and reading took ${Math.round(times[times.length >> 1] ?? 0)} ms in the median, ${Math.round(times.at(-1) ?? 0)} ms at most`,
  );
  return broken;
}

/** Language sets that are loaded one after another in a new process. */
const SETS = [
  ['eng'],
  ['deu'],
  ['deu', 'eng'],
  ['fra', 'deu', 'eng'],
  ['rus'],
  ['ara'],
  ['jpn'],
  ['chi_sim', 'eng'],
];

async function measureCost(): Promise<void> {
  const engine = openEngine();
  try {
    await engine.ready();
    const installed = new Set((await engine.languages()).map(({ code }) => code));
    console.log('\nset              first picture  next picture   resident after it');
    const read = async (languages: string[]) =>
      (await engine.recognize(small(), { languages, filter: false })).durationMs;
    await read(['eng']);
    for (const set of SETS.filter((each) => each.every((code) => installed.has(code)))) {
      const first = await read(set);
      const next = Math.min(await read(set), await read(set), await read(set));
      console.log(
        `${set.join('+').padEnd(16)} ${`${Math.round(first)} ms`.padStart(13)} ${`${Math.round(next)} ms`.padStart(13)} ${residentOf(engine.status().pid).padStart(19)}`,
      );
    }
  } finally {
    await engine.close();
  }
}

function residentOf(pid: number | undefined): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return `${Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)} MB`;
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  let failures = 0;
  if (options.pinned !== undefined) failures += await fetchPinned(options.pinned);
  const engine = openEngine();
  try {
    await engine.ready();
    if (!options['no-read']) failures += await readScripts(engine);
    if (!options['no-load']) failures += await loadEach(engine);
  } finally {
    await engine.close();
  }
  if (!options['no-cost']) await measureCost();
  return failures === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
