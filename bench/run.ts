/**
 * `npm run bench`: accuracy, speed and memory of the engine on labelled pictures.
 * Exits with 1 when accuracy has dropped below the recorded baseline, with 2 when it cannot run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '#ocr';
import { type CaseReport, readPhotographed, readSet, readTurned, type SetReport } from './accuracy.ts';
import { BASELINE_FILE, findDrops, readBaseline, recordBaseline, TOLERANCE } from './baseline.ts';
import { apartByScript, BenchSetupError, half, loadSets, type PictureSet, sample } from './corpus.ts';
import { Journal } from './journal.ts';
import { f1 } from './measure.ts';
import { gatherTrainedData, type Reader, startEarlier, startPeers } from './peers.ts';
import { PeakMemory } from './process-use.ts';
import { formatReport, type Report } from './report.ts';
import { createSubject } from './subject.ts';
import { checkTesseract } from './tesseract.ts';
import { measureThroughput } from './throughput.ts';
import { TURNS, VIEWPOINTS } from './variants.ts';

const HELP = `Measures the engine on labelled pictures, beside the plain tesseract program.

  CORPUS_DIR=<folder> npm run bench -- [options]      without CORPUS_DIR: the small cases in bench/cases

  --only NAMES        sets to run, by the start of their names: receipts,pages,screens,real,cases,turned
  --half N            every second picture of each set: 0 or 1; settings are found on 0 and reported on 1
  --data FOLDER       .traineddata files for pictures in other languages; without it those are left out
  --sample N          at most N pictures of each set, the same ones every time
  --no-tesseract      without the plain program: no ratios
  --thorough          as premium reads: every line with both recognisers
  --peers             beside other free readers too: RapidOCR (needs Python 3.11 or 3.12) and tesseract.js
  --against FOLDER    beside the engine of another checkout that is built: what was read before
  --no-throughput     without the runs that hold several pictures in flight
  --no-turned         without the turned, tilted and photographed pages
  --json FILE         write every figure to FILE (default .cache/bench/report.json), and every picture's, as they
                      come, to FILE with .pictures.jsonl behind it
  --resume            go on with the run that was ended on the way, by that file
  --record            record this run as the baseline
  --verbose           one line a picture
`;

const { values: options } = parseArgs({
  options: {
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
    json: { type: 'string', default: '.cache/bench/report.json' },
    record: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<number> {
  const { upright, turned } = selectSets();
  const plain = !options['no-tesseract'];
  if (options.peers && !plain) throw new BenchSetupError('--peers does not go with --no-tesseract.');
  if (options.thorough && options.record) {
    throw new BenchSetupError('The baseline is of the free reading: --record does not go with --thorough.');
  }
  const tesseract = plain ? await checkTesseract() : null;
  // By itself the plain program knows where its own data lies.
  const gathered = plain && (options.peers || options.data !== undefined);
  const trainedData = gathered ? await gatherTrainedData(options.data) : '';
  if (gathered) process.env.TESSDATA_PREFIX = trainedData;
  const engine = createSubject(options.data === undefined ? [] : [resolve(options.data)], {
    thorough: options.thorough,
  });
  const memory = new PeakMemory();
  const onRead = (report: CaseReport) => {
    memory.look(engine.status().pid);
    if (options.verbose) console.log(caseLine(report));
    return memory.peak;
  };
  const others: Reader[] = [];
  try {
    const before = options.against === undefined ? null : await startEarlier(options.against, options.data);
    if (before) others.push(before);
    const peers = options.peers ? await startPeers(trainedData) : [];
    others.push(...peers);
    const run = {
      engine: `${engineOf('.')}${options.thorough ? ' thorough' : ''}`,
      before: options.against === undefined ? 'none' : engineOf(options.against),
      readers: [...(plain ? ['tesseract'] : []), ...peers.map((peer) => peer.name)].join('; '),
      corpus: resolve(process.env.CORPUS_DIR || 'bench/cases'),
    };
    const kept = new Journal(`${resolve(options.json)}.pictures.jsonl`, run, {
      resume: options.resume,
      onRead,
    });
    if (kept.size > 0) console.log(`${kept.size} pictures were read before.`);
    await engine.ready();
    await warmUp(engine, upright[0] ?? turned[0]);
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
    const throughput = options['no-throughput'] ? null : await runThroughput(engine, upright, plain);
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
      throughput,
      peakMemory: kept.highest(memory.peak),
    };
    writeJson(report);
    console.log(`\n${formatReport(report)}`);
    return judge(report);
  } finally {
    await Promise.all([engine, ...others].map((reader) => reader.close()));
  }
}

/** The version of the engine in a checkout, changes that are not committed aside. */
function engineOf(checkout: string): string {
  try {
    const asked = ['rev-parse', 'HEAD:src/ocr'];
    return execFileSync('git', asked, {
      cwd: checkout,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

/** `turned` are the labelled pages again, to be turned and photographed; they are measured against the same pages upright. */
function selectSets(): { upright: PictureSet[]; turned: PictureSet[] } {
  const wanted = options.only?.split(',').map((name) => name.trim());
  const size = options.sample === undefined ? undefined : Number(options.sample);
  if (size !== undefined && !(Number.isInteger(size) && size > 0)) {
    throw new BenchSetupError('--sample takes a whole number of pictures.');
  }
  const which = options.half === undefined ? undefined : Number(options.half);
  if (which !== undefined && which !== 0 && which !== 1) throw new BenchSetupError('--half takes 0 or 1.');
  const whole = loadSets(process.env.CORPUS_DIR || undefined);
  const all = apartByScript(whole.map((set) => half(readable(set), which)))
    .map((set) => sample(set, size))
    .filter((set) => set.cases.length > 0);
  const upright = all.filter(({ name }) => wanted?.some((start) => name.startsWith(start)) ?? true);
  const turn = !options['no-turned'] && (wanted === undefined || wanted.includes('turned'));
  const turned = turn ? all.filter((set) => set.name === 'pages') : [];
  if (upright.length + turned.length === 0) {
    throw new BenchSetupError(
      `No set of that name. There are: ${all.map((set) => set.name).join(', ')}, turned.`,
    );
  }
  return { upright, turned };
}

/** Without the pictures in languages that no data is at hand for. */
function readable(set: PictureSet): PictureSet {
  const isHere = (code: string) =>
    code === 'eng' ||
    (options.data !== undefined && existsSync(resolve(options.data, `${code}.traineddata`)));
  return { ...set, cases: set.cases.filter(({ languages = [] }) => languages.every(isHere)) };
}

/** The first picture pays for code that is not compiled yet; its time is nobody's figure. */
async function warmUp(engine: Engine, set: PictureSet | undefined): Promise<void> {
  const first = set?.cases[0];
  if (first) await engine.recognise(Uint8Array.from(await readFile(first.file)));
}

async function runThroughput(engine: Engine, sets: readonly PictureSet[], plain: boolean) {
  const files = sets.flatMap((set) => sample(set, 8).cases.map((one) => one.file));
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
  const file = resolve(options.json);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
}

/** The exit code: 1 when a figure fell behind the baseline by more than its tolerance. */
function judge(report: Report): number {
  if (options.record) {
    recordBaseline(report.sets, new Date(report.at));
    console.log(`Recorded as the baseline in ${BASELINE_FILE}.`);
    return 0;
  }
  const baseline = readBaseline();
  if (!baseline) {
    console.log('No baseline is recorded yet; --record makes this run the baseline.');
    return 0;
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
