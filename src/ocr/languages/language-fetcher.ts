/**
 * Languages fetched on first use: each is a file in a package that is pinned by name, version and hash. No code of a package
 * is run, and no other file of it is written.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser } from 'tar';
import { debianPackages } from './debian-packages.ts';
import { findLanguages, problemOf } from './language-data.ts';
import { npmPackages } from './npm-packages.ts';
import type { LanguagePin, PackageSource } from './package-source.ts';

/** Bytes of a package: received and total. */
export interface Fetched {
  received: number;
  of: number;
}

export interface FetchOptions {
  /** Ends this caller's wait. A download shared with others continues. */
  signal?: AbortSignal | undefined;
  onProgress?: ((fetched: Fetched) => void) | undefined;
}

interface LanguageFetcherOptions {
  /** Folder for the data; created where it is missing. */
  folder: string;
  /** Each language comes from the first source that has it. Default: npm's packages, then Debian's. */
  sources?: readonly PackageSource[];
}

interface Pinned {
  code: string;
  pin: LanguagePin;
  source: PackageSource;
}

/** A download shared by all callers for one language. */
interface SharedDownload {
  done: Promise<void>;
  latest: Fetched;
  listeners: Set<(fetched: Fetched) => void>;
}

/** Longer than a source may be silent: after this, the other process is considered dead. */
const ABANDONED_MS = 40_000;
/** Interval of checks whether another process is done. */
const POLL_INTERVAL_MS = 250;

export class LanguageFetcher {
  readonly #options: LanguageFetcherOptions;
  readonly #downloads = new Map<string, SharedDownload>();
  readonly #closing = new AbortController();
  #pinned: Promise<ReadonlyMap<string, Pinned>> | undefined;

  constructor(options: LanguageFetcherOptions) {
    this.#options = options;
  }

