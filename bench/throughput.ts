/** Measures the pictures per second with several pictures in flight. */
import { readFile } from 'node:fs/promises';
import type { Engine } from '#ocr';
import { readWithTesseract } from './tesseract.ts';

export interface ThroughputReport {
  pictures: number;
  /** Pictures per second with `inFlight` pictures in the engine at once. */
  engine: { inFlight: number; perSecond: number }[];
  /** Pictures per second of two parallel plain tesseract processes. */
  plainPair: number | null;
  /** The engine's best rate divided by that of the plain pair. */
  ratio: number | null;
}

export async function measureThroughput(
  engine: Engine,
  files: readonly string[],
  options: { plain: boolean },
): Promise<ThroughputReport> {
  const read = async (file: string) => {
    await engine.recognize(Uint8Array.from(await readFile(file)));
  };
  const runs: ThroughputReport['engine'] = [];
  for (const inFlight of [1, 2, 4]) {
    runs.push({ inFlight, perSecond: await perSecond(files, inFlight, read) });
  }
  const plainPair = options.plain ? await perSecond(files, 2, readWithTesseract) : null;
  const best = Math.max(...runs.map((run) => run.perSecond));
  return { pictures: files.length, engine: runs, plainPair, ratio: plainPair && best / plainPair };
}

/** Processes `items` with `width` of them in progress at any time. */
export async function perSecond<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return items.length / ((performance.now() - start) / 1000);
}
