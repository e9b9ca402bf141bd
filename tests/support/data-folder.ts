import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 30;

/**
 * Folder for the databases of tests: in memory if there is enough space. On a disk each commit waits for a sync, which takes
 * seconds while a build writes.
 */
export const dataFolder = (): string => (hasSpace(MEMORY) ? MEMORY : tmpdir());

function hasSpace(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
