/**
 * `npm run bench:device`: the engine in Chromium against the server's on the same pictures, in turns, so that other load
 * meets both: time, peak memory of the page's process, and the longest task of its main thread. A slower device is imitated by
 * stopping that process for a part of each interval.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createEngine, type Engine } from '#ocr';
import { type DevicePage, openDevicePage } from '../tests/support/device-page.ts';
import { percentile } from './measure.ts';
import { memoryOf } from './process-use.ts';

const { values: options } = parseArgs({
  options: {
    cores: { type: 'string', default: '1,2,4' },
    slowdown: { type: 'string', default: '1,4' },
    pictures: { type: 'string', default: path.join(import.meta.dirname, 'cases') },
    isolated: { type: 'boolean', default: false },
  },
});

/** Milliseconds of one stop and go. */
const INTERVAL = 40;
const PICTURE = /\.(png|jpe?g|webp|gif|bmp)$/i;

const numbersOf = (list: string) => list.split(',').map(Number);
const pictures = readdirSync(options.pictures)
  .filter((name) => PICTURE.test(name))
  .map((name) => new Uint8Array(readFileSync(path.join(options.pictures, name))));

const engine = createEngine({
  maxPixels: 100_000_000,
  concurrency: 2,
  queueLimit: 10,
  premiumReserve: 0,
  timeoutMs: 300_000,
  languageDirs: [],
});
await engine.ready();
console.log('cores  slowdown  start ms  device ms  server ms  ratio  peak MB  longest task ms');
for (const cores of numbersOf(options.cores)) {
  for (const slowdown of numbersOf(options.slowdown)) console.log(await row(engine, cores, slowdown));
}
await engine.close();

async function row(server: Engine, cores: number, slowdown: number): Promise<string> {
  const device = await openDevicePage({ cores, isolated: options.isolated });
  const pid = await rendererOf(device);
  const speedUp = slowedDown(pid, slowdown);
  try {
    const first = await device.read(pictures[0]!, true);
    let longest = first.longestTask;
    const times: { own: number; theirs: number }[] = [];
    for (const picture of pictures) {
      const { milliseconds: own, longestTask } = await device.read(picture, true);
      longest = Math.max(longest, longestTask);
      const before = performance.now();
      await server.recognize(picture.slice(), { languages: ['eng'], filter: true });
      times.push({ own, theirs: performance.now() - before });
    }
    speedUp();
    const median = (of: (time: (typeof times)[number]) => number) => percentile(times.map(of), 0.5);
    const peak = (memoryOf(pid)?.peak ?? 0) / 1e6;
    return [
      String(cores).padStart(5),
      `${slowdown}x`.padStart(8),
      first.milliseconds.toFixed(0).padStart(8),
      median(({ own }) => own)
        .toFixed(0)
        .padStart(9),
      median(({ theirs }) => theirs)
        .toFixed(0)
        .padStart(9),
      median(({ own, theirs }) => own / theirs)
        .toFixed(2)
        .padStart(5),
      peak.toFixed(0).padStart(7),
      longest.toFixed(0).padStart(15),
    ].join('  ');
  } finally {
    speedUp();
    await device.close();
  }
}

/** The process of the page and its workers. */
async function rendererOf({ page }: DevicePage): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return Math.max(...renderers);
}

/** Lets a process run for a share of each interval. Returns what ends that. */
function slowedDown(pid: number, slowdown: number): () => void {
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
