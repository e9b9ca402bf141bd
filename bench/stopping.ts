/** Ends a run on a signal, or when the npm command that started it ends. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CHECK_INTERVAL_MS = 500;

/**
 * Ends the process immediately on a signal, because a picture with interrupted readers must not be recorded. All results must
 * already be on the disk. The engine's process ends with this one.
 *
 * Also watches npm, because the shell between `npm run` and this process does not forward signals.
 * @param message printed before the end
 */
export function stopEarly(message: () => string): void {
  const stop = (signal: (typeof SIGNALS)[number]) => {
    console.error(`\n${message()}`);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, () => stop(signal));
  const started = ancestorsUpToNpm(process.ppid, processOf);
  if (started.length === 0) return;
  const isGone = ({ pid, command }: AncestorProcess) => processOf(pid)?.command !== command;
  setInterval(() => started.some(isGone) && stop('SIGHUP'), CHECK_INTERVAL_MS).unref();
}

interface AncestorProcess {
  pid: number;
  command: string;
}

type FindProcess = (pid: number) => { command: string; parent: number } | null;

/** The processes from this one up to npm; empty if npm did not start it, or the system does not report it. */
export function ancestorsUpToNpm(pid: number, find: FindProcess): AncestorProcess[] {
  const chain: AncestorProcess[] = [];
  for (let at = pid; at > 1; ) {
    const found = find(at);
    if (!found) break;
    chain.push({ pid: at, command: found.command });
    if (/^(?:npm |\S*node\S* \S*npm-cli\.js )/.test(found.command)) return chain;
    at = found.parent;
  }
  return [];
}

/** Reads /proc. A zombie process has no command. */
const processOf: FindProcess = (pid) => {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { command, parent: Number(parent ?? 0) };
  } catch {
    return null;
  }
};
