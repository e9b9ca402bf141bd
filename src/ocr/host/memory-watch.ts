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

/** 0 for a process that has ended. */
async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
