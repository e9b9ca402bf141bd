import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK = 1 << 20;

/**
 * Files below a folder that contain one of the marks. Files that are deleted meanwhile are skipped.
 */
export async function filesWith(folder: string, marks: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const mark = await firstMarkIn(file, marks.map(Buffer.from)).catch((error) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (mark !== undefined) found.push(`${file}: ${mark}`);
  }
  return found;
}

async function firstMarkIn(path: string, marks: readonly Buffer[]): Promise<string | undefined> {
  const overlap = Math.max(...marks.map((mark) => mark.length)) - 1;
  const file = await open(path, 'r');
  try {
    const window = Buffer.alloc(overlap + CHUNK);
    let kept = 0;
    for (;;) {
      const { bytesRead } = await file.read(window, kept, CHUNK);
      if (bytesRead === 0) return undefined;
      const seen = window.subarray(0, kept + bytesRead);
      const mark = marks.find((one) => seen.includes(one));
      if (mark) return mark.toString();
      // A mark may span two chunks.
      const tail = seen.subarray(Math.max(0, seen.length - overlap));
      kept = tail.copy(window, 0);
    }
  } finally {
    await file.close();
  }
}
