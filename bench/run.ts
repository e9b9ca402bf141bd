/**
 * `npm run bench`: measures the accuracy, speed and memory of the engine on labeled pictures. Exits with 1 if accuracy has
 * dropped below the recorded baseline, with 2 if it cannot run.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '#ocr';
import { type CaseReport, readPhotographed, readSet, readTurned, type SetReport } from './accuracy.ts';
import {
  BASELINE_FILE,
  type Baseline,
  findDrops,
  readBaseline,
  recordBaseline,
  sharedCases,
  TOLERANCE,
} from './baseline.ts';
import { compileEngine } from './compiled-engine.ts';
import {
  BenchSetupError,
  type Case,
  half,
  loadSets,
  type PictureSet,
  sample,
  separateScripts,
} from './corpus.ts';
import { engineVersion } from './engine-version.ts';
import { Journal } from './journal.ts';
import { f1 } from './measure.ts';
import { gatherTrainedData, type Reader, startEarlier, startPeers } from './peers.ts';
import { PeakMemory } from './process-use.ts';
import { formatQuick, inMinutes, pickQuick } from './quick.ts';
import { formatReport, type LeftOut, type Report } from './report.ts';
import { stopEarly } from './stopping.ts';
import { createSubject } from './subject.ts';
import { checkTesseract, findInstalledData } from './tesseract.ts';
import { measureThroughput } from './throughput.ts';
import { missingLanguages, splitByData } from './trained-data.ts';
import { TURNS, VIEWPOINTS } from './variants.ts';

const HELP = `Measures the engine on labelled pictures, beside the plain tesseract program.

  CORPUS_DIR=<folder> npm run bench -- [options]      without CORPUS_DIR: the small cases in bench/cases

  --quick             about 60 pictures, the hardest and a few ordinary ones of every set, and all of reports, in a few
                      minutes; prints the change against the baseline. For use while working on recognition
  --only NAMES        sets to run, by the start of their names: receipts,pages,screens,reports,real,cases,turned
  --half N            every second picture of each set: 0 or 1; settings are found on 0 and reported on 1
  --data FOLDER       folder of .traineddata files for pictures in other languages (default: where the installed tesseract
                      keeps its own); pictures in languages without data are left out, and the report says which
  --sample N          at most N pictures of each set, the same ones every time
  --no-tesseract      without the plain program: no ratios
  --thorough          as premium reads: every line with both recognizers
  --peers             beside other free readers too: RapidOCR (needs Python 3.11 or 3.12) and tesseract.js
  --against FOLDER    beside the engine of another checkout that is built
  --no-throughput     without the runs that hold several pictures in flight
  --no-turned         without the turned, tilted and photographed pages
  --json FILE         write every figure to FILE (default .cache/bench/report.json, with --quick .cache/bench/quick.json),
                      and what was read of each picture, as it comes, to FILE.pictures.jsonl
  --resume            go on with a run that was stopped or killed: repeat its command with this option added
  --record            record this run as the baseline of its sets
  --verbose           one line a picture

The exit code is 1 when accuracy is below the baseline by more than the tolerance, and 2 when the bench cannot run.
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    sample: { type: 'string' },
    half: { type: 'string' },
    data: { type: 'string' },
    'no-tesseract': { type: 'boolean', default: false },
    thorough: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    against: { type: 'string' },
    resume: { type: 'boolean', default: false },
    'no-throughput': { type: 'boolean', default: false },
    'no-turned': { type: 'boolean', default: false },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const jsonFile = resolve(options.json ?? `.cache/bench/${options.quick ? 'quick' : 'report'}.json`);

/** Version of the format of the stored results; results of another version are not reused. */
const JOURNAL_FORM = '2';

