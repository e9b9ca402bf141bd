/**
 * `npm run bench:device`: compares the engine in Chromium with the server's on the same pictures, alternately, so that other
 * load affects both. A slower device is simulated by stopping the page's process for a part of each interval; the server is
 * not slowed down.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEngine, type Engine } from '#ocr';
import { type DevicePage, openDevicePage } from '../tests/support/device-page.ts';
import { densePhotograph } from '../tests/support/pictures.ts';
import { between, day, type Machine, machineInWords, table } from './generated-page.ts';
import { percentile } from './measure.ts';
import { memoryOf } from './process-use.ts';

const HELP = `Measures reading on the visitor's own device.

  npm run bench:device -- [options]

  --threads LIST     recognizers at work at once (1,2,4); the product has at most two
  --slowdown LIST    how many times slower the device is (1,4)
  --rounds N         readings of each picture (2)
  --pictures FOLDER  what is read (bench/cases)
  --dense off        leave the photograph of 12 megapixels out
  --isolated LIST    whether the page is isolated from other origins, as in Chromium, where the detector has several threads,
                     or not, as in other browsers (on,off)
  --record           record this run, and write it into docs/benchmark.md
`;

const { values: options } = parseArgs({
  options: {
    threads: { type: 'string', default: '1,2,4' },
    slowdown: { type: 'string', default: '1,4' },
    rounds: { type: 'string', default: '2' },
    pictures: { type: 'string', default: path.join(import.meta.dirname, 'cases') },
    dense: { type: 'string', default: 'on' },
    isolated: { type: 'string', default: 'on,off' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const RECORD = fileURLToPath(new URL('./device.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../docs/benchmark.md', import.meta.url));
/** Milliseconds of one interval, in which the process is stopped and continued. */
const INTERVAL = 40;
const PICTURE = /\.(png|jpe?g|webp|gif|bmp)$/i;

/** Milliseconds. */
interface Times {
  median: number;
  p95: number;
}

interface Row {
  threads: number;
  isolated: boolean;
  slowdown: number;
  readings: number;
  /** Milliseconds of the first reading, including the start of the engine. */
  first: number;
  device: Times;
  server: Times;
  /** Median over the pictures of the device's time divided by the server's. */
  ratio: number;
  /** Peak memory of the page's process in bytes; null if the system does not report it. */
  peak: number | null;
  /** Longest task of the page's main thread in milliseconds; 0 if none took 50 ms, null if the process was slowed down. */
  longestTask: number | null;
}

interface DeviceReport {
  recordedAt: string;
  machine: Machine;
  pictures: number;
  rows: Row[];
  /** The rows of the photograph, read in a separate page. */
  dense: Row[];
}

const numbersOf = (list: string) => list.split(',').map(Number);

async function main(): Promise<void> {
  const pictures = readdirSync(options.pictures)
    .filter((name) => PICTURE.test(name))
    .map((name) => new Uint8Array(readFileSync(path.join(options.pictures, name))));
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    load: loadavg()[0] ?? 0,
    node: process.version,
  };
  const engine = createEngine({
    maxPixels: 100_000_000,
    concurrency: 2,
    queueLimit: 10,
    premiumReserve: 0,
    timeoutMs: 300_000,
    languageDirs: [],
  });
  const startedAt = performance.now();
  const report: DeviceReport = {
    recordedAt: new Date().toISOString(),
    machine,
    pictures: pictures.length,
    rows: [],
    dense: [],
  };
  try {
    await engine.ready();
    for (const threads of numbersOf(options.threads)) {
      for (const slowdown of numbersOf(options.slowdown)) {
        const rows = await measurePages(engine, pictures, {
          threads,
          slowdown,
          rounds: Number(options.rounds),
        });
        report.rows.push(...rows);
        for (const row of rows) console.log(JSON.stringify(row));
      }
      if (options.dense === 'off') continue;
      const dense = await measurePages(engine, [await densePhotograph()], {
        threads,
        slowdown: 1,
        rounds: 1,
        cold: true,
      });
      report.dense.push(...dense);
      for (const row of dense) console.log(JSON.stringify(row));
    }
  } finally {
    await engine.close();
  }
  console.log(tables(report));
  console.log(`This took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
  if (!options.record) return;
  writeFileSync(RECORD, `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(PAGE, between(readFileSync(PAGE, 'utf8'), 'device', tables(report)));
  console.log('Recorded, and written into docs/benchmark.md.');
}

interface PageOptions {
  threads: number;
  slowdown: number;
  rounds: number;
  /** Whether the first reading counts too. */
  cold?: boolean;
}

interface Measured {
  isolated: boolean;
  device: DevicePage;
  pid: number;
  /** Milliseconds of the first reading. */
  first: number;
  longestTask: number;
  times: number[];
}

