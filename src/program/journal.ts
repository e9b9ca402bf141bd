/**
 * The journal of a watched folder, in `.glyphlift` of the results folder: contents that were read, the names of their
 * results, and failures. Results are staged first and moved in one step, so that a crash at any moment loses nothing: no
 * file is read twice, and none counts as read without its results.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { appendFile, copyFile, lstat, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from './command-line.ts';
import { makeFolder, makeFolderBelow, printable } from './folders.ts';

/** A file in the watched folder; any change of it changes one of these. */
export interface Seen {
  /** Below the watched folder. */
  name: string;
  size: number;
  mtimeMs: number;
}

export interface JournalEntry extends Seen {
  /** SHA-256 of its content. */
  digest: string;
  /** Paths below the results folder; empty for a failure. */
  outputs: string[];
  /** Why it could not be read. */
  reason?: string;
}

/** Folder of staged results; its name marks it as complete. */
const READY = 'ready';
const DRAFTS = 'drafts';
const LIST = 'journal.jsonl';
const ENTRY = 'entry.json';
export const FAILED = 'failed.txt';

export class Journal {
  readonly #out: string;
  readonly #own: string;
  readonly #byDigest = new Map<string, JournalEntry>();
  readonly #byName = new Map<string, JournalEntry>();
  /** Names reserved for results that are not written yet. */
  readonly #promised = new Set<string>();

  private constructor(out: string) {
    this.#out = out;
    this.#own = join(out, '.glyphlift');
  }

  /** Completes staged results of the previous run. */
  static async open(out: string): Promise<Journal> {
    const journal = new Journal(out);
    const own = journal.#own;
    await mkdir(join(own, READY), { recursive: true });
    await rm(join(own, DRAFTS), { recursive: true, force: true });
    await mkdir(join(own, DRAFTS), { recursive: true });
    for (const line of (await readFile(join(own, LIST), 'utf8').catch(() => '')).split('\n')) {
      const entry = entryOf(line);
      if (entry) journal.#remember(entry);
    }
    for (const folder of readdirSync(join(own, READY))) await journal.#takeOver(folder);
    await journal.#listFailures();
    return journal;
  }

  /** Whether this unchanged file was already handled. */
  knows({ name, size, mtimeMs }: Seen): boolean {
    const entry = this.#byName.get(name);
    return entry !== undefined && entry.size === size && entry.mtimeMs === mtimeMs;
  }

