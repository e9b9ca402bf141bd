/** The files that a client may have read: those in its roots, and in the folders that the command was given. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf, ReadFailure } from '../documents.ts';
import { readBelow } from '../folders.ts';

export interface Allowed {
  /** As the client states them, by its roots; undefined for a client without roots. */
  roots: readonly string[] | undefined;
  /** As they were typed; without any, the folder in which the command runs, for a client without roots. */
  folders: readonly string[];
}

/** A larger file is refused before it is read. */
const MOST_BYTES = 500_000_000;

/**
 * The bytes of a file, by its path or `file:` address. Links are followed to their end before the place is judged, and the
 * file that was judged is the one that is read.
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
    places === undefined || (real !== undefined && places.some((place) => holds(place, real)));
  // Whether a file outside exists is not told either.
  if (!real || !isIn(roots) || !isIn(folders))
    throw new ReadFailure('not_allowed', `${typed}: no such file in the folders that may be read`);
  const { size } = await stat(real);
  if (size > MOST_BYTES) throw new ReadFailure('too_large', `${typed}: larger than ${MOST_BYTES / 1e6} MB`);
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
  // Programs without a folder of their own start others at the top of the file system.
  if (parse(here).root === here)
    throw new ReadFailure('not_allowed', 'name the folders that may be read: glyphlift mcp FOLDER…');
  return [here];
}

const pathOf = (typed: string) => (typed.startsWith('file://') ? fileURLToPath(typed) : typed);

/** A folder that does not exist holds nothing. */
async function realFolders(typed: readonly string[] | undefined): Promise<string[] | undefined> {
  if (!typed) return undefined;
  const real = await Promise.all(typed.map((folder) => realpath(folder).catch(() => undefined)));
  return real.filter((folder) => folder !== undefined);
}

function holds(folder: string, path: string): boolean {
  const within = relative(folder, path);
  return within !== '' && within !== '..' && !within.startsWith(`..${sep}`) && join(folder, within) === path;
}
