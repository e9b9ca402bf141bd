/**
 * `npm run bench:memory`: measures the memory of an engine over many pictures, and the peak for a large picture. Exits with 1
 * if an engine that is never replaced grows by more than the limit from the first to the last quarter.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { BenchSetupError, loadSets, REPORTS, sample } from './corpus.ts';
import { growthOf, PeakMemory, quarterOf } from './process-use.ts';
import { createSubject } from './subject.ts';

const HELP = `Measures the memory of the process that recognizes.

  CORPUS_DIR=<folder> npm run bench:memory -- [options]      without CORPUS_DIR: the small cases in bench/cases

  --pictures N        pictures in a row (default 500), once in one process and once with processes that are replaced
  --recycle N         pictures after which a process is replaced in the second run (default 500, as in the product);
                      0 for the first run alone
  --growth N          what the last quarter may hold over the first, in one process (default 1.1)
  --megapixels N      size of the single large picture (default 35); 0 for none
`;

const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: '500' },
    recycle: { type: 'string', default: '500' },
    growth: { type: 'string', default: '1.1' },
    megapixels: { type: 'string', default: '35' },
    help: { type: 'boolean', default: false },
  },
});

/** Aspect ratio of the page. */
const PROPORTION = 7 / 5;

async function main(): Promise<number> {
  const [total, recycle, megapixels] = [options.pictures, options.recycle, options.megapixels].map(Number);
  if (!(total! >= 20) || Number.isNaN(recycle) || Number.isNaN(megapixels)) {
    throw new BenchSetupError(
      '--pictures takes a number of at least 20, --recycle and --megapixels take numbers.',
    );
  }
  const growth = await readInARow(total!, Number.MAX_SAFE_INTEGER);
  if (recycle! > 0) await readInARow(total!, recycle!);
  if (megapixels! > 0) await readLarge(megapixels! * 1e6);
  return growth > Number(options.growth) ? 1 : 0;
}

/** Memory of the last quarter divided by that of the first. */
async function readInARow(total: number, recycleAfter: number): Promise<number> {
  const files = filesFor(total);
  const engine = createSubject([], { recycleAfter });
  const peak = new PeakMemory();
  const resident: number[] = [];
  const processes = new Set<number>();
  try {
    await engine.ready();
    for (let i = 0; i < total; i++) {
      await engine.recognize(Uint8Array.from(await readFile(files[i % files.length]!)));
      const { pid } = engine.status();
      const use = peak.look(pid);
      // While the process is replaced, no process is running; the next one is measured after its first picture.
      if (use && pid !== undefined) {
        resident.push(use.resident);
        processes.add(pid);
      }
      if ((i + 1) % Math.ceil(total / 10) === 0 && use)
        console.log(`after ${i + 1} pictures: ${megabytes(use.resident)}, peak ${megabytes(peak.peak ?? 0)}`);
    }
  } finally {
    await engine.close();
  }
  if (resident.length === 0)
    throw new BenchSetupError('No recognition process was found: this measure needs Linux.');
  const { early, late, growth } = growthOf(resident);
  const how =
    recycleAfter === Number.MAX_SAFE_INTEGER
      ? 'one process'
      : `replaced after ${recycleAfter} pictures, ${processes.size} of them`;
  console.log(
    `${total} pictures, ${how}: median ${megabytes(early)} in the first quarter once warm, ${megabytes(late)} in the last, ${growth.toFixed(3)} times; peak ${megabytes(peak.peak ?? 0)}`,
  );
  return growth;
}

/** Files of which each quarter has the same pictures, a proportional part of every set. */
function filesFor(total: number): string[] {
  const sets = loadSets(process.env.CORPUS_DIR || undefined).filter(({ name }) => name !== REPORTS);
  const all = { name: 'all', cases: sets.flatMap((set) => set.cases) };
  return sample(all, quarterOf(total)).cases.map((one) => one.file);
}

/** Reads a page of this size in each format, in a new process for each. */
async function readLarge(pixels: number): Promise<void> {
  const width = Math.round(Math.sqrt(pixels * PROPORTION));
  const height = Math.round(pixels / width);
  const page = await readFile(new URL('./cases/two-columns.png', import.meta.url));
  const large = () => sharp(page).flatten({ background: '#fff' }).resize(width, height, { fit: 'fill' });
  const pictures = [
    ['JPEG', large().jpeg({ quality: 90 })],
    ['PNG', large().png({ compressionLevel: 1 })],
    ['AVIF', large().avif({ effort: 0 })],
  ] as const;
  for (const [format, drawn] of pictures) {
    const picture = await drawn.toBuffer();
    const engine = createSubject();
    const peak = new PeakMemory();
    try {
      await engine.ready();
      await engine.recognize(Uint8Array.from(picture));
      peak.look(engine.status().pid);
    } finally {
      await engine.close();
    }
    console.log(`${format} of ${width} × ${height}: peak ${megabytes(peak.peak ?? 0)}`);
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

try {
  if (options.help) console.log(HELP);
  else process.exitCode = await main();
} catch (error) {
  if (!(error instanceof BenchSetupError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
