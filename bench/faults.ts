/**
 * `npm run bench:faults`: kills, disconnects and pauses each part of the product under load, fills its disks, and verifies
 * that every acknowledged result was stored. Exits with 1 on a violation.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { type Installation, startCluster, startSingle } from '../tests/support/installation.ts';
import { killInTurn, type Outage, runOutage, type ScenarioReport } from './fault-scenarios.ts';
import { FAULTS_FILE, type FaultsReport, writePage } from './operations-page.ts';

const HELP = `Kills and cuts off the parts of the built product while people use it.

  npm run bench:faults -- [options]

  --kills N          kills of web processes, workers, PostgreSQL and Redis in turn (100)
  --single-kills N   kills of the single server with SQLite, and of its recognition process (40)
  --seconds N        how long something is away (30)
  --only NAMES       of: cluster, single, away, readers, disk
  --json FILE        where every figure goes (.cache/bench/faults.json)
  --record           record this run, and write it into docs/faults-and-load.md
`;

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    'single-kills': { type: 'string', default: '40' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: 'cluster,single,away,readers,disk' },
    json: { type: 'string', default: '.cache/bench/faults.json' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string) => console.log(line);
const seconds = Number(options.seconds);

/** Short timeouts, so that the scenarios observe them. */
const TIMES = { OCR_TIMEOUT_SECONDS: '10', OCR_WAIT_SECONDS: '10' };
/** Effectively no rate limits, so that only the limits under test apply. */
const LIMITS = { RATE_LIMIT_PER_MINUTE: '100000', PAGE_LIMIT_PER_MINUTE: '100000' };

async function withInstallation(
  installation: Installation,
  work: (installation: Installation) => Promise<ScenarioReport[]>,
): Promise<ScenarioReport[]> {
  try {
    return await work(installation);
  } finally {
    await installation.stop();
  }
}

const cluster = (env: Record<string, string> = {}) =>
  startCluster({ from: 'build', webs: 2, workers: 2, env: { ...LIMITS, ...env } });

const GROUPS: Record<string, () => Promise<ScenarioReport[]>> = {
  cluster: async () =>
    withInstallation(await cluster(), async (installation) => [
      await killInTurn('Two web processes, two workers, PostgreSQL, Redis', installation, {
        kills: Number(options.kills),
        say,
      }),
    ]),

  single: async () =>
    withInstallation(await startSingle({ from: 'build', env: LIMITS }), async (installation) => [
      await killInTurn('One server with SQLite', installation, {
        kills: Number(options['single-kills']),
        say,
      }),
    ]),

  away: async () =>
    withInstallation(await cluster(), (installation) => inTurn(outagesOfStores(installation), installation)),

  readers: async () => [
    ...(await withInstallation(await cluster(TIMES), (installation) =>
      inTurn(pausesOfReaders(installation), installation),
    )),
    ...(await withInstallation(
      await startSingle({ from: 'build', env: { ...LIMITS, ...TIMES } }),
      (installation) => inTurn([hangingRecognizer(installation)], installation),
    )),
  ],

  disk: async () => [...(await onSmallDisk(64, fullDisk)), ...(await onSmallDisk(192, fullDiskOfPostgres))],
};

async function inTurn(outages: readonly Outage[], installation: Installation): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const outage of outages) {
    say(outage.name);
    reports.push(await runOutage(outage, installation, { say }));
  }
  return reports;
}

/** Outages of Redis and PostgreSQL: stopped, disconnected and silent. */
function outagesOfStores({ redis, postgres, proxies }: Installation): Outage[] {
  if (!redis || !postgres || !proxies) return [];
  return (
    [
      ['Redis', 'redis', redis, proxies.redis],
      ['PostgreSQL', 'database', postgres, proxies.postgres],
    ] as const
  ).flatMap(([name, part, server, line]) => [
    {
      name: `${name} has ended`,
      part,
      seconds,
      begin: () => server.stopForGood(),
      end: () => server.start(),
    },
    { name: `${name} is paused`, part, seconds, begin: () => server.suspend(), end: () => server.goOn() },
    {
      name: `the connection to ${name} is cut`,
      part,
      seconds,
      begin: () => line.cut(),
      end: () => line.restore(),
    },
    {
      name: `the connection to ${name} drops everything`,
      part,
      seconds,
      begin: () => line.blackhole(),
      end: () => line.restore(),
    },
    {
      name: `the connection to ${name} is slower by 50 ms`,
      seconds: seconds / 2,
      begin: () => line.delayBy(50),
      end: () => line.restore(),
    },
  ]);
}

