/**
 * The journal of a watched folder, in `.glyphlift` of the results folder: digests of the files that were read, the names of
 * their results, and failures. Results are staged first and published by a rename, so that a crash at any moment loses
 * nothing: no file is read twice, and no file counts as read without its results.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { appendFile, copyFile, lstat, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from './command-line.ts';
import { makeFolder, makeFolderBelow, printable } from './folders.ts';

/** The state of a file in the watched folder; a change of the file changes its size or its time. */
export interface FileState {
  /** Path relative to the watched folder. */
  name: string;
  size: number;
  mtimeMs: number;
}

export interface JournalEntry extends FileState {
  /** SHA-256 of its content. */
  digest: string;
  /** Paths relative to the results folder; empty for a failure. */
  outputs: string[];
  /** Why it could not be read. */
  reason?: string;
}

/** Folder of completely staged results. Incomplete results are in `DRAFTS`. */
const READY = 'ready';
const DRAFTS = 'drafts';
const LIST = 'journal.jsonl';
const ENTRY = 'entry.json';
export const FAILED = 'failed.txt';

export class Journal {
  readonly #out: string;
  readonly #stateFolder: string;
  readonly #byDigest = new Map<string, JournalEntry>();
  readonly #byName = new Map<string, JournalEntry>();
  /** Names of results that are not published yet. */
  readonly #reservedNames = new Set<string>();

  private constructor(out: string) {
    this.#out = out;
    this.#stateFolder = join(out, '.glyphlift');
  }

  /** Opens the journal and publishes results that the previous run staged completely. */
  static async open(out: string): Promise<Journal> {
    const journal = new Journal(out);
    const stateFolder = journal.#stateFolder;
    await mkdir(join(stateFolder, READY), { recursive: true });
    await rm(join(stateFolder, DRAFTS), { recursive: true, force: true });
    await mkdir(join(stateFolder, DRAFTS), { recursive: true });
    for (const line of (await readFile(join(stateFolder, LIST), 'utf8').catch(() => '')).split('\n')) {
      const entry = entryOf(line);
      if (entry) journal.#remember(entry);
    }
    for (const folder of readdirSync(join(stateFolder, READY))) await journal.#publish(folder);
    await journal.#listFailures();
    return journal;
  }

  /** Whether this unchanged file was already handled. */
  knows({ name, size, mtimeMs }: FileState): boolean {
    const entry = this.#byName.get(name);
    return entry !== undefined && entry.size === size && entry.mtimeMs === mtimeMs;
  }

