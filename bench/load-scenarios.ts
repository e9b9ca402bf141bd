/** Load scenarios of an installation, and their checks. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, jsonOf } from '../tests/support/http-client.ts';
import type { Installation } from '../tests/support/installation.ts';
import { markedPicture } from '../tests/support/marked-pictures.ts';
import { processTree } from '../tests/support/supervised.ts';
import { serviceOf, waitingFor } from './capacity.ts';
import { loadSets } from './corpus.ts';
import { costOf, countStatements, measureUsage, residentIn, type Usage } from './installation-use.ts';
import { percentile } from './measure.ts';
import type { Probe, ProbeResult } from './page-prober.ts';
import { memoryOf } from './process-use.ts';
import { inWords, type UploadRequest } from './upload-sender.ts';

/** Test pictures of many kinds. */
export const PICTURES = loadSets(undefined)
  .flatMap(({ cases }) => cases)
  .map(({ name, file }) => ({ name, bytes: readFileSync(file) }));

const PAGES = ['/', '/blog', '/premium'];

/** Opens pages from another process; resolves with the time of each page. */
export const probePages = (asked: Probe) => inAnotherProcess<ProbeResult>('page-prober.ts', asked);

/** Uploads from another process; resolves with a description of each response. */
const send = (asked: UploadRequest) => inAnotherProcess<string[]>('upload-sender.ts', asked);

async function inAnotherProcess<Answer>(module: string, asked: Probe | UploadRequest): Promise<Answer> {
  const other = fork(fileURLToPath(new URL(module, import.meta.url)), [], {
    execArgv: ['--import', 'tsx', '--conditions=source'],
    serialization: 'advanced',
  });
  try {
    other.send(asked);
    const [answer] = await once(other, 'message');
    return answer as Answer;
  } finally {
    other.kill();
  }
}

const spread = ({ milliseconds }: ProbeResult) => ({
  median: percentile(milliseconds, 0.5),
  p95: percentile(milliseconds, 0.95),
});

export interface BurstReport {
  uploads: number;
  /** Number of answers of each kind. */
  answers: Record<string, number>;
  /** Memory of the web process in bytes, before and at the peak. */
  web: { before: number; most: number };
  recognizer: { before: number; most: number };
  /** Milliseconds. */
  pages: { idle: Spread; meanwhile: Spread; opened: number };
  seconds: number;
  wrong: string[];
}

interface Spread {
  median: number;
  p95: number;
}

/** Memory limits: for `web` the server and the pictures that it accepts, for `recognizer` one picture in progress. */
const MAX_MEMORY = { web: 900 * 2 ** 20, recognizer: 2048 * 2 ** 20 };
const PAGES_A_SECOND = 20;
/** Bytes after the end of the picture, which decoders ignore: the file size of a phone picture at the same reading time. */
const PADDING = 1.5 * 2 ** 20;

/** `uploads` users upload at the same moment, each from a different address. */
export async function burst(installation: Installation, uploads: number): Promise<BurstReport> {
  const [port = 0] = installation.webPorts;
  const pid = installation.webs[0]?.pid;
  const picture = Buffer.concat([markedPicture('burst'), Buffer.alloc(PADDING)]);
  const recognizerOf = () =>
    processTree(pid)
      .slice(1)
      .reduce((sum, one) => sum + (memoryOf(one)?.resident ?? 0), 0);
  const webOf = () => memoryOf(pid)?.resident ?? 0;
  await new Client().upload(port, picture);
  const idle = await probePages({ port, paths: PAGES, seconds: 9, rate: PAGES_A_SECOND });

  const web = { before: webOf(), most: 0 };
  const recognizer = { before: recognizerOf(), most: 0 };
  const looking = setInterval(() => {
    web.most = Math.max(web.most, webOf());
    recognizer.most = Math.max(recognizer.most, recognizerOf());
  }, 50);
  const from = performance.now();
  const probing = probePages({ port, paths: PAGES, seconds: 9, rate: PAGES_A_SECOND });
  // The other process has started by now.
  await delay(500);
  const answered = await send({ port, picture, uploads });
  const seconds = (performance.now() - from) / 1000;
  const probed = await probing;
  clearInterval(looking);

  const answers: Record<string, number> = {};
  const wrong: string[] = [];
  for (const what of answered) {
    answers[what] = (answers[what] ?? 0) + 1;
    if (!['200', '503 with Retry-After', '429 with Retry-After'].includes(what))
      wrong.push(`an upload was answered ${what}`);
  }
  for (const [what, count] of Object.entries(probed.others)) wrong.push(`${count} pages: ${what}`);
  const pages = { idle: spread(idle), meanwhile: spread(probed), opened: probed.milliseconds.length };
  for (const figure of ['median', 'p95'] as const) {
    if (pages.meanwhile[figure] > 2 * pages.idle[figure])
      wrong.push(
        `pages, ${figure}: ${pages.meanwhile[figure].toFixed(0)} ms instead of ${pages.idle[figure].toFixed(0)}`,
      );
  }
  if (web.most > MAX_MEMORY.web) wrong.push(`the web process held ${web.most} bytes`);
  if (recognizer.most > MAX_MEMORY.recognizer)
    wrong.push(`the recognition process held ${recognizer.most} bytes`);
  return { uploads, answers, web, recognizer, pages, seconds, wrong };
}

