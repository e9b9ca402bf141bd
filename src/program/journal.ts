/**
 * The journal of a watched folder, in `.glyphlift` of the results' folder: which contents were read, under which names,
 * and which could not be. Results are staged in it first and moved in one step, so that an end at any moment leaves
 * either nothing or all that is needed to continue: nothing is read twice, and nothing counts as read that is not.
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
  /** SHA-256 of what was in it. */
  digest: string;
  /** Below the folder of the results; empty where it could not be read. */
  outputs: string[];
  /** Why it could not be read. */
  reason?: string;
}

/** Its name says what is in it, and that it is whole. */
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
  /** Names that are promised to results which are not there yet. */
  readonly #promised = new Set<string>();

  private constructor(out: string) {
    this.#out = out;
    this.#own = join(out, '.glyphlift');
  }

  /** Finishes what the previous run had started. */
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

  /** Whether this file, unchanged since, was dealt with before. */
  knows({ name, size, mtimeMs }: Seen): boolean {
    const entry = this.#byName.get(name);
    return entry !== undefined && entry.size === size && entry.mtimeMs === mtimeMs;
  }

  /** Handles a content that was read before, under any name: its results exist, or their owner has removed them. */
  async meetsAgain(seen: Seen, digest: string): Promise<boolean> {
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

  /** Files that are gone or have been read are no failures any more. */
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
    // Of a content that was read once, a failure says nothing.
    if (!before || before.reason !== undefined || entry.reason === undefined)
      this.#byDigest.set(entry.digest, entry);
    this.#byName.set(entry.name, entry);
  }

  async #append(entry: JournalEntry): Promise<void> {
    const list = join(this.#own, LIST);
    // A line that an end cut off must not spoil the next one.
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

  /** Every step of it may be done already. */
  async #takeOver(folder: string): Promise<void> {
    const ready = join(this.#own, READY, folder);
    if (!existsSync(join(ready, ENTRY))) {
      // It had its entry when it was laid here: all was taken over, and an end came while it was being removed.
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

  /** Names that are free for all of these endings. */
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
 * Only one watcher may write into a folder. A watcher that died is recognized by its process, or, on another machine,
 * by its silence for a while.
 * @returns a function that releases the folder; undefined where another watcher holds it
 * @throws {UsageError} where another user could have placed files that would be taken for the watcher's own
 */
export async function holdFolder(out: string, machine: string): Promise<(() => void) | undefined> {
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
  // Compared with what was just made here: where a network folder gives all files one owner, that is the same one.
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
  // One result alone shares all of itself.
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