  /** Codes of all languages that can be fetched, installed or not. */
  async codes(): Promise<string[]> {
    return [...(await this.#allPinned()).keys()];
  }

  async knows(code: string): Promise<boolean> {
    return (await this.#allPinned()).has(code);
  }

  /**
   * Resolves when the language's data is complete in the folder. Concurrent callers, in this process or in others on this
   * machine, share one download.
   * @throws when it cannot be fetched; no partial file is left
   */
  async fetch(code: string, { signal, onProgress }: FetchOptions = {}): Promise<void> {
    const pinned = (await this.#allPinned()).get(code);
    if (!pinned) throw new Error(`${code} is pinned nowhere`);
    signal?.throwIfAborted();
    const download = this.#downloads.get(code) ?? this.#startDownload(pinned);
    const listener = (fetched: Fetched) => onProgress?.(fetched);
    download.listeners.add(listener);
    listener(download.latest);
    try {
      await (signal ? Promise.race([download.done, abortOf(signal)]) : download.done);
    } finally {
      download.listeners.delete(listener);
    }
  }

  /** Aborts all downloads. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('fetching was ended'));
    await Promise.allSettled([...this.#downloads.values()].map(({ done }) => done));
  }

  #allPinned(): Promise<ReadonlyMap<string, Pinned>> {
    this.#pinned ??= (async () => {
      const all = new Map<string, Pinned>();
      for (const source of this.#options.sources ?? [npmPackages(), debianPackages()]) {
        for (const [code, pin] of Object.entries(await source.pins())) {
          if (!all.has(code)) all.set(code, { code, pin, source });
        }
      }
      return all;
    })();
    return this.#pinned;
  }

  #startDownload(pinned: Pinned): SharedDownload {
    const { code, pin } = pinned;
    const listeners: SharedDownload['listeners'] = new Set();
    const download: SharedDownload = {
      latest: { received: 0, of: pin.bytes },
      listeners,
      done: this.#obtain(pinned, (received) => {
        download.latest = { received: Math.min(received, pin.bytes), of: pin.bytes };
        for (const listener of [...listeners]) listener(download.latest);
      }).finally(() => this.#downloads.delete(code)),
    };
    // Without callers, a failure is ignored.
    download.done.catch(() => {});
    this.#downloads.set(code, download);
    return download;
  }

  /** The growing archive file shows other processes that this language is being fetched, and the progress. */
  async #obtain(pinned: Pinned, tell: (received: number) => void): Promise<void> {
    const { code } = pinned;
    const { folder } = this.#options;
    const { signal } = this.#closing;
    await mkdir(folder, { recursive: true });
    const archive = path.join(folder, `${code}.traineddata.fetching`);
    for (;;) {
      signal.throwIfAborted();
      if (await this.#isInstalled(code)) return;
      const handle = await claimArchive(archive);
      if (!handle) {
        tell(await sizeOf(archive));
        await delay(POLL_INTERVAL_MS, undefined, { signal });
        continue;
      }
      try {
        // Another process may have written it since the check.
        if (!(await this.#isInstalled(code))) await this.#download(pinned, handle, archive, tell);
        return;
      } finally {
        if (await isSameFile(handle, archive)) await rm(archive, { force: true });
        await handle.close();
      }
    }
  }

  async #isInstalled(code: string): Promise<boolean> {
    const found = (await findLanguages([this.#options.folder])).find((language) => language.code === code);
    return found?.file !== undefined && found.problem === undefined;
  }

  /** @param file target of `handle` */
  async #download(
    { code, pin, source }: Pinned,
    handle: FileHandle,
    file: string,
    tell: (received: number) => void,
  ): Promise<void> {
    const { signal } = this.#closing;
    const target = path.join(this.#options.folder, `${code}.traineddata`);
    await removeTempFiles(target);
    const [algorithm = ''] = pin.integrity.split('-');
    const hash = createHash(algorithm);
    let received = 0;
    for await (const piece of await source.open(code, pin.version, signal)) {
      received += piece.length;
      if (received > pin.bytes) throw notPinned(code, 'is larger than the one that is pinned');
      hash.update(piece);
      await handle.writeFile(piece);
      tell(received);
    }
    if (`${algorithm}-${hash.digest('base64')}` !== pin.integrity) {
      throw notPinned(code, received < pin.bytes ? 'was cut off' : 'is not the one that is pinned');
    }
    const data = await unpackOne(source.archiveIn(file, signal), pin);
    const problem = problemOf(data);
    if (problem !== undefined) throw notPinned(code, `holds data that ${problem}`);
    await writeAtomically(data, target);
  }
}

const notPinned = (code: string, what: string) => new Error(`the package of ${code} ${what}`);

/** The file to write into, if no other process fetches; undefined otherwise. */
async function claimArchive(archive: string): Promise<FileHandle | undefined> {
  try {
    return await open(archive, 'wx+', 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // Two processes that find it abandoned at once may both start: each then writes its own file, and the data is the same.
  const found = await stat(archive).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(archive, { force: true });
  return undefined;
}

async function isSameFile(handle: FileHandle, file: string): Promise<boolean> {
  const [own, found] = [await handle.stat(), await stat(file).catch(() => undefined)];
  return found !== undefined && found.ino === own.ino && found.dev === own.dev;
}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

/** Written under another name first: readers of the folder must not find an incomplete file. */
async function writeAtomically(data: Uint8Array, target: string): Promise<void> {
  const temp = `${target}.${randomUUID()}.unpacking`;
  try {
    const file = await open(temp, 'wx', 0o644);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, target);
  } finally {
    await rm(temp, { force: true });
  }
}

/** Removes the unfinished files of a killed process. */
async function removeTempFiles(target: string): Promise<void> {
  const [folder, name] = [path.dirname(target), path.basename(target)];
  const tempFiles = (await readdir(folder)).filter(
    (file) => file.startsWith(`${name}.`) && file.endsWith('.unpacking'),
  );
  await Promise.all(tempFiles.map((file) => rm(path.join(folder, file), { force: true })));
}

/** The pinned file of the archive, if it is a regular file; all other entries are skipped. */
async function unpackOne(archive: AsyncIterable<Buffer>, pin: LanguagePin): Promise<Buffer> {
  let data: Promise<Buffer> | undefined;
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      if (data || entry.type !== 'File' || entry.path !== pin.file) {
        entry.resume();
        return;
      }
      data = pin.file.endsWith('.gz') ? unzip(entry, pin.unpacked) : gather(entry, pin.unpacked);
      // Awaited below; until then a failure must not count as unhandled.
      data.catch(() => {});
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve);
    parser.on('error', reject);
  });
  ended.catch(() => {});
  for await (const piece of archive) {
    if (parser.write(piece)) continue;
    await Promise.race([ended, new Promise<void>((resolve) => parser.once('drain', resolve))]);
  }
  parser.end();
  await ended;
  if (!data) throw new Error(`the package holds no ${pin.file}`);
  const whole = await data;
  if (whole.length !== pin.unpacked) throw new Error('the data is smaller than was pinned');
  return whole;
}

const largerThanPinned = () => new Error('the data is larger than was pinned');

/** @param most limit of the unpacked bytes */
async function unzip(packed: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const whole = await gather(packed, Number.POSITIVE_INFINITY);
  return promisify(gunzip)(whole, { maxOutputLength: most }).catch((error) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? largerThanPinned() : error;
  });
}

async function gather(pieces: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    // All of it is read, because the parser blocks on an unread entry.
    if (bytes <= most) kept.push(piece);
  }
  if (bytes > most) throw largerThanPinned();
  return Buffer.concat(kept);
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
