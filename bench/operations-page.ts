/** Writes the tables of docs/faults-and-load.md from the recorded results. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ASSUMED, type Footprint, type Plan, planFor } from './capacity.ts';
import type { ScenarioReport } from './fault-scenarios.ts';
import { between, day, type Machine, machineInWords, table } from './generated-page.ts';
import type {
  BurstReport,
  CapacityReport,
  ServiceReport,
  ThreeLeftReport,
  TurnReport,
} from './load-scenarios.ts';

const inBench = (name: string) => fileURLToPath(new URL(name, import.meta.url));
export const LOAD_FILE = inBench('./load.json');
export const FAULTS_FILE = inBench('./faults.json');
const PAGE = inBench('../docs/faults-and-load.md');

export interface LoadReport {
  recordedAt: string;
  machine: Machine;
  /** Mean size of the pictures in bytes. */
  pictureBytes: number;
  burst: BurstReport;
  threeLeft?: ThreeLeftReport;
  oneTurn?: TurnReport;
  capacity: CapacityReport[];
  service?: ServiceReport;
}

export interface FaultsReport {
  recordedAt: string;
  machine: Machine;
  scenarios: ScenarioReport[];
}

/** Assumed number of page views and calls per extraction. */
const PAGES_PER_EXTRACTION = 5;

/** Writes the tables between the page's markers; a part without a record stays unchanged. */
export function writePage(): void {
  let page = readFileSync(PAGE, 'utf8');
  const faults = read<FaultsReport>(FAULTS_FILE);
  const load = read<LoadReport>(LOAD_FILE);
  if (faults) page = between(page, 'faults', faultTables(faults));
  if (load) page = between(page, 'load', loadTables(load));
  if (load?.service) page = between(page, 'capacity', capacityTables(load, load.service));
  writeFileSync(PAGE, page);
}

function read<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
const entries = (counts: Record<string, number> = {}) =>
  Object.entries(counts)
    .filter(([what]) => what !== 'unsent')
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ');

function faultTables({ recordedAt, machine, scenarios }: FaultsReport): string {
  const wrong = (one: ScenarioReport) => (one.wrong.length === 0 ? 'none' : `**${one.wrong.length}**`);
  const killed = scenarios.filter(({ toldAfter, backAfter }) => toldAfter === null && !('it' in backAfter));
  const away = scenarios.filter((one) => !killed.includes(one));
  return [
    `Measured on ${day(recordedAt)} with ${machineInWords(machine)}, beside other work.`,
    table(
      ['killed', 'times', 'next image read after (median, maximum)'],
      killed.flatMap(({ backAfter }) =>
        Object.entries(backAfter).map(([what, { times, median, most }]) => [
          what,
          String(times),
          `${seconds(median)}, ${seconds(most)}`,
        ]),
      ),
    ),
    table(
      ['under', 'uploads by answer', 'acknowledged and found', 'unanswered', 'violations'],
      killed.map((one) => [
        one.name,
        entries(one.tally.upload),
        `${one.acknowledged.extractions} extractions, ${one.acknowledged.payments} payments`,
        String(one.open),
        wrong(one),
      ]),
    ),
    table(
      [
        'outage',
        'uploads by answer',
        'slowest 503',
        '`/readyz` reported it after',
        'next image read after',
        'violations',
      ],
      away.map((one) => [
        one.name,
        entries(one.tally.upload),
        seconds(one.slowest.upload?.['503 with Retry-After'] ?? 0),
        one.toldAfter === null ? '–' : seconds(one.toldAfter),
        seconds(one.backAfter.it?.most ?? 0),
        wrong(one),
      ]),
    ),
  ].join('\n\n');
}