  /** Handles a content that was already read, under any name: its results exist, or the user has deleted them. */
  async reuseResult(seen: Seen, digest: string): Promise<boolean> {
    const before = this.#byDigest.get(digest);
    if (!before) return false;
    const failedElsewhere = before.reason !== undefined && before.name !== seen.name;
    if (failedElsewhere) return false;
    const there = before.outputs.filter((output) => existsSync(join(this.#out, output)));
    if (before.name === seen.name || there.length < before.outputs.length || there.length === 0) {
      await this.#append({ ...before, ...seen });
      return true;
    }
    const endings = before.outputs.map((output) => output.slice(commonStem(before.outputs).length));
    const draft = await this.#draft(digest);
    const outputs = this.#promise(seen.name, endings);
    for (const [at, output] of there.entries())
      await copyFile(join(this.#out, output), join(draft, String(at)));
    await this.#commit(draft, { ...seen, digest, outputs });
    return true;
  }

  /** `results`: by ending, such as `.pdf`. */
  async finish(
    seen: Seen,
    digest: string,
    results: ReadonlyMap<string, string | Uint8Array>,
  ): Promise<JournalEntry> {
    const draft = await this.#draft(digest);
    const contents = [...results.values()];
    for (const [at, content] of contents.entries()) await writeThrough(join(draft, String(at)), content);
    const entry = { ...seen, digest, outputs: this.#promise(seen.name, [...results.keys()]) };
    await this.#commit(draft, entry);
    return entry;
  }

  async fail(seen: Seen, digest: string, reason: string): Promise<void> {
    await this.#append({ ...seen, digest, outputs: [], reason });
    await this.#listFailures();
  }

  /** Removes failures of files that were deleted or read. */
  async forgetAllBut(names: ReadonlySet<string>): Promise<void> {
    const gone = this.#failures().filter(({ name }) => !names.has(name));
    for (const { name } of gone) this.#byName.delete(name);
    if (gone.length > 0) await this.#listFailures();
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
    const list = join(this.#own, LIST);
    // A line truncated by a crash must not corrupt the next one.
    await appendFile(list, `\n${JSON.stringify(entry)}\n`, { flush: true });
    this.#remember(entry);
  }

  async #draft(digest: string): Promise<string> {
    const draft = join(this.#own, DRAFTS, digest);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    return draft;
  }

  /** From here on it counts as read. */
  async #commit(draft: string, entry: JournalEntry): Promise<void> {
    await writeThrough(join(draft, ENTRY), JSON.stringify(entry));
    await rename(draft, join(this.#own, READY, entry.digest));
    await this.#takeOver(entry.digest);
    await this.#listFailures();
  }

  /** Idempotent: each step may already be done. */
  async #takeOver(folder: string): Promise<void> {
    const ready = join(this.#own, READY, folder);
    if (!existsSync(join(ready, ENTRY))) {
      // It is in the journal, so its results are in place, and the process was killed while removing it.
      await rm(ready, { recursive: true, force: true });
      return;
    }
    const entry = entryOf(await readFile(join(ready, ENTRY), 'utf8'));
    if (!entry) throw new Error(`${ready} is not what it was left as`);
    for (const [at, output] of entry.outputs.entries()) {
      const from = join(ready, String(at));
      if (!existsSync(from)) continue;
      await makeFolderBelow(this.#out, dirname(join(this.#out, output)));
      await rename(from, join(this.#out, output));
    }
    if (this.#byName.get(entry.name)?.digest !== entry.digest || !this.knows(entry))
      await this.#append(entry);
    for (const output of entry.outputs) this.#promised.delete(output);
    await rm(ready, { recursive: true, force: true });
  }

  /** A base name that is free for all of these extensions. */
  #promise(name: string, endings: readonly string[]): string[] {
    const stem = name.replace(/\.[^./\\]+$/, '');
    for (let count = 1; ; count++) {
      const outputs = endings.map((ending) => `${stem}${count === 1 ? '' : `-${count}`}${ending}`);
      if (outputs.some((output) => this.#promised.has(output) || existsSync(join(this.#out, output))))
        continue;
      for (const output of outputs) this.#promised.add(output);
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
    const draft = join(this.#own, FAILED);
    await writeFile(draft, lines.join(''));
    renameSync(draft, file);
  }
}

/**
 * Locks a results folder for one watcher. The lock of a dead watcher is detected by its process id, or on another machine by
 * its age.
 * @returns a function that releases the folder; undefined if another watcher holds it
 * @throws {UsageError} if another user could have placed files in the watcher's own folder
 */
export async function lockFolder(out: string, machine: string): Promise<(() => void) | undefined> {
  const own = join(out, '.glyphlift');
  const file = join(own, 'holder.json');
  await makeFolder(out);
  await mkdir(own, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await lstat(own)).isDirectory()) throw notOwn(own);
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
  // Compared with a file created here, because a network folder may give all files the same owner.
  if ((await lstat(file)).uid !== (await lstat(own)).uid) {
    rmSync(file, { force: true });
    throw notOwn(own);
  }
  const beat = setInterval(() => void writeFile(file, mine()).catch(() => {}), HEARD_EVERY_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
}

const notOwn = (own: string) =>
  new UsageError(`${own} was made by another user, or is a link. Remove it, or choose another folder.`);

const HEARD_EVERY_MS = 5_000;
const SILENT_MS = 30_000;

interface Holder {
  pid: number;
  machine: string;
  at: number;
}

function holderOf(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, machine, at }: Holder, here: string): boolean {
  if (Date.now() - at > SILENT_MS) return false;
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
  // A single result is its own common prefix.
  return outputs.length > 1 ? stem.replace(/\.$/, '') : stem.replace(/\.[^./\\]+$/, '');
}

async function writeThrough(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
