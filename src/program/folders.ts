/** Safe use of shared folders: links of other users are not followed, and file names are escaped for the terminal. */
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** Whether a file belongs to the current user; true on systems without user ids. */
export const isOwn = ({ uid }: Pick<Stats, 'uid'>) =>
  process.getuid === undefined || process.getuid() === uid;

/** Control characters, line separators and bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Escapes a file name for a terminal or a log. */
export const printable = (text: string) =>
  text.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Reads a file below a folder. Fails if the file or one of its parent folders was replaced by a link or a pipe.
 */
export async function readBelow(folder: string, name: string): Promise<Uint8Array> {
  const path = join(folder, name);
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const handle = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const [openedStats, pathStats, real, above] = await Promise.all([
      handle.stat({ bigint: true }),
      lstat(path, { bigint: true }),
      realpath(path),
      realpath(folder),
    ]);
    const isSame = openedStats.ino === pathStats.ino && openedStats.dev === pathStats.dev;
    if (!openedStats.isFile() || !isSame || real !== join(above, name)) throw withCode('ELOOP', path);
    return new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder with its parents. Node's own `recursive` never returns if the system reports ENOENT for an existing
 * folder, as Linux does below `/proc`.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOneFolder(folder);
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    await makeFolder(above);
    await makeOneFolder(folder);
  }
}

async function makeOneFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  }
}

/** Creates a folder below `root`, with the folders between them. A link among these must belong to the same user. */
export async function makeFolderBelow(root: string, folder: string): Promise<void> {
  await makeFolder(root);
  let path = root;
  for (const part of relative(root, folder).split(sep).filter(Boolean)) {
    path = join(path, part);
    await makeFolder(path);
    const stats = await lstat(path);
    if (stats.isSymbolicLink() && !isOwn(stats)) throw withCode('ELOOP', path);
  }
}

const withCode = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code, path });
