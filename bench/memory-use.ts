/** Memory of the process that recognises, as Linux accounts for it. */
import { readFileSync } from 'node:fs';

export interface MemoryUse {
  /** Bytes resident at this moment. */
  resident: number;
  /** The most bytes that were ever resident at once. */
  peak: number;
}

/** `null` when there is no such process, or the system has no /proc. */
export function memoryOf(pid: number | undefined): MemoryUse | null {
  if (pid === undefined) return null;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
    const [resident, peak] = [bytes('VmRSS'), bytes('VmHWM')];
    return Number.isNaN(resident) || Number.isNaN(peak) ? null : { resident, peak };
  } catch {
    return null;
  }
}

/** Keeps the highest peak over an engine's life, also when its process is replaced on the way. */
export class PeakMemory {
  /** Bytes; `null` while no process was seen. */
  peak: number | null = null;

  look(pid: number | undefined): MemoryUse | null {
    const use = memoryOf(pid);
    if (use) this.peak = Math.max(this.peak ?? 0, use.peak);
    return use;
  }
}