async function main(): Promise<number> {
  const start = performance.now();
  rejectContradictions();
  const plain = !options['no-tesseract'];
  const tesseract = plain ? await checkTesseract() : null;
  const dataFolder = options.data === undefined ? await findInstalledData() : resolve(options.data);
  const baseline = readBaseline();
  const { upright, turned, leftOut } = selectSets(dataFolder, baseline);
  // Without these options, the plain program uses its own data.
  const gathered = plain && (options.peers || options.data !== undefined);
  const trainedData = gathered ? await gatherTrainedData(options.data) : '';
  if (gathered) process.env.TESSDATA_PREFIX = trainedData;
  const { createEngine: create } = await compileEngine();
  const engine = createSubject(dataFolder === null ? [] : [dataFolder], {
    thorough: options.thorough,
    create,
  });
  const memory = new PeakMemory();
  const onRead = (report: CaseReport) => {
    memory.look(engine.status().pid);
    if (options.verbose) console.log(caseLine(report));
    return memory.peak;
  };
  const others: Reader[] = [];
  try {
    const before = options.against === undefined ? null : await startEarlier(options.against, dataFolder);
    if (before) others.push(before);
    const peers = options.peers ? await startPeers(trainedData) : [];
    others.push(...peers);
    const run = {
      engine: `${engineVersion('.')}${options.thorough ? ' thorough' : ''}`,
      before: options.against === undefined ? 'none' : engineVersion(options.against),
      readers: [...(plain ? ['tesseract'] : []), ...peers.map((peer) => peer.name)].join('; '),
      corpus: resolve(process.env.CORPUS_DIR || 'bench/cases'),
      data: dataFolder ?? 'none',
      form: JOURNAL_FORM,
    };
    const kept = new Journal(`${jsonFile}.pictures.jsonl`, run, { resume: options.resume, onRead });
    const readBefore = kept.size;
    if (readBefore > 0) console.log(`${readBefore} pictures were read before.`);
    stopEarly(() => `Stopped; ${kept.size} pictures are read. Repeat the command with --resume to go on.`);
    await engine.ready();
    await warmUp(engine, [...upright, ...turned]);
    const sets: SetReport[] = [];
    for (const set of upright) {
      console.log(`${set.name}: ${set.cases.length} pictures`);
      sets.push(await readSet(engine, set, { plain, before, peers }, kept));
    }
    for (const set of turned) {
      console.log(
        `${set.name}: ${set.cases.length} pictures, each turned and tilted in ${TURNS.length} ways`,
      );
      sets.push(await readTurned(engine, set, kept));
      console.log(`${set.name}: the same, photographed from ${Object.keys(VIEWPOINTS).length} viewpoints`);
      sets.push(await readPhotographed(engine, set, kept));
    }
    const withThroughput = !options['no-throughput'] && !options.quick;
    const throughput = withThroughput ? await runThroughput(engine, upright, plain) : null;
    memory.look(engine.status().pid);
    const report: Report = {
      at: new Date().toISOString(),
      machine: {
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: cpus().length,
        load: loadavg()[0] ?? 0,
        node: process.version,
        tesseract,
      },
      sets,
      leftOut,
      throughput,
      peakMemory: kept.highest(memory.peak),
    };
    writeJson(report);
    const quickTable = options.quick ? formatQuick(sets, baseline) : null;
    console.log(`\n${formatReport(report, quickTable)}`);
    const exitCode = judge(report, baseline);
    const inAll = readBefore > 0 ? `, without the ${readBefore} pictures that were read before` : '';
    console.log(`Took ${inMinutes(performance.now() - start)}${inAll}.`);
    return exitCode;
  } finally {
    await Promise.all([engine, ...others].map((reader) => reader.close()));
  }
}

function rejectContradictions(): void {
  if (options.peers && options['no-tesseract']) {
    throw new BenchSetupError('--peers does not go with --no-tesseract.');
  }
  if (options.thorough && options.record) {
    throw new BenchSetupError('The baseline is of the free reading: --record does not go with --thorough.');
  }
  if (options.record && (options.quick || options.sample !== undefined || options.half !== undefined)) {
    throw new BenchSetupError(
      'The baseline is of whole sets: --record goes without --quick, --sample and --half.',
    );
  }
  if (options.quick && options.sample !== undefined) {
    throw new BenchSetupError('--quick picks by itself: it does not go with --sample.');
  }
}

