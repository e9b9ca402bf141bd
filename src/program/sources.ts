/** Finds the input files: named files, the contents of folders, and standard input. */

import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { itemAt, required } from '#formats/checked';
import { isOwn, readBelow } from './folders.ts';

export interface Source {
  /** Path for messages. */
  name: string;
  /** Path of its results below the output folder, without an extension. */
  stem: string;
  bytes(): Promise<Uint8Array>;
}

/** Extensions that are read in folders. Files named on the command line may have any extension. */
const SUPPORTED_EXTENSIONS = /\.(png|jpe?g|jpe|jfif|webp|gif|bmp|tiff?|hei[cf]|avif|pdf)$/i;
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
      return (entry.isFile() || isLink) && SUPPORTED_EXTENSIONS.test(entry.name) ? [{ path, isLink }] : [];
    }),
  );
  return found.flat();
}

interface FoundInput {
  /** Path from the command line, or of a file found in such a folder. */
  path: string;
  /** Path relative to the folder in which it was found. */
  within: string;
  bytes(): Promise<Uint8Array>;
}

/** The inputs for the given paths. A missing path is also a source, so that it is reported with other failures. */
export async function sourcesOf(typed: readonly string[]): Promise<{
  sources: Source[];
  emptyFolders: string[];
  /** Links of other users in a folder. They could point to private files of this user, so they are not followed. */
  foreignLinks: string[];
}> {
  const emptyFolders: string[] = [];
  const foreignLinks: string[] = [];
  const found: FoundInput[] = [];
  for (const path of typed) {
    const stats = path === '-' ? undefined : await stat(path).catch(() => undefined);
    if (!stats?.isDirectory()) {
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
        // The path is resolved now, so that it cannot be redirected before it is read.
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
    stem: itemAt(stems, index),
    bytes,
  }));
  return { sources, emptyFolders, foreignLinks };
}

/**
 * A unique path without an extension for each file. Files that differ only in their extension keep it; other duplicates are
 * numbered. Compared without case and after Unicode normalization, because many file systems ignore both.
 */
export function stemsOf(names: readonly string[]): string[] {
  const keyOf = (stem: string) => stem.normalize('NFC').toLowerCase();
  const namesOf = new Map<string, Set<string>>();
  for (const name of names) {
    const key = keyOf(withoutExtensionOf(name));
    namesOf.set(key, (namesOf.get(key) ?? new Set()).add(keyOf(name)));
  }
  const taken = new Set<string>();
  return names.map((name) => {
    const withoutExtension = withoutExtensionOf(name);
    const stem = required(namesOf.get(keyOf(withoutExtension))).size > 1 ? name : withoutExtension;
    let free = stem;
    for (let count = 2; taken.has(keyOf(free)); count += 1) free = `${stem}-${count}`;
    taken.add(keyOf(free));
    return free;
  });
}

const withoutExtensionOf = (path: string) => path.slice(0, path.length - extname(path).length);
