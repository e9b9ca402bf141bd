/** Memory of the processes that recognise, as Linux accounts for it. */
import { readdirSync, readFileSync } from 'node:fs';

export interface MemoryUse {
  pid: number;
  /** Bytes resident at this moment. */
  resident: number;
  /** The most bytes that were ever resident at once. */
  peak: number;
}

/** The descendant of this process with the highest peak: the one that recognises. `null` off Linux or without one. */
export function recogniserMemory(): MemoryUse | null {
  const uses = descendants(process.pid).flatMap((pid) => memoryOf(pid) ?? []);
  return uses.reduce<MemoryUse | null>((most, one) => (most && most.peak >= one.peak ? most : one), null);
}

/** Keeps the highest peak over the recogniser's life, also when the process is replaced on the way. */
export class PeakMemory {
  /** Bytes; `null` while no recogniser was seen. */
  peak: number | null = null;

  look(): void {
    const use = recogniserMemory();
    if (use) this.peak = Math.max(this.peak ?? 0, use.peak);
  }
}

/** `null` once the process is gone. */
export function memoryOf(pid: number): MemoryUse | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
    const [resident, peak] = [bytes('VmRSS'), bytes('VmHWM')];
    return Number.isNaN(resident) || Number.isNaN(peak) ? null : { pid, resident, peak };
  } catch {
    return null;
  }
}

function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of parents()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found: number[] = [];
  const queue = [root];
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    const next = children.get(pid) ?? [];
    found.push(...next);
    queue.push(...next);
  }
  return found;
}

function parents(): [pid: number, parent: number][] {
  let entries: string[];
  try {
    entries = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    try {
      // The program's name stands in brackets and may hold anything, a bracket too: read on from the last one.
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [[Number(entry), parent] as [number, number]];
    } catch {
      return [];
    }
  });
}
