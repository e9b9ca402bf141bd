/** Memory and CPU time of processes, from /proc. */
import { readFileSync } from 'node:fs';
import { percentile } from './measure.ts';

export interface MemoryUse {
  /** Resident bytes at the time of the call. */
  resident: number;
  /** Peak of resident bytes. */
  peak: number;
}

/** `null` if there is no such process, or the system has no /proc. */
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

/** Tracks the peak memory of an engine across replaced processes. */
export class PeakMemory {
  /** Bytes; `null` before the first process was measured. */
  peak: number | null = null;

  look(pid: number | undefined): MemoryUse | null {
    const use = memoryOf(pid);
    if (use) this.peak = Math.max(this.peak ?? 0, use.peak);
    return use;
  }
}

/** Pictures per quarter, after a tenth for the warm-up. */
export const quarterOf = (pictures: number) => Math.floor((pictures * 0.9) / 4);

/**
 * Detects growth from the resident memory after each picture. Memory varies with the pictures, and buffers grow up to the
 * largest picture, so the first tenth is left out, and the medians of the first and the last quarter of the rest are compared.
 */
export function growthOf(resident: readonly number[]): { early: number; late: number; growth: number } {
  const quarter = quarterOf(resident.length);
  const warm = resident.slice(resident.length - 4 * quarter);
  const early = percentile(warm.slice(0, quarter), 0.5);
  const late = percentile(warm.slice(-quarter), 0.5);
  return { early, late, growth: late / early };
}

/** Milliseconds per clock tick; Linux reports CPU time in hundredths of a second on every machine. */
const TICK = 10;

/** CPU time of a process with all its threads in milliseconds; 0 if unavailable. */
export function cpuTimeOf(pid: number | undefined): number {
  const [own] = pid === undefined ? [0] : ticksOf(String(pid));
  return own * TICK;
}

/** CPU time of all ended children of this process in milliseconds. */
export function cpuTimeOfEndedChildren(): number {
  return ticksOf('self')[1] * TICK;
}

function ticksOf(process: string): [own: number, endedChildren: number] {
  try {
    // The program's name is in parentheses and may itself contain one, so parsing starts after the last parenthesis.
    const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return [user + system, childUser + childSystem];
  } catch {
    return [0, 0];
  }
}
