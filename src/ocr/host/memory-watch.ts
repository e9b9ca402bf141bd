import { readFile } from 'node:fs/promises';

const LOOK_EVERY_MS = 200;

/**
 * Looks at the memory that a process holds, and tells once when that is more than it may.
 * @returns ends the watch
 */
export function watchMemory(
  pid: number | undefined,
  limit: number,
  onOutgrown: (bytes: number) => void,
): () => void {
  // Other systems than Linux do not tell.
  if (pid === undefined || process.platform !== 'linux') return () => {};
  const timer = setInterval(async () => {
    const bytes = await residentBytes(pid);
    if (bytes <= limit) return;
    clearInterval(timer);
    onOutgrown(bytes);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Memory that a process holds; 0 for one that has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
