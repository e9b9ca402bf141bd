/** `glyphlift watch` */
import { createHash } from 'node:crypto';
import { lstat, stat } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PagesWithText } from '#formats/text-layer/text-layer';
import { createEngine, type Engine } from '../library/engine.ts';
import { languageFoldersOfEnvironment } from '../server/language-folders.ts';
import { listOf, UsageError } from './command-line.ts';
import {
  failureOf,
  openDocument,
  PageSlots,
  ReadFailure,
  type ReadingOptions,
  type ReadPage,
} from './documents.ts';
import { printable, readBelow } from './folders.ts';
import { type FileState, Journal, lockFolder } from './journal.ts';
import { contentOf, extensionOf, type OutputFormat, writingFailure } from './outputs.ts';
import type { PdfOptions } from './pdf-output.ts';
import { formatsOf, languagesOf, pdfOptionsOf, requireLanguages, skipsPagesWithText } from './read.ts';
import { picturesBelow } from './sources.ts';

const SCAN_INTERVAL_MS = 2_000;
/** Minimum pause between scans, as a multiple of the duration of a scan. */
const SCAN_PAUSE_FACTOR = 20;
/** Codes of temporary failures, which are retried. */
const TRANSIENT = new Set([
  'crashed',
  'aborted',
  'stopping',
  'queue_full',
  'unavailable',
  'emfile',
  'enospc',
]);
const MAX_TRIES = 3;

/** Command-line options; numbers are already validated. */
export interface WatchOptions {
  format?: string[];
  languages?: string[];
  jobs?: number;
  once?: true;
  settle?: number;
  pagesWithText?: PagesWithText;
  rotatePages?: true;
  deskew?: true;
  pdfa?: true;
}

/** @returns the exit status. @throws {UsageError} */
export async function watchCommand(
  [from, to, ...others]: readonly string[],
  options: WatchOptions,
): Promise<number> {
  if (from === undefined || to === undefined || others.length > 0)
    throw new UsageError('It takes two folders: where scans arrive, and where their results go.');
  const [folder, out] = [resolve(from), resolve(to)];
  if (out === folder || out.startsWith(folder + sep))
    throw new UsageError('Results cannot go into the folder that is watched: they would be read again.');
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) throw new UsageError(`There is no folder ${from}.`);
  const jobs = options.jobs ?? availableParallelism();
  const settleMs = 1_000 * (options.settle ?? 2);
  const formats = formatsOf(listOf(options.format ?? ['pdf,text']));
  const languages = languagesOf(options.languages);
  const pdf = pdfOptionsOf(options);

  let release: (() => void) | undefined;
  let journal: Journal;
  try {
    release = await lockFolder(out, hostname());
    if (!release) throw new UsageError(`Another glyphlift watch writes into ${to}.`);
    journal = await Journal.open(out);
  } catch (error) {
    release?.();
    if (error instanceof UsageError) throw error;
    log(writingFailure(to, error).message);
    return 1;
  }
  const stopping = new AbortController();
  let status = 0;
  const stop = (signal: NodeJS.Signals) => {
    release();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const engine = createEngine({ jobs, languageFolders: languageFoldersOfEnvironment() });
  try {
    await requireLanguages(languages, engine);
    const reading = {
      engine,
      languages,
      minConfidence: 0,
      pages: undefined,
      skipPagesWithText: skipsPagesWithText(formats, pdf),
      slots: new PageSlots(jobs),
      signal: stopping.signal,
    };
    const watched = new WatchedFolder({ folder, out, formats, pdf, settleMs, jobs, reading, journal });
    if (options.once) status = await watched.once();
    else await watched.forever(`watching ${from}, results go to ${to}`);
  } finally {
    await engine.close();
    release();
  }
  return status;
}

interface WatchContext {
  folder: string;
  out: string;
  formats: readonly OutputFormat[];
  pdf: PdfOptions;
  settleMs: number;
  jobs: number;
  reading: ReadingOptions & { engine: Engine };
  journal: Journal;
}

class WatchedFolder {
  readonly #context: WatchContext;
  /** Files of the last scan, and the time since which each is unchanged, in milliseconds. */
  #lastScan = new Map<string, FileState & { since: number }>();
  readonly #inProgress = new Set<string>();
  /** Work in progress by content digest. */
  readonly #contents = new Map<string, Promise<unknown>>();
  /** Number of files to retry. */
  #retryCount = 0;
  readonly #tries = new Map<string, number>();
  readonly #slots: PageSlots;

  constructor(context: WatchContext) {
    this.#context = context;
    this.#slots = new PageSlots(context.jobs);
  }

