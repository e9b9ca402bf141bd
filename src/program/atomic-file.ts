/** Atomic writes: a file appears complete or not at all, even after a crash. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const unfinished = new Set<string>();

/** Writes to a temporary file in the same folder and renames it. An existing file is replaced. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  // Random, because another user could create a symlink with a predictable name.
  const temporary = join(dirname(file), `.${randomBytes(8).toString('hex')}.part`);
  unfinished.add(temporary);
  try {
    // Created synchronously, so that a signal handler can always delete it.
    closeSync(openSync(temporary, 'wx'));
    const handle = await open(temporary, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    unfinished.delete(temporary);
  }
}

/** Temporary files of unfinished writes, for deletion in an exit handler. */
export const pendingTempFiles = (): string[] => [...unfinished];
