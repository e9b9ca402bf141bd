/** What is to be read: files, what folders hold, standard input. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';

export interface Source {
  /** As it was typed, or found below what was typed. */
  name: string;
  /** Path of its results below the folder that they go to, without an ending. */
  stem: string;
  bytes(): Promise<Uint8Array>;
}

/** Files of these endings are looked at in a folder; whatever was named itself is judged by its bytes. */
const READ = /\.(png|jpe?g|jpe|jfif|webp|gif|bmp|tiff?|hei[cf]|avif|pdf)$/i;
const inOrder = new Intl.Collator('en', { numeric: true });

/** Pictures and PDFs below a folder, in the order in which people count; neither hidden ones nor what links lead to. */
export async function picturesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((one, other) => inOrder.compare(one.name, other.name));
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) return [];
      if (entry.isDirectory()) return picturesBelow(path);
      return entry.isFile() && READ.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

/** What was typed and is not there is a source too, whose bytes cannot be had: it is told with the others' failures. */
export async function sourcesOf(
  typed: readonly string[],
): Promise<{ sources: Source[]; emptyFolders: string[] }> {
  const emptyFolders: string[] = [];
  const found: { path: string; within: string }[] = [];
  for (const path of typed) {
    const about = path === '-' ? undefined : await stat(path).catch(() => undefined);
    if (!about?.isDirectory()) {
      found.push({ path, within: basename(path) });
      continue;
    }
    const below = await picturesBelow(path);
    if (below.length === 0) emptyFolders.push(path);
    found.push(...below.map((file) => ({ path: file, within: relative(path, file) })));
  }
  const stems = found.map(({ path, within }) => (path === '-' ? 'stdin' : withoutEnding(within)));
  const sources = found.map(({ path, within }, index) => {
    // Two that would lie in one place keep their whole names.
    const shared = stems.filter((stem) => stem === stems[index]).length > 1;
    return {
      name: path === '-' ? 'standard input' : path,
      stem: shared ? within : stems[index]!,
      bytes: async () => new Uint8Array(path === '-' ? await buffer(process.stdin) : await readFile(path)),
    };
  });
  return { sources, emptyFolders };
}

export const withoutEnding = (path: string) => path.slice(0, path.length - extname(path).length);
