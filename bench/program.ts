/**
 * `npm run bench:program [-- PICTURES]`: measures the time to the first text of `glyphlift read` and the speedup of all cores
 * over one core on pages of sixteen lines, and compares the CPU time of 40 pages, two at once, with two processes of tesseract.
 * With `CORPUS_DIR`, these 40 pages are office pages of the corpus. Measures the built program as it is published.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sheet } from '../tests/support/pictures.ts';
import { processTree } from '../tests/support/supervised.ts';
import { loadSets } from './corpus.ts';
import { cpuTimeOf, cpuTimeOfEndedChildren } from './process-use.ts';
import { checkTesseract, readWithTesseract } from './tesseract.ts';

const program = join(import.meta.dirname, '..', 'dist', 'node', 'program', 'main.js');
const pictures = Number(process.argv[2] ?? 100);
const STARTS = 5;
/** Invoices, papers and pages with a table. */
const OFFICE = ['real-business', 'real-columns-and-papers', 'real-tables'];
const PAGES = 40;
const JOBS = 2;

interface Run {
  /** Milliseconds until the first output. */
  first: number;
  /** Milliseconds until the end. */
  all: number;
  /** CPU time in milliseconds, including the recognition process. */
  computed: number;
}

function timed(args: readonly string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let first = Number.NaN;
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', () => {
      if (Number.isNaN(first)) first = performance.now() - began;
    });
    // The program does not wait for the end of its recognition process, so the system does not add its CPU time to the program's.
    const computed = new Map<number, number>();
    const look = () => {
      for (const pid of processTree(child.pid))
        computed.set(pid, Math.max(computed.get(pid) ?? 0, cpuTimeOf(pid)));
    };
    const looking = setInterval(look, 100);
    child.once('error', reject);
    child.once('close', (status) => {
      clearInterval(looking);
      const sum = [...computed.values()].reduce((total, one) => total + one, 0);
      if (status === 0) resolve({ first, all: performance.now() - began, computed: sum });
      else reject(new Error(`it ended with ${status}`));
    });
  });
}

/** CPU time of the plain program for these files in milliseconds, with the same number of parallel files. */
async function cpuTimeOfTesseract(files: readonly string[]): Promise<number> {
  const before = cpuTimeOfEndedChildren();
  const waiting = [...files];
  const readNext = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await readWithTesseract(file);
  };
  await Promise.all(Array.from({ length: JOBS }, readNext));
  return cpuTimeOfEndedChildren() - before;
}

/** Office pages of the corpus; undefined without a corpus. */
function officePages(): string[] | undefined {
  const corpus = process.env.CORPUS_DIR;
  if (!corpus) return undefined;
  const sets = loadSets(corpus).filter(({ name }) => OFFICE.includes(name));
  return sets.flatMap(({ cases }) => cases.map(({ file }) => file)).slice(0, PAGES);
}

const folder = await mkdtemp(join(tmpdir(), 'glyphlift-bench-'));
try {
  const page = await sheet(16);
  for (let at = 0; at < pictures; at++) await writeFile(join(folder, `page-${at}.png`), page);
  const [one = ''] = [join(folder, 'page-0.png')];
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round++) starts.push((await timed(['read', '-f', 'json', one])).first);
  starts.sort((a, b) => a - b);
  console.log(`first text of one picture after ${Math.round(starts[STARTS >> 1]!)} ms (median of ${STARTS})`);
  const cores = availableParallelism();
  const rates: number[] = [];
  for (const jobs of [1, cores]) {
    const { all } = await timed(['read', '-f', 'json', '-j', String(jobs), folder]);
    rates.push((1_000 * pictures) / all);
    console.log(`${pictures} pictures, ${jobs} at once: ${rates.at(-1)!.toFixed(2)} pictures a second`);
  }
  console.log(`${cores} cores are ${(rates[1]! / rates[0]!).toFixed(2)} times one`);

  const version = await checkTesseract();
  const drawn = Array.from({ length: Math.min(PAGES, pictures) }, (_, at) => join(folder, `page-${at}.png`));
  const pages = officePages() ?? drawn;
  const { computed } = await timed(['read', '-f', 'json', '-j', String(JOBS), ...pages]);
  const plain = await cpuTimeOfTesseract(pages);
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
  console.log(
    `${pages.length} pages, ${JOBS} at once: ${seconds(computed)} s of processor time, tesseract ${version} ${seconds(plain)} s: ${(computed / plain).toFixed(2)} times`,
  );
} finally {
  await rm(folder, { recursive: true });
}