  /**
   * Handles a file whose content was already read, under any name: copies its results, or nothing if the user has deleted
   * them.
   * @returns false if the content still has to be read
   */
  async reuseResult(seen: FileState, digest: string): Promise<boolean> {
    const before = this.#byDigest.get(digest);
    if (!before) return false;
    const failedElsewhere = before.reason !== undefined && before.name !== seen.name;
    if (failedElsewhere) return false;
    const existing = before.outputs.filter((output) => existsSync(join(this.#out, output)));
    if (before.name === seen.name || existing.length < before.outputs.length || existing.length === 0) {
      await this.#append({ ...before, ...seen });
      return true;
    }
    const endings = before.outputs.map((output) => output.slice(commonStem(before.outputs).length));
    const draft = await this.#draft(digest);
    const outputs = this.#reserveNames(seen.name, endings);
    for (const [at, output] of existing.entries())
      await copyFile(join(this.#out, output), join(draft, String(at)));
    await this.#commit(draft, { ...seen, digest, outputs });
    return true;
  }

  /** Publishes the results of a file. `results`: contents by extension, such as `.pdf`. */
  async finish(
    seen: FileState,
    digest: string,
    results: ReadonlyMap<string, string | Uint8Array>,
  ): Promise<JournalEntry> {
    const draft = await this.#draft(digest);
    const contents = [...results.values()];
    for (const [at, content] of contents.entries()) await writeAndSync(join(draft, String(at)), content);
    const entry = { ...seen, digest, outputs: this.#reserveNames(seen.name, [...results.keys()]) };
    await this.#commit(draft, entry);
    return entry;
  }

  async fail(seen: FileState, digest: string, reason: string): Promise<void> {
    await this.#append({ ...seen, digest, outputs: [], reason });
    await this.#listFailures();
  }

  /** Removes failures of files that no longer exist. */
  async forgetMissing(names: ReadonlySet<string>): Promise<void> {
    const deleted = this.#failures().filter(({ name }) => !names.has(name));
    for (const { name } of deleted) this.#byName.delete(name);
    if (deleted.length > 0) await this.#listFailures();
  }

  get failures(): number {
    return this.#failures().length;
  }

  #failures(): JournalEntry[] {
    return [...this.#byName.values()].filter(({ reason }) => reason !== undefined);
  }

  #remember(entry: JournalEntry): void {
    const before = this.#byDigest.get(entry.digest);
    // A failure of a content that was already read is ignored.
    if (!before || before.reason !== undefined || entry.reason === undefined)
      this.#byDigest.set(entry.digest, entry);
    this.#byName.set(entry.name, entry);
  }

  async #append(entry: JournalEntry): Promise<void> {
    const list = join(this.#stateFolder, LIST);
    // A line truncated by a crash must not corrupt the next one.
    await appendFile(list, `\n${JSON.stringify(entry)}\n`, { flush: true });
    this.#remember(entry);
  }

  async #draft(digest: string): Promise<string> {
    const draft = join(this.#stateFolder, DRAFTS, digest);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    return draft;
  }

  /** Stages the entry. After the rename the file counts as read. */
  async #commit(draft: string, entry: JournalEntry): Promise<void> {
    await writeAndSync(join(draft, ENTRY), JSON.stringify(entry));
    await rename(draft, join(this.#stateFolder, READY, entry.digest));
    await this.#publish(entry.digest);
    await this.#listFailures();
  }

  /** Moves staged results to the results folder. Idempotent, because a previous run may have done some of the steps. */
  async #publish(folder: string): Promise<void> {
    const ready = join(this.#stateFolder, READY, folder);
    if (!existsSync(join(ready, ENTRY))) {
      // The entry is already in the journal, and the process was killed while it removed this folder.
      await rm(ready, { recursive: true, force: true });
      return;
    }
    const entry = entryOf(await readFile(join(ready, ENTRY), 'utf8'));
    if (!entry) throw new Error(`${ready} has an invalid ${ENTRY}`);
    for (const [at, output] of entry.outputs.entries()) {
      const from = join(ready, String(at));
      if (!existsSync(from)) continue;
      await makeFolderBelow(this.#out, dirname(join(this.#out, output)));
      await rename(from, join(this.#out, output));
    }
    if (this.#byName.get(entry.name)?.digest !== entry.digest || !this.knows(entry))
      await this.#append(entry);
    for (const output of entry.outputs) this.#reservedNames.delete(output);
    await rm(ready, { recursive: true, force: true });
  }

  /** Reserves a base name for which no file with any of these extensions exists. */
  #reserveNames(name: string, endings: readonly string[]): string[] {
    const stem = name.replace(/\.[^./\\]+$/, '');
    for (let count = 1; ; count++) {
      const outputs = endings.map((ending) => `${stem}${count === 1 ? '' : `-${count}`}${ending}`);
      if (outputs.some((output) => this.#reservedNames.has(output) || existsSync(join(this.#out, output))))
        continue;
      for (const output of outputs) this.#reservedNames.add(output);
      return outputs;
    }
  }

  async #listFailures(): Promise<void> {
    const file = join(this.#out, FAILED);
    const failures = this.#failures();
    if (failures.length === 0) {
      rmSync(file, { force: true });
      return;
    }
    const lines = failures.map(({ name, reason }) => `${printable(name)}\t${reason}\n`);
    const draft = join(this.#stateFolder, FAILED);
    await writeFile(draft, lines.join(''));
    renameSync(draft, file);
  }
}

/**
 * Locks a results folder for one watcher. The lock of a dead watcher is detected by its process id, or on another machine by
 * the age of its heartbeat.
 * @returns a function that releases the lock; undefined if another watcher has it
 * @throws {UsageError} if another user could have placed files in the state folder
 */
export async function lockFolder(out: string, machine: string): Promise<(() => void) | undefined> {
  const stateFolder = join(out, '.glyphlift');
  const file = join(stateFolder, 'holder.json');
  await makeFolder(out);
  await mkdir(stateFolder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await lstat(stateFolder)).isDirectory()) throw foreignFolderError(stateFolder);
  const mine = () => JSON.stringify({ pid: process.pid, machine, at: Date.now() });
  const holder = holderOf(file);
  if (holder && isAlive(holder, machine)) return undefined;
  rmSync(file, { force: true });
  try {
    await writeFile(file, mine(), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  // Compares the owner with that of a new file, because a network folder may give all files the same owner.
  if ((await lstat(file)).uid !== (await lstat(stateFolder)).uid) {
    rmSync(file, { force: true });
    throw foreignFolderError(stateFolder);
  }
  const heartbeat = setInterval(() => void writeFile(file, mine()).catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  };
}

const foreignFolderError = (stateFolder: string) =>
  new UsageError(
    `${stateFolder} was made by another user, or is a link. Remove it, or choose another folder.`,
  );

const HEARTBEAT_MS = 5_000;
const LOCK_EXPIRY_MS = 30_000;

interface LockHolder {
  pid: number;
  machine: string;
  at: number;
}

function holderOf(file: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, machine, at }: LockHolder, here: string): boolean {
  if (Date.now() - at > LOCK_EXPIRY_MS) return false;
  if (machine !== here) return true;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function entryOf(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry>;
    const { digest, name, size, mtimeMs, outputs } = entry;
    if (!digest || !name || size === undefined || mtimeMs === undefined || !outputs) return undefined;
    return entry as JournalEntry;
  } catch {
    return undefined;
  }
}

function commonStem(outputs: readonly string[]): string {
  const [first = ''] = outputs;
  let length = first.length;
  for (const output of outputs) while (!output.startsWith(first.slice(0, length))) length--;
  const stem = first.slice(0, length);
  // With a single result, the common prefix is its whole name.
  return outputs.length > 1 ? stem.replace(/\.$/, '') : stem.replace(/\.[^./\\]+$/, '');
}

async function writeAndSync(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