/** Reads the pictures in each page, alternating with the server for each picture. */
async function measurePages(
  server: Engine,
  pictures: readonly Uint8Array[],
  { threads, slowdown, rounds, cold = false }: PageOptions,
): Promise<Row[]> {
  const pages: Measured[] = [];
  const speedUps: (() => void)[] = [];
  const serverTimes: number[] = [];
  try {
    for (const isolated of options.isolated.split(',').map((word) => word === 'on')) {
      const device = await openDevicePage({ threads, isolated });
      const pid = await rendererOf(device);
      const page = { isolated, device, pid, first: 0, longestTask: 0, times: [] };
      pages.push(page);
      speedUps.push(slowDown(pid, slowdown));
      if (!cold) page.first = await timed(page, pictures[0]!);
    }
    for (let round = 0; round < rounds; round++) {
      for (const picture of pictures) {
        for (const page of pages) page.times.push(await timed(page, picture));
        const before = performance.now();
        await server.recognize(picture.slice(), { languages: ['eng'], filter: true });
        serverTimes.push(performance.now() - before);
      }
    }
    return pages.map(({ isolated, pid, first, longestTask, times }) => ({
      threads,
      isolated,
      slowdown,
      readings: times.length,
      first: cold ? times[0]! : first,
      device: timesOf(times),
      server: timesOf(serverTimes),
      ratio: percentile(
        times.map((own, at) => own / serverTimes[at]!),
        0.5,
      ),
      peak: memoryOf(pid)?.peak ?? null,
      longestTask: slowdown > 1 ? null : longestTask,
    }));
  } finally {
    for (const speedUp of speedUps) speedUp();
    await Promise.all(pages.map(({ device }) => device.close()));
  }
}

/** Milliseconds of a reading. */
async function timed(page: Measured, picture: Uint8Array): Promise<number> {
  const { milliseconds, longestTask } = await page.device.read(picture, true);
  page.longestTask = Math.max(page.longestTask, longestTask);
  return milliseconds;
}

const timesOf = (all: readonly number[]): Times => ({
  median: percentile(all, 0.5),
  p95: percentile(all, 0.95),
});

function tables({ recordedAt, machine, pictures, rows, dense }: DeviceReport): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
  const both = ({ median, p95 }: Times) => `${seconds(median)}, ${seconds(p95)}`;
  const megabytes = (bytes: number | null) => (bytes === null ? '–' : `${Math.round(bytes / 1e6)} MB`);
  const pageOf = ({ isolated }: Row) => (isolated ? 'isolated' : 'not isolated');
  const longest = (milliseconds: number | null) =>
    milliseconds === null ? '–' : milliseconds === 0 ? 'below 50 ms' : `${Math.round(milliseconds)} ms`;
  return [
    `Measured on ${day(recordedAt)} with ${machineInWords(machine)}, load ${machine.load.toFixed(1)} before it; ${pictures} images of \`bench/cases\`, each ${rows[0]!.readings / pictures} times.`,
    table(
      [
        'recognizers',
        'page',
        'device slower by',
        'device: median, p95',
        'server: median, p95',
        'ratio, median',
        'first reading',
        'peak memory',
        'longest task of the page',
      ],
      rows.map((row) => [
        String(row.threads),
        pageOf(row),
        `${row.slowdown} ×`,
        both(row.device),
        both(row.server),
        row.ratio.toFixed(2),
        seconds(row.first),
        megabytes(row.peak),
        longest(row.longestTask),
      ]),
    ),
    ...(dense.length > 0
      ? [
          'A photograph of 12 megapixels with some 2,000 words, read once in a page of its own, start of the engine included:',
          table(
            ['recognizers', 'page', 'device', 'server', 'peak memory', 'longest task of the page'],
            dense.map((row) => [
              String(row.threads),
              pageOf(row),
              seconds(row.device.median),
              seconds(row.server.median),
              megabytes(row.peak),
              longest(row.longestTask),
            ]),
          ),
        ]
      : []),
  ].join('\n\n');
}

/** Id of the process that runs the page and its workers. */
async function rendererOf({ page }: DevicePage): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return Math.max(...renderers);
}

/** Lets a process run only for a fraction of each interval. Returns a function that ends this. */
function slowDown(pid: number, slowdown: number): () => void {
  if (slowdown <= 1) return () => {};
  let ended = false;
  const go = () => {
    process.kill(pid, 'SIGCONT');
    if (!ended) setTimeout(stop, INTERVAL / slowdown);
  };
  const stop = () => {
    if (ended) return;
    process.kill(pid, 'SIGSTOP');
    setTimeout(go, INTERVAL - INTERVAL / slowdown);
  };
  stop();
  return () => {
    if (ended) return;
    ended = true;
    process.kill(pid, 'SIGCONT');
  };
}

if (options.help) console.log(HELP);
else await main();
