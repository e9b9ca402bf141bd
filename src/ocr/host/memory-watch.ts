import { readFile } from 'node:fs/promises';

const POLL_INTERVAL_MS = 200;

/**
 * Polls the memory of a process, and reports once when it exceeds its limit.
 * @returns ends the watch
 */
export function watchMemory(
  pid: number | undefined,
  limit: number,
  onMemoryExceeded: (bytes: number) => void,
): () => void {
  // Other systems than Linux do not report it.
  if (pid === undefined || process.platform !== 'linux') return () => {};
  let isOver = false;
  const end = () => {
    isOver = true;
    clearInterval(timer);
  };
  const timer = setInterval(async () => {
    const bytes = await residentBytes(pid);
    // On a busy machine several of these reads run at once, also when the watch ends.
    if (isOver || bytes <= limit) return;
    end();
    onMemoryExceeded(bytes);
  }, POLL_INTERVAL_MS);
  timer.unref();
  return end;
}

/** Resident memory of a process in bytes; 0 for one that has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
