import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK = 1 << 20;

/**
 * Finds the files below a folder that contain one of the strings. Skips files that are deleted meanwhile.
 */
export async function filesContaining(folder: string, searchStrings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const match = await firstMatchIn(file, searchStrings.map(Buffer.from)).catch((error) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (match !== undefined) found.push(`${file}: ${match}`);
  }
  return found;
}

async function firstMatchIn(path: string, searchStrings: readonly Buffer[]): Promise<string | undefined> {
  const overlap = Math.max(...searchStrings.map((match) => match.length)) - 1;
  const file = await open(path, 'r');
  try {
    const window = Buffer.alloc(overlap + CHUNK);
    let overlapLength = 0;
    for (;;) {
      const { bytesRead } = await file.read(window, overlapLength, CHUNK);
      if (bytesRead === 0) return undefined;
      const content = window.subarray(0, overlapLength + bytesRead);
      const match = searchStrings.find((one) => content.includes(one));
      if (match) return match.toString();
      // A string may span two chunks.
      const tail = content.subarray(Math.max(0, content.length - overlap));
      overlapLength = tail.copy(window, 0);
    }
  } finally {
    await file.close();
  }
}