function pausesOfReaders({ readers }: Installation): Outage[] {
  const [first] = readers;
  return [
    {
      name: 'one worker of two is paused',
      seconds,
      begin: () => first?.suspend(),
      end: () => first?.goOn(),
    },
    {
      name: 'every worker is paused',
      part: 'engine',
      seconds,
      begin: () => readers.forEach((reader) => void reader.suspend()),
      end: () => readers.forEach((reader) => void reader.goOn()),
      canTimeOut: true,
    },
  ];
}

function hangingRecognizer(installation: Installation): Outage {
  const [server] = installation.readers;
  return {
    name: 'the recognition process is paused',
    seconds,
    begin: () => server?.suspendChildren(),
    // The paused process was replaced long before.
    end: () => {},
    canTimeOut: true,
  };
}

/** Runs `work` with a separate small disk, which only root can mount. */
async function onSmallDisk(
  megabytes: number,
  work: (disk: string) => Promise<ScenarioReport[]>,
): Promise<ScenarioReport[]> {
  if (process.getuid?.() !== 0) {
    say('Left out: only root can mount a small disk.');
    return [];
  }
  const disk = mkdtempSync(join(tmpdir(), 'glyphlift-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', disk]);
  try {
    return await work(disk);
  } finally {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true });
  }
}

async function fullDisk(disk: string): Promise<ScenarioReport[]> {
  const env = { ...LIMITS, DATA_DIR: join(disk, 'data') };
  return withInstallation(await startSingle({ from: 'build', env }), (installation) =>
    inTurn([filling('SQLite', disk)], installation),
  );
}

async function fullDiskOfPostgres(disk: string): Promise<ScenarioReport[]> {
  const installation = await startCluster({
    from: 'build',
    webs: 2,
    workers: 1,
    env: LIMITS,
    postgresUnder: disk,
    // A larger reserve for the write-ahead log would let PostgreSQL continue.
    postgresSettings: { min_wal_size: '32MB', max_wal_size: '64MB' },
  });
  return withInstallation(installation, () => inTurn([filling('PostgreSQL', disk)], installation));
}

function filling(whose: string, disk: string): Outage {
  const filler = join(disk, 'filler');
  return {
    name: `the disk of ${whose} is full`,
    part: 'database',
    seconds,
    begin: () => fill(disk, filler),
    end: () => rmSync(filler),
  };
}

function fill(disk: string, filler: string): void {
  const file = openSync(filler, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(statfsSync(disk).bsize));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

async function main(): Promise<number> {
  await ensureBuilt();
  const reports: ScenarioReport[] = [];
  for (const name of options.only.split(',')) {
    const group = GROUPS[name];
    if (!group) throw new Error(`There is no group ${name}: ${Object.keys(GROUPS).join(', ')}.`);
    say(`— ${name}`);
    reports.push(...(await group()));
  }
  const report: FaultsReport = {
    recordedAt: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      load: loadavg()[0] ?? 0,
      node: process.version,
    },
    scenarios: reports,
  };
  const files = [resolve(options.json), ...(options.record ? [FAULTS_FILE] : [])];
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
  }
  if (options.record) writePage();
  for (const report of reports) say(summaryOf(report));
  return reports.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}

function summaryOf({ name, backAfter, tally, acknowledged, open, wrong }: ScenarioReport): string {
  const back = Object.entries(backAfter).map(
    ([what, { times, median, most }]) => `${what} ×${times}: ${median}, at most ${most} ms`,
  );
  return [
    `${wrong.length === 0 ? '✓' : '✗'} ${name}`,
    `    uploads: ${JSON.stringify(tally.upload ?? {})}`,
    `    back: ${back.join('; ')}`,
    `    held against the database: ${acknowledged.extractions} extractions, ${acknowledged.payments} payments; ${open} open`,
    ...[...new Set(wrong)].map((line) => `    ! ${line}`),
  ].join('\n');
}

if (options.help) say(HELP);
// Exits immediately, because Node busy-waits for requests whose sockets were killed.
else process.exit(await main());
