import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const MIN_ROOM_BYTES = 2 ** 30;

/**
 * Where databases of tests lie: in memory where the system has room for them. On a disk each commit waits until the disk
 * has synced, which takes seconds while a build writes.
 */
export const dataFolder = (): string => (hasRoom(MEMORY) ? MEMORY : tmpdir());

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_ROOM_BYTES;
  } catch {
    return false;
  }
}
