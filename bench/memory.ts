/**
 * `npm run bench:memory`: many pictures in a row through one engine.
 * Exits with 1 when the recogniser holds more than 1.1 times the memory at the end that it held after the first tenth.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { BenchSetupError, loadSets } from './corpus.ts';
import { PeakMemory } from './process-use.ts';
import { createSubject } from './subject.ts';

const { values: options } = parseArgs({
  options: { pictures: { type: 'string', default: '500' }, growth: { type: 'string', default: '1.1' } },
});

/** Resident memory swings by whole pictures: the least of the last few readings is what is held for good. */
const SETTLED_OVER = 10;

async function main(): Promise<number> {
  const total = Number(options.pictures);
  const files = loadSets(process.env.CORPUS_DIR || undefined).flatMap((set) =>
    set.cases.map((one) => one.file),
  );
  const engine = createSubject();
  const peak = new PeakMemory();
  const recent: number[] = [];
  const settled = () => Math.min(...recent);
  let early = Number.NaN;
  try {
    await engine.ready();
    for (let i = 1; i <= total; i++) {
      await engine.recognise(Uint8Array.from(await readFile(files[i % files.length]!)));
      const use = peak.look(engine.status().pid);
      if (!use) throw new BenchSetupError('No recognising process was found: this measure needs Linux.');
      recent.push(use.resident);
      if (recent.length > SETTLED_OVER) recent.shift();
      if (i === Math.ceil(total / 10)) early = settled();
      if (i % Math.ceil(total / 10) === 0)
        console.log(`after ${i} pictures: ${megabytes(settled())}, peak ${megabytes(peak.peak ?? 0)}`);
    }
    const growth = settled() / early;
    console.log(`Growth from the first tenth to the end: ${growth.toFixed(2)}`);
    return growth > Number(options.growth) ? 1 : 0;
  } finally {
    await engine.close();
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BenchSetupError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