export interface ThreeLeftReport {
  asked: number;
  granted: number;
  wrong: string[];
}

/** One visitor with three remaining extractions sends twenty at once to two web processes. */
export async function threeLeft({ webPorts }: Installation): Promise<ThreeLeftReport> {
  const client = new Client();
  await client.send({ port: webPorts[0] ?? 0, path: '/api/usage' });
  const asked = 20;
  const outcomes = await Promise.all(
    Array.from({ length: asked }, (_, at) =>
      client.upload(webPorts[at % webPorts.length] ?? 0, markedPicture(`three ${at}`)),
    ),
  );
  const granted = outcomes.filter((one) => one.kind === 'answer' && one.status === 200).length;
  const usage = await client.send({ port: webPorts[1] ?? 0, path: '/api/usage' });
  const counted = jsonOf(usage)?.imageCount;
  const wrong =
    granted === 3 && counted === 3 ? [] : [`${granted} of ${asked} were granted, ${counted} counted`];
  return { asked, granted, wrong };
}

export interface TurnReport {
  waiting: number;
  /** Number of the first user's responses between the second user's upload and its response. */
  before: number;
  wrong: string[];
}

/** One user has many waiting pictures, and another user uploads a single one. */
export async function oneTurn({ webPorts }: Installation, readers: number): Promise<TurnReport> {
  const [port = 0] = webPorts;
  const many = new Client();
  await many.send({ port, path: '/api/usage' });
  const waiting = 50;
  const answered: number[] = [];
  const all = Array.from({ length: waiting }, async (_, at) => {
    const outcome = await many.upload(port, markedPicture(`many ${at}`));
    if (outcome.kind === 'answer' && outcome.status === 200) answered.push(outcome.to);
    return outcome;
  });
  while (answered.length < 3) await delay(20);
  const other = await new Client().upload(port, markedPicture('other'));
  const before = answered.filter((moment) => moment > other.from && moment < other.to).length;
  const outcomes = await Promise.all(all);
  const wrong: string[] = [];
  if (inWords(other) !== '200') wrong.push(`the other was answered ${inWords(other)}`);
  // The pictures in progress when it arrives, and one round of the queue.
  if (before > 2 * readers) wrong.push(`the other had to wait for ${before} of the many`);
  const refused = outcomes.filter((one) => inWords(one) !== '200').length;
  if (refused > 0) wrong.push(`${refused} of the many were refused`);
  return { waiting, before, wrong };
}

export interface CapacityReport {
  workers: number;
  /** Pictures per second under constant load. */
  picturesPerSecond: number;
  /** Pictures per second and core of the machine, on which everything runs. */
  perCore: number;
  pagesPerSecond: number;
  pictures: number;
  /** Usage per extraction. */
  use: Usage;
  /** Core seconds per page. */
  pageCores: number;
  memory: { web: number; worker: number };
}

interface Times {
  /** Seconds of the closed-loop measurement. */
  closed: number;
  pages: number;
}

/** Measures the maximum number of pictures and of pages per second. */
export async function capacityOf(
  installation: Installation,
  { workers, cores, seconds }: { workers: number; cores: number; seconds: Times },
): Promise<CapacityReport> {
  await countStatements(installation).catch(() => {});
  await readFor(installation, { inFlight: 2 * workers, pictures: 2 * workers });
  const before = await measureUsage(installation);
  const { done, took } = await readFor(installation, { inFlight: workers + 1, seconds: seconds.closed });
  const after = await measureUsage(installation);
  const [port = 0] = installation.webPorts;
  const probed = await probePages({ port, paths: PAGES, seconds: seconds.pages, lanes: 4 });
  const afterPages = await measureUsage(installation);
  const opened = Math.max(1, probed.milliseconds.length);
  return {
    workers,
    picturesPerSecond: done / took,
    perCore: done / took / cores,
    pagesPerSecond: probed.milliseconds.length / probed.seconds,
    pictures: done,
    use: costOf(Math.max(1, done), before, after),
    pageCores: (afterPages.web - after.web) / opened,
    memory: {
      web: residentIn(installation.webs[0]?.pid),
      worker: residentIn(installation.readers[0]?.pid),
    },
  };
}