  async once(): Promise<number> {
    const { settleMs, journal } = this.#context;
    await this.#scan();
    await delay(settleMs);
    await Promise.all((await this.#scan()).map((seen) => this.#process(seen)));
    return journal.failures + this.#retryCount > 0 ? 1 : 0;
  }

  async forever(announcement: string): Promise<never> {
    log(announcement);
    for (;;) {
      const start = performance.now();
      for (const seen of await this.#scan()) void this.#process(seen);
      const duration = performance.now() - start;
      await delay(Math.max(SCAN_INTERVAL_MS, SCAN_PAUSE_FACTOR * duration));
    }
  }

  /** Finds new and changed files that have been unchanged for `settleMs`. */
  async #scan(): Promise<FileState[]> {
    const { folder, journal, settleMs } = this.#context;
    const now = performance.now();
    let paths: string[];
    try {
      paths = (await picturesBelow(folder)).flatMap(({ path, isLink }) => (isLink ? [] : [path]));
    } catch (error) {
      // A network folder may be unavailable for a while, which does not mean that its files were deleted.
      log(`${folder} cannot be listed: ${failureOf(error).message}`);
      return [];
    }
    const present = new Map<string, FileState & { since: number }>();
    for (const path of paths) {
      const stats = await lstat(path).catch(() => undefined);
      if (!stats?.isFile()) continue;
      const name = relative(folder, path);
      const { size, mtimeMs } = stats;
      const lastScan = this.#lastScan.get(name);
      const same = lastScan?.size === size && lastScan.mtimeMs === mtimeMs;
      present.set(name, { name, size, mtimeMs, since: same ? lastScan.since : now });
    }
    const previous = this.#lastScan;
    this.#lastScan = present;
    await journal.forgetMissing(new Set(present.keys()));
    return [...present.values()]
      .filter((seen) => previous.get(seen.name)?.since === seen.since && now - seen.since >= settleMs)
      .filter((seen) => seen.size > 0 && !journal.knows(seen) && !this.#inProgress.has(seen.name))
      .sort((one, other) => one.mtimeMs - other.mtimeMs)
      .map(({ name, size, mtimeMs }) => ({ name, size, mtimeMs }));
  }

  async #process(seen: FileState): Promise<void> {
    this.#inProgress.add(seen.name);
    try {
      await this.#slots.take(() => this.#read(seen));
    } catch (error) {
      this.#retryCount++;
      log(`${seen.name}: ${failureOf(error).message}; it is tried again`);
    } finally {
      this.#inProgress.delete(seen.name);
    }
  }

  async #read(seen: FileState): Promise<void> {
    const { folder } = this.#context;
    const bytes = await readBelow(folder, seen.name);
    // The file has changed since the scan; the next scan handles it.
    if (bytes.length !== seen.size) return;
    const digest = createHash('sha256').update(bytes).digest('hex');
    // Files of the same content run one after the other, so that the second finds the results of the first.
    while (this.#contents.has(digest)) await this.#contents.get(digest);
    const work = this.#readOnce(seen, digest, bytes).finally(() => this.#contents.delete(digest));
    this.#contents.set(
      digest,
      work.catch(() => {}),
    );
    await work;
  }

  async #readOnce(seen: FileState, digest: string, bytes: Uint8Array): Promise<void> {
    const { journal } = this.#context;
    const results = (await this.#writing(journal.reuseResult(seen, digest)))
      ? undefined
      : await this.#resultsOf(seen.name, bytes).catch(failureOf);
    if (results instanceof ReadFailure) {
      const tries = (this.#tries.get(digest) ?? 0) + 1;
      this.#tries.set(digest, tries);
      if (TRANSIENT.has(results.code) && tries < MAX_TRIES) throw results;
      const where = results.page === undefined ? '' : `page ${results.page}: `;
      await this.#writing(journal.fail(seen, digest, `${where}${results.message}`));
      log(`${seen.name}: ${where}${results.message}`);
    } else if (results) {
      const { outputs } = await this.#writing(journal.finish(seen, digest, results));
      log(`${seen.name}: ${outputs.join(', ')}`);
    }
  }

  async #resultsOf(name: string, bytes: Uint8Array): Promise<Map<string, string | Uint8Array>> {
    const { formats, pdf, reading } = this.#context;
    const document = { name, bytes, ...(await everyPage(bytes, reading)) };
    const results = new Map<string, string | Uint8Array>();
    for (const format of formats) {
      const result = await contentOf(format, document, reading.engine, pdf).catch((error) => {
        // If there are other results, an image without a table is not a failure.
        if (formats.length > 1 && failureOf(error).code === 'no_table') return undefined;
        throw error;
      });
      if (result !== undefined) results.set(`.${extensionOf(format)}`, result.content);
    }
    return results;
  }

  /** Reports failures of `work` as failures of the results folder. */
  async #writing<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw writingFailure(this.#context.out, error);
    }
  }
}

/** Reads all pages. Fails if one page fails, because the result would look complete. @throws {ReadFailure} */
async function everyPage(
  bytes: Uint8Array,
  reading: ReadingOptions,
): Promise<{ isPdf: boolean; pages: ReadPage[] }> {
  const { isPdf, reads } = await openDocument(bytes, reading);
  const pages = await Promise.all(reads);
  const failure = pages.find((page) => page instanceof ReadFailure);
  if (failure) throw failure;
  return { isPdf, pages: pages.flatMap((page) => (page instanceof ReadFailure ? [] : [page])) };
}

const log = (line: string) => process.stderr.write(`${new Date().toISOString()} ${printable(line)}\n`);