/** `turned`: the labeled pages that are also read rotated and photographed. */
function selectSets(
  dataFolder: string | null,
  baseline: Baseline | null,
): { upright: PictureSet[]; turned: PictureSet[]; leftOut: LeftOut[] } {
  const wanted = options.only?.split(',').map((name) => name.trim());
  const size = options.sample === undefined ? undefined : Number(options.sample);
  if (size !== undefined && !(Number.isInteger(size) && size > 0)) {
    throw new BenchSetupError('--sample takes a whole number of pictures.');
  }
  const which = options.half === undefined ? undefined : Number(options.half);
  if (which !== undefined && which !== 0 && which !== 1) throw new BenchSetupError('--half takes 0 or 1.');
  const isAsked = ({ name }: PictureSet) => wanted?.some((start) => name.startsWith(start)) ?? true;
  const pick = (set: PictureSet) =>
    options.quick ? pickQuick(set, baseline?.sets[set.name]) : sample(set, size);
  const whole = loadSets(process.env.CORPUS_DIR || undefined);
  const { readable, leftOut } = splitByData(whole, dataFolder);
  const all = separateScripts(readable.map((set) => half(set, which)))
    .map(pick)
    .filter((set) => set.cases.length > 0);
  const upright = all.filter(isAsked);
  const turn = !options['no-turned'] && !options.quick && (wanted === undefined || wanted.includes('turned'));
  const turned = turn ? all.filter((set) => set.name === 'pages') : [];
  if (upright.length + turned.length === 0) {
    throw new BenchSetupError(
      `No set of that name. There are: ${all.map((set) => set.name).join(', ')}, turned.`,
    );
  }
  return {
    upright,
    turned,
    leftOut: separateScripts(leftOut)
      .filter((set) => isAsked(set) && set.cases.length > 0)
      .map(({ name, cases }) => ({
        set: name,
        pictures: cases.length,
        languages: [...new Set(cases.flatMap((one) => missingLanguages(one, dataFolder)))].sort(),
      })),
  };
}

/** Reads a picture whose time does not count, because code is not compiled yet. */
async function warmUp(engine: Engine, sets: readonly PictureSet[]): Promise<void> {
  const [first] = sets.flatMap(({ cases }) => cases).filter(isPlainPicture);
  if (first) await engine.recognize(Uint8Array.from(await readFile(first.file)));
}

/** Whether a case is neither a document nor a file that may be rejected. */
const isPlainPicture = ({ page, accepted }: Case) => page === undefined && !accepted?.failure;

async function runThroughput(engine: Engine, sets: readonly PictureSet[], plain: boolean) {
  const pictures = sets.map((set) => ({ ...set, cases: set.cases.filter(isPlainPicture) }));
  const files = pictures.flatMap((set) => sample(set, 8).cases.map((one) => one.file));
  if (files.length === 0) return null;
  console.log(`throughput: ${files.length} pictures`);
  return measureThroughput(engine, files, { plain });
}

function caseLine({ name, engine, plain, before, peers }: CaseReport): string {
  const figures = `F1 ${f1(engine.counts).toFixed(3)}  CER ${engine.cer.toFixed(3)}  ${(engine.milliseconds / 1000).toFixed(2)} s`;
  const beside = plain ? `   plain: F1 ${f1(plain.counts).toFixed(3)}  CER ${plain.cer.toFixed(3)}` : '';
  const others = Object.entries({ ...(before && { before }), ...peers }).map(
    ([reader, { counts, milliseconds }]) =>
      `   ${reader}: F1 ${f1(counts).toFixed(3)} ${(milliseconds / 1000).toFixed(2)} s`,
  );
  return `  ${name.padEnd(20)} ${figures}${beside}${others.join('')}`;
}

function writeJson(report: Report): void {
  mkdirSync(dirname(jsonFile), { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify(report, null, 1)}\n`);
}

/** Returns the exit code: 1 if a figure dropped below the baseline by more than its tolerance. */
function judge(report: Report, baseline: Baseline | null): number {
  if (options.record) {
    recordBaseline(report.sets, new Date(report.at));
    console.log(`Recorded as the baseline in ${BASELINE_FILE}.`);
    return 0;
  }
  if (!baseline) {
    console.log('No baseline is recorded yet; --record makes this run the baseline.');
    return 0;
  }
  const otherData = report.sets.flatMap((set) => sharedCases(set, baseline).withOtherData);
  if (otherData.length > 0) {
    console.log(
      `Not compared, because the baseline was recorded with other trained data: ${otherData.join(', ')}.`,
    );
  }
  const drops = findDrops(report.sets, baseline);
  for (const { set, figure, was, is } of drops) {
    console.error(
      `Worse than the baseline of ${baseline.recordedAt}: ${set}, ${figure} ${was.toFixed(4)} → ${is.toFixed(4)}`,
    );
  }
  if (drops.length === 0) {
    console.log(
      `No worse than the baseline of ${baseline.recordedAt} (word F1 within ${TOLERANCE.f1}, CER within ${TOLERANCE.cer}).`,
    );
  }
  return drops.length > 0 ? 1 : 0;
}

try {
  if (options.help) console.log(HELP);
  else process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BenchSetupError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