async function readFor(
  { webPorts }: Installation,
  {
    inFlight,
    seconds,
    pictures = Number.POSITIVE_INFINITY,
  }: { inFlight: number; seconds?: number; pictures?: number },
): Promise<{ done: number; took: number }> {
  const from = performance.now();
  let begun = 0;
  let done = 0;
  let last = from;
  const isRunning = () =>
    begun < pictures && (seconds === undefined || performance.now() - from < seconds * 1000);
  const lane = async () => {
    while (isRunning()) {
      const picture = PICTURES[begun++ % PICTURES.length];
      if (!picture) return;
      const outcome = await new Client().upload(webPorts[0] ?? 0, picture.bytes);
      if (inWords(outcome) !== '200') throw new Error(`${picture.name} was answered ${inWords(outcome)}`);
      done++;
      last = performance.now();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return { done, took: (last - from) / 1000 };
}

export interface WaitReport {
  /** IdentityResolution rate as a fraction of the capacity. */
  share: number;
  /** IdentityResolution rate in pictures per second. */
  rate: number;
  pictures: number;
  refused: number;
  /** Seconds. */
  measured: { mean: number; p95: number };
  modelled: { mean: number; p95: number };
}

export interface ServiceReport {
  /** Seconds for each picture without other load. */
  alone: Record<string, number>;
  mean: number;
  scv: number;
  waits: WaitReport[];
}

/**
 * Measures one worker: the time of each picture without load, and the waits with random arrivals beside the model's
 * prediction.
 * @param perSecond measured capacity of the worker
 */
export async function waitsOf(
  { webPorts }: Installation,
  { perSecond, shares, seconds }: { perSecond: number; shares: readonly number[]; seconds: number },
): Promise<ServiceReport> {
  const [port = 0] = webPorts;
  const alone = new Map<string, number>();
  for (const { name, bytes } of PICTURES) {
    const { from, to } = await new Client().upload(port, bytes);
    alone.set(name, (to - from) / 1000);
  }
  const { scv } = serviceOf([...alone.values()]);
  // At full load, some work around a picture overlaps with the next picture.
  const service = { mean: 1 / perSecond, scv };
  const waits: WaitReport[] = [];
  for (const share of shares) {
    const came = await arrivals(port, share * perSecond, seconds, alone);
    const rate = came.sent / came.seconds;
    const { mean, within } = waitingFor(rate, 1, service);
    waits.push({
      share,
      rate,
      pictures: came.sent,
      refused: came.sent - came.waits.length,
      measured: {
        mean: came.waits.reduce((sum, one) => sum + one, 0) / Math.max(1, came.waits.length),
        p95: percentile(came.waits, 0.95),
      },
      modelled: { mean, p95: within(0.95) },
    });
  }
  return { alone: Object.fromEntries(alone), mean: service.mean, scv, waits };
}

/** Pictures arrive at random times, independently of the state of earlier ones. */
async function arrivals(
  port: number,
  rate: number,
  seconds: number,
  alone: ReadonlyMap<string, number>,
): Promise<{ sent: number; seconds: number; waits: number[] }> {
  const waits: number[] = [];
  const open: Promise<void>[] = [];
  const from = performance.now();
  let due = from;
  for (;;) {
    due += (-Math.log(1 - Math.random()) / rate) * 1000;
    if (due - from > seconds * 1000) break;
    await delay(Math.max(0, due - performance.now()));
    const picture = PICTURES[Math.floor(Math.random() * PICTURES.length)];
    if (!picture) break;
    open.push(
      new Client().upload(port, picture.bytes).then((outcome) => {
        if (inWords(outcome) !== '200') return;
        const took = (outcome.to - outcome.from) / 1000;
        waits.push(Math.max(0, took - (alone.get(picture.name) ?? 0)));
      }),
    );
  }
  await Promise.all(open);
  return { sent: open.length, seconds, waits };
}
