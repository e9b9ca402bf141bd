/** The inputs: files, contents of folders, standard input. */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isOwn, readBelow } from './folders.ts';

export interface Source {
  /** As it was typed, or found below what was typed. */
  name: string;
  /** Path of its results below the folder that they go to, without an ending. */
  stem: string;
  bytes(): Promise<Uint8Array>;
}

/** Files with these endings are found in folders; files that were named are judged by their bytes. */
const READ = /\.(png|jpe?g|jpe|jfif|webp|gif|bmp|tiff?|hei[cf]|avif|pdf)$/i;
const inOrder = new Intl.Collator('en', { numeric: true });

export interface FoundFile {
  path: string;
  isLink: boolean;
}

/** Pictures and PDFs below a folder, in natural order, without hidden files. */
export async function picturesBelow(folder: string): Promise<FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((one, other) => inOrder.compare(one.name, other.name));
  const found = await Promise.all(
    entries.map(async (entry): Promise<FoundFile[]> => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) return [];
      if (entry.isDirectory()) return picturesBelow(path);
      const isLink = entry.isSymbolicLink();
      return (entry.isFile() || isLink) && READ.test(entry.name) ? [{ path, isLink }] : [];
    }),
  );
  return found.flat();
}

interface Named {
  /** As it is named in messages. */
  path: string;
  /** Its place below the folder that results go to. */
  within: string;
  bytes(): Promise<Uint8Array>;
}

/** A typed path that does not exist is a source too, whose bytes cannot be read: it is reported with the other failures. */
export async function sourcesOf(typed: readonly string[]): Promise<{
  sources: Source[];
  emptyFolders: string[];
  /** Links that another user has placed in a folder: they may lead to files that only this user may read. */
  foreignLinks: string[];
}> {
  const emptyFolders: string[] = [];
  const foreignLinks: string[] = [];
  const found: Named[] = [];
  for (const path of typed) {
    const about = path === '-' ? undefined : await stat(path).catch(() => undefined);
    if (!about?.isDirectory()) {
      const bytes = async () =>
        new Uint8Array(path === '-' ? await buffer(process.stdin) : await readFile(path));
      found.push({ path, within: path === '-' ? 'stdin' : basename(path), bytes });
      continue;
    }
    const below = await picturesBelow(path);
    if (below.length === 0) emptyFolders.push(path);
    for (const { path: file, isLink } of below) {
      const within = relative(path, file);
      if (!isLink) found.push({ path: file, within, bytes: () => readBelow(path, within) });
      else if (!isOwn(await lstat(file))) foreignLinks.push(file);
      else {
        // The path is resolved now: it cannot be redirected until it is read.
        const target = realpath(file);
        target.catch(() => {});
        const bytes = async () => readBelow(dirname(await target), basename(await target));
        found.push({ path: file, within, bytes });
      }
    }
  }
  const stems = stemsOf(found.map(({ within }) => within));
  const sources = found.map(({ path, bytes }, index) => ({
    name: path === '-' ? 'standard input' : path,
    stem: stems[index]!,
    bytes,
  }));
  return { sources, emptyFolders, foreignLinks };
}

/**
 * A path without an ending for each file. Files that differ only in their endings keep their whole names; remaining
 * duplicates are numbered. Many file systems do not distinguish case, nor the two ways to write an accent.
 */
export function stemsOf(names: readonly string[]): string[] {
  const keyOf = (stem: string) => stem.normalize('NFC').toLowerCase();
  const namesOf = new Map<string, Set<string>>();
  for (const name of names) {
    const key = keyOf(withoutEnding(name));
    namesOf.set(key, (namesOf.get(key) ?? new Set()).add(keyOf(name)));
  }
  const taken = new Set<string>();
  return names.map((name) => {
    const bare = withoutEnding(name);
    const stem = namesOf.get(keyOf(bare))!.size > 1 ? name : bare;
    let free = stem;
    for (let count = 2; taken.has(keyOf(free)); count += 1) free = `${stem}-${count}`;
    taken.add(keyOf(free));
    return free;
  });
}

const withoutEnding = (path: string) => path.slice(0, path.length - extname(path).length);