function loadTables({ recordedAt, machine, burst, threeLeft, oneTurn, capacity }: LoadReport): string {
  const { pages } = burst;
  const ratio = (figure: 'median' | 'p95') => (pages.meanwhile[figure] / pages.idle[figure]).toFixed(1);
  return [
    `Measured on ${day(recordedAt)} with ${machineInWords(machine)}.`,
    table(
      ['at once', 'result'],
      [
        [`${burst.uploads} uploads of 1.5 MB by ${burst.uploads} visitors`, entries(burst.answers)],
        [
          'memory of the web process',
          `${megabytes(burst.web.before)} before, ${megabytes(burst.web.most)} at most`,
        ],
        [
          'memory of the recognition process',
          `${megabytes(burst.recognizer.before)} before, ${megabytes(burst.recognizer.most)} at most`,
        ],
        [
          'pages meanwhile, relative to the idle server',
          `median ${ratio('median')}, p95 ${ratio('p95')} times as long (${pages.meanwhile.median.toFixed(0)} and ${pages.meanwhile.p95.toFixed(0)} ms)`,
        ],
        ...(threeLeft
          ? [
              [
                `${threeLeft.asked} of one visitor at two web processes, three left`,
                `${threeLeft.granted} granted`,
              ],
            ]
          : []),
        ...(oneTurn
          ? [
              [
                `${oneTurn.waiting} images of one visitor before one of another, two workers`,
                `the other waited for ${oneTurn.before}`,
              ],
            ]
          : []),
      ],
    ),
    table(
      [
        'worker processes',
        'images per second',
        'per core',
        'pages per second',
        'memory of a worker, of a web process',
      ],
      capacity.map((one) => [
        String(one.workers),
        one.picturesPerSecond.toFixed(2),
        one.perCore.toFixed(2),
        one.pagesPerSecond.toFixed(0),
        `${megabytes(one.memory.worker)}, ${megabytes(one.memory.web)}`,
      ]),
    ),
    table(
      ['one extraction costs', ...capacity.map(({ workers }) => `with ${workers}`)],
      (
        [
          ['core seconds of the worker', ({ use }) => use.readers.toFixed(2)],
          ['core seconds of the web process', ({ use }) => use.web.toFixed(3)],
          ['core seconds of Redis', ({ use }) => use.redis.toFixed(4)],
          ['core seconds of PostgreSQL', ({ use }) => use.postgres.toFixed(4)],
          ['Redis commands', ({ use }) => use.redisCommands.toFixed(0)],
          ['bytes into and out of Redis', ({ use }) => `${Math.round(use.redisBytes / 1000)} kB`],
          ['PostgreSQL statements', ({ use }) => use.statements?.toFixed(1) ?? 'not counted'],
        ] as [string, (one: CapacityReport) => string][]
      ).map(([what, of]) => [what, ...capacity.map(of)]),
    ),
  ].join('\n\n');
}

/** The measurements with one worker, as input of the capacity model. */
function footprintOf(load: LoadReport, { mean, scv }: ServiceReport): Footprint {
  const [one] = load.capacity;
  if (!one) throw new Error('No capacity is recorded.');
  return {
    service: { mean, scv },
    coresPerReader: load.machine.cores,
    webCores: one.use.web + PAGES_PER_EXTRACTION * one.pageCores,
    redisCores: one.use.redis,
    redisCommands: one.use.redisCommands,
    redisBytes: one.use.redisBytes,
    databaseCores: one.use.postgres,
    statements: one.use.statements ?? 0,
    pictureBytes: load.pictureBytes,
    readerMemory: one.memory.worker,
    webMemory: one.memory.web,
  };
}

function capacityTables(load: LoadReport, service: ServiceReport): string {
  const footprint = footprintOf(load, service);
  const plan = planFor(footprint);
  const days = [100_000, 1_000_000, 10_000_000].map((perDay) => ({
    perDay,
    plan: planFor(footprint, { ...ASSUMED, perDay }),
  }));
  const figures: [string, (plan: Plan) => string][] = [
    [
      'extractions per second, mean and peak',
      (one) => `${one.meanRate.toFixed(1)}, ${one.peakRate.toFixed(1)}`,
    ],
    ['readers (a worker process each, two cores)', (one) => String(one.readers)],
    ['machines for them, one to spare', (one) => String(one.readerMachines)],
    ['web processes, machines for them', (one) => `${one.webProcesses}, ${one.webMachines}`],
    [
      'wait at the peak, mean and p95',
      (one) => `${one.wait.mean.toFixed(2)} s, ${one.wait.p95.toFixed(2)} s`,
    ],
    ['memory of all readers', (one) => `${(one.memory.ofAllReaders / 2 ** 30).toFixed(0)} GB`],
    ['images in Redis', (one) => `${Math.ceil(one.memory.ofRedis / 2 ** 20)} MB`],
    ['Redis commands per second', (one) => one.redis.commands.toFixed(0)],
    ['bytes through Redis per second', (one) => `${(one.redis.bytes / 1e6).toFixed(1)} MB`],
    ['PostgreSQL statements per second', (one) => one.database.statements.toFixed(0)],
    ['price per month', (one) => `$${one.pricePerMonth.toLocaleString('en')}`],
    ['price per thousand extractions', (one) => `$${one.pricePerThousand.toFixed(3)}`],
  ];
  return [
    `Service: ${service.mean.toFixed(3)} s per image, squared coefficient of variation ${service.scv.toFixed(2)}.`,
    table(
      ['share of the capacity', 'images', 'mean wait measured', 'modeled', 'p95 measured', 'modeled'],
      service.waits.map(({ share, pictures, measured, modelled }) => [
        `${Math.round(share * 100)} %`,
        String(pictures),
        `${measured.mean.toFixed(2)} s`,
        `${modelled.mean.toFixed(2)} s`,
        `${measured.p95.toFixed(2)} s`,
        `${modelled.p95.toFixed(2)} s`,
      ]),
    ),
    table(
      ['extractions per day', ...days.map(({ perDay }) => perDay.toLocaleString('en'))],
      figures.map(([what, of]) => [what, ...days.map((one) => of(one.plan))]),
    ),
    'What is full first beyond one million per day, and at which multiple:',
    table(
      ['part', 'full at'],
      plan.limits.map(({ part, at }) => [part, `${at.toFixed(1)} ×`]),
    ),
  ].join('\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
