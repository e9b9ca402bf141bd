/**
 * A separate process that opens pages, so that other traffic of the bench does not slow its measurements down. A message
 * starts it; it responds with the milliseconds of each page.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../tests/support/http-client.ts';

export interface Probe {
  port: number;
  paths: readonly string[];
  seconds: number;
  /** Pages per second, independent of earlier responses; if absent, `lanes` connections open one page after another. */
  rate?: number;
  lanes?: number;
}

export interface ProbeResult {
  /** Milliseconds of responses with status 200. */
  milliseconds: number[];
  /** Number of other responses, by kind. */
  others: Record<string, number>;
  seconds: number;
}

async function probe({ port, paths, seconds, rate, lanes = 1 }: Probe): Promise<ProbeResult> {
  const milliseconds: number[] = [];
  const others: Record<string, number> = {};
  const from = performance.now();
  const isRunning = () => performance.now() - from < seconds * 1000;
  let opened = 0;
  async function open(): Promise<void> {
    const path = paths[opened++ % paths.length] ?? '/';
    const outcome = await new Client().send({ port, path, timeoutMs: 30_000 });
    if (outcome.kind === 'answer' && outcome.status === 200) milliseconds.push(outcome.to - outcome.from);
    else {
      const what = outcome.kind === 'answer' ? String(outcome.status) : outcome.kind;
      others[what] = (others[what] ?? 0) + 1;
    }
  }
  if (rate === undefined) {
    const lane = async () => {
      while (isRunning()) await open();
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  } else {
    const open_: Promise<void>[] = [];
    while (isRunning()) {
      open_.push(open());
      await delay(Math.max(0, from + (open_.length * 1000) / rate - performance.now()));
    }
    await Promise.all(open_);
  }
  return { milliseconds, others, seconds: (performance.now() - from) / 1000 };
}

if (process.send) {
  process.on('message', async (asked: Probe) => {
    process.send?.(await probe(asked));
  });
}
