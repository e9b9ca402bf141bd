/**
 * `npm run bench:program [-- PICTURES]`: the time to the first text of `glyphlift read`, and the speed of all cores over one.
 * Measures the built program as it is packed, on ordinary pages of sixteen lines.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sheet } from '../tests/support/pictures.ts';

const program = join(import.meta.dirname, '..', 'dist', 'node', 'program', 'main.js');
const pictures = Number(process.argv[2] ?? 100);
const STARTS = 5;

/** Milliseconds until its first output, and until its end. */
function timed(args: readonly string[]): Promise<{ first: number; all: number }> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let first = Number.NaN;
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', () => {
      if (Number.isNaN(first)) first = performance.now() - began;
    });
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve({ first, all: performance.now() - began });
      else reject(new Error(`it ended with ${status}`));
    });
  });
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
} finally {
  await rm(folder, { recursive: true });
}
