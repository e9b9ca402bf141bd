/** Restricts the files that a client may read to its roots and the command-line folders. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf, ReadFailure } from '../documents.ts';
import { readBelow } from '../folders.ts';

export interface Allowed {
  /** The client's roots; undefined for a client without roots. */
  roots: readonly string[] | undefined;
  /** Command-line folders. If there are none and no roots, the working directory is allowed. */
  folders: readonly string[];
}

/** Maximum size of a file. */
const MAX_BYTES = 500_000_000;

/**
 * Reads a file by its path or `file:` URL. The path is checked after links are resolved, and a file that is replaced after the
 * check is not read.
 * @throws {ReadFailure}
 */
export async function readAllowed(typed: string, allowed: Allowed): Promise<Uint8Array> {
  const [roots, folders] = [
    await realFolders(allowed.roots?.map(pathOf)),
    await realFolders(foldersOf(allowed)),
  ];
  const [first = ''] = roots ?? folders ?? [];
  const path = pathOf(typed);
  const real = await realpath(isAbsolute(path) ? path : resolve(first, path)).catch(() => undefined);
  const isIn = (places: readonly string[] | undefined) =>
    places === undefined || (real !== undefined && places.some((place) => contains(place, real)));
  // Same error for a missing file, so that the existence of files outside is not revealed.
  if (!real || !isIn(roots) || !isIn(folders))
    throw new ReadFailure('not_allowed', `${typed}: no such file in the folders that may be read`);
  const { size } = await stat(real);
  if (size > MAX_BYTES) throw new ReadFailure('too_large', `${typed}: larger than ${MAX_BYTES / 1e6} MB`);
  try {
    return await readBelow(dirname(real), basename(real));
  } catch (error) {
    const { code, message } = failureOf(error);
    throw new ReadFailure(code, `${typed}: ${message}`);
  }
}

function foldersOf({ roots, folders }: Allowed): readonly string[] | undefined {
  if (folders.length > 0) return folders;
  if (roots) return undefined;
  const here = process.cwd();
  // Some clients start servers in the root of the file system.
  if (parse(here).root === here)
    throw new ReadFailure('not_allowed', 'name the folders that may be read: glyphlift mcp FOLDER…');
  return [here];
}

const pathOf = (typed: string) => (typed.startsWith('file://') ? fileURLToPath(typed) : typed);

/** Resolves links; omits missing folders. */
async function realFolders(typed: readonly string[] | undefined): Promise<string[] | undefined> {
  if (!typed) return undefined;
  const real = await Promise.all(typed.map((folder) => realpath(folder).catch(() => undefined)));
  return real.filter((folder) => folder !== undefined);
}

function contains(folder: string, path: string): boolean {
  const within = relative(folder, path);
  return within !== '' && within !== '..' && !within.startsWith(`..${sep}`) && join(folder, within) === path;
}
