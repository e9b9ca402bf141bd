/** Ends a run early: on a signal, or at the end of the npm command that started it. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const LOOK_EVERY_MS = 500;

/**
 * Ends the process at once on a signal: a picture with interrupted readers must not be recorded. All results must be on the
 * disk already. The engine's process ends with this one.
 *
 * The shell between `npm run` and this process forwards no signal, so a run whose npm was stopped would continue unnoticed.
 * @param message printed before
 */
export function stopEarly(message: () => string): void {
  const stop = (signal: (typeof SIGNALS)[number]) => {
    console.error(`\n${message()}`);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, () => stop(signal));
  const started = startersOf(process.ppid, processOf);
  if (started.length === 0) return;
  const isGone = ({ pid, command }: Started) => processOf(pid)?.command !== command;
  setInterval(() => started.some(isGone) && stop('SIGHUP'), LOOK_EVERY_MS).unref();
}

interface Started {
  pid: number;
  command: string;
}

type FindProcess = (pid: number) => { command: string; parent: number } | null;

/** The processes from this one up to npm; empty where npm did not start it, or the system does not report it. */
export function startersOf(pid: number, find: FindProcess): Started[] {
  const chain: Started[] = [];
  for (let at = pid; at > 1; ) {
    const found = find(at);
    if (!found) break;
    chain.push({ pid: at, command: found.command });
    if (/^(?:npm |\S*node\S* \S*npm-cli\.js )/.test(found.command)) return chain;
    at = found.parent;
  }
  return [];
}

/** From Linux's /proc. An ended process that is not collected yet has no command. */
const processOf: FindProcess = (pid) => {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { command, parent: Number(parent ?? 0) };
  } catch {
    return null;
  }
};
