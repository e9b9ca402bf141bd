/**
 * `npm run bench:load`: measures many simultaneous users, the capacity and the waiting times, and compares them with the
 * model. Exits with 1 if a check fails.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { type Installation, startCluster, startSingle } from '../tests/support/installation.ts';
import { COUNTING_STATEMENTS } from './installation-use.ts';
import {
  burst,
  type CapacityReport,
  capacityOf,
  oneTurn,
  PICTURES,
  threeLeft,
  waitsOf,
} from './load-scenarios.ts';
import { LOAD_FILE, type LoadReport, writePage } from './operations-page.ts';

const HELP = `Loads the built product until it is full.

  npm run bench:load -- [options]

  --uploads N        uploads at once (200)
  --workers LIST     worker processes to measure (1,2,4); with '' only what comes at once is
  --seconds N        of each measurement at full speed (15)
  --open N           seconds of each measurement of waiting (40)
  --json FILE        where every figure goes (.cache/bench/load.json)
  --record           record this run, and write it into docs/faults-and-load.md
`;

const { values: options } = parseArgs({
  options: {
    uploads: { type: 'string', default: '200' },
    workers: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '15' },
    open: { type: 'string', default: '40' },
    json: { type: 'string', default: '.cache/bench/load.json' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string) => console.log(line);
const cores = cpus().length;
const SHARES = [0.5, 0.7, 0.85];

const ENV = { RATE_LIMIT_PER_MINUTE: '1000000', PAGE_LIMIT_PER_MINUTE: '1000000' };
/** Settings that allow one user fifty pictures. */
const MANY = { FREE_DAILY_LIMIT: '100', OCR_QUEUE_LIMIT: '100' };

async function withInstallation<T>(
  starting: Promise<Installation>,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await starting;
  try {
    return await work(installation);
  } finally {
    await installation.stop();
  }
}

const cluster = (workers: number, env: Record<string, string> = {}) =>
  startCluster({
    from: 'build',
    webs: 2,
    workers,
    proxies: false,
    env: { ...ENV, ...env },
    postgresSettings: COUNTING_STATEMENTS,
  });

async function main(): Promise<number> {
  await ensureBuilt();
  const seconds = { closed: Number(options.seconds), pages: Math.max(2, Number(options.seconds) / 4) };

  say(`${options.uploads} uploads at once`);
  const bursts = await withInstallation(startSingle({ from: 'build', env: ENV }), (one) =>
    burst(one, Number(options.uploads)),
  );

  const capacity: CapacityReport[] = [];
  const found: Partial<Pick<LoadReport, 'threeLeft' | 'oneTurn' | 'service'>> = {};
  for (const workers of options.workers.split(',').filter(Boolean).map(Number)) {
    say(`${workers} worker processes`);
    await withInstallation(cluster(workers, workers === 2 ? MANY : {}), async (installation) => {
      if (workers === 1) found.threeLeft = await threeLeft(installation);
      if (workers === 2) found.oneTurn = await oneTurn(installation, workers);
      const report = await capacityOf(installation, { workers, cores, seconds });
      capacity.push(report);
      if (workers === 1)
        found.service = await waitsOf(installation, {
          perSecond: report.picturesPerSecond,
          shares: SHARES,
          seconds: Number(options.open),
        });
    });
  }

  const report: LoadReport = {
    recordedAt: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores,
      load: loadavg()[0] ?? 0,
      node: process.version,
    },
    pictureBytes: PICTURES.reduce((sum, { bytes }) => sum + bytes.length, 0) / PICTURES.length,
    burst: bursts,
    capacity,
    ...found,
  };
  write(options.json, report);
  if (options.record) {
    write(LOAD_FILE, report);
    writePage();
    say('Recorded, and written into docs/faults-and-load.md.');
  }
  const wrong = [report.burst, report.threeLeft, report.oneTurn].flatMap((one) => one?.wrong ?? []);
  say(JSON.stringify({ ...report, service: report.service?.waits }, null, 1));
  for (const line of wrong) say(`! ${line}`);
  return wrong.length > 0 ? 1 : 0;
}

function write(file: string, report: LoadReport): void {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(resolve(file), `${JSON.stringify(report, null, 1)}\n`);
}

if (options.help) say(HELP);
else process.exitCode = await main();
