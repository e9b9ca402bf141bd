/**
 * The sandbox of the recognition process, on Linux, built with common programs (bubblewrap, util-linux). Missing programs
 * weaken the sandbox, which is reported; with mode `require`, no process starts then.
 */

import { execFile, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { required } from '../checked.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { ConfinementLayer, ConfinementReport } from '../types.ts';
import { PROBE, type ProbeAnswer } from './confinement-probe.ts';

/** `require`: no process starts unless every layer of its sandbox is active. */
export type ConfinementMode = 'auto' | 'off' | 'require';

export interface ConfinementOptions {
  mode: ConfinementMode;
  /** Files and folders that the process reads, besides Node and the system's libraries. Missing ones are left out. */
  readable: readonly string[];
  /** Memory limit of the process, in bytes. */
  memoryLimit: number;
}

/** Start command of a confined process: `command`, then `args`, then Node's own arguments. */
export interface Launcher {
  command: string;
  args: readonly string[];
  /** Number of wrapper processes above Node's: 0 if Node replaces the command's process. */
  forks: number;
}

export interface Confinement {
  launcher: Launcher;
  report: ConfinementReport;
}

/** An unused id: systems assign neither this user nor this group. */
const OWN_USER = 65_533;

/** The memory watch ends slow growth at the limit; the kernel limit, 25 % higher, catches faster growth. */
const HEADROOM = 1.25;
/**
 * Bytes that V8 reserves for each thread and never touches; the kernel counts them as the process' own.
 * Measured: 530 MB on Node 24.21, 12 MB on Node 20.20.
 */
const RESERVED_PER_THREAD = (Number.parseInt(process.versions.node, 10) >= 22 ? 640 : 32) * 2 ** 20;
/** Besides the recognition threads: the main thread and the decoding thread. From sources each has a loader thread. */
const OTHER_THREADS = 2;
const OS_THREADS_PER_WORKER = import.meta.url.endsWith('.ts') ? 2 : 1;

/**
 * Kernel limit in bytes for a process that may hold `memoryLimit` bytes, which the memory watch enforces.
 * @param threads recognition threads
 */
export function kernelLimitFor(memoryLimit: number, threads: number): number {
  const reserved = (threads + OTHER_THREADS) * OS_THREADS_PER_WORKER * RESERVED_PER_THREAD;
  return Math.round(memoryLimit * HEADROOM + reserved);
}

/** Folders of shared libraries. */
const LIBRARIES = [
  '/lib',
  '/lib32',
  '/lib64',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/local/lib',
  '/nix/store',
];

/** Files from which libraries read the properties of the machine. */
const MACHINE = ['/etc/ld.so.cache', '/sys/devices/system/cpu'];

const PROBE_LIMIT_MS = 20_000;

const LAYERS = [
  'network',
  'files',
  'processes',
  'privileges',
  'user',
  'memory',
] as const satisfies readonly ConfinementLayer[];

const unconfined: Launcher = { command: process.execPath, args: [], forks: 0 };

/** The parts of the host system that the sandbox depends on. */
export interface Machine {
  /** Absolute path of a program. */
  find(name: string): string | undefined;
  isRoot: boolean;
}

const thisMachine: Machine = { find: findProgram, isRoot: process.getuid?.() === 0 };

/** Each configuration is probed once per process, because the result does not change. */
const found = new Map<string, Promise<Confinement>>();

/**
 * The strongest sandbox that works here: each one is tried with a probe that reports its remaining capabilities.
 * @throws {OcrError} `internal` in mode `require` if a layer is missing
 */
export function findConfinement(options: ConfinementOptions): Promise<Confinement> {
  const key = JSON.stringify(options);
  const answer = found.get(key) ?? confinementOn(thisMachine, options);
  found.set(key, answer);
  return answer;
}

export async function confinementOn(machine: Machine, options: ConfinementOptions): Promise<Confinement> {
  const confinement = await strongest(machine, options);
  // Without the right to change users, all other layers are still available.
  const missing = Object.entries(confinement.report.off).filter(
    ([layer]) => machine.isRoot || layer !== 'user',
  );
  if (options.mode === 'require' && missing.length > 0) {
    const reasons = missing.map(([layer, why]) => `${layer} (${why})`).join(', ');
    throw new OcrError(
      OCR_ERRORS.internal,
      `the recognition process cannot be confined as required: ${reasons}`,
    );
  }
  return confinement;
}

async function strongest(
  machine: Machine,
  { mode, readable, memoryLimit }: ConfinementOptions,
): Promise<Confinement> {
  if (mode === 'off') return unconfinedBecause('it is switched off');
  if (process.platform !== 'linux') return unconfinedBecause('only Linux offers it');
  const present = readable.filter((entry) => existsSync(entry));
  const failures: string[] = [];
  for (const { name, launcher } of candidates(machine, present, memoryLimit)) {
    try {
      return { launcher, report: reportOf(await probe(launcher, present), machine, failures) };
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  }
  return unconfinedBecause(failures.join('; ') || 'neither bubblewrap nor util-linux is installed');
}

function unconfinedBecause(why: string): Confinement {
  return {
    launcher: unconfined,
    report: { on: [], off: Object.fromEntries(LAYERS.map((layer) => [layer, why])) },
  };
}

interface Candidate {
  name: string;
  launcher: Launcher;
}

/** Strongest first. */
function candidates(
  { find, isRoot }: Machine,
  readable: readonly string[],
  memoryLimit: number,
): Candidate[] {
  const bwrap = find('bwrap');
  const unshare = find('unshare');
  const setpriv = find('setpriv');
  const prlimit = find('prlimit');
  const limits = prlimit
    ? [prlimit, `--data=${memoryLimit}:${memoryLimit}`, '--fsize=0:0', '--core=0:0', '--']
    : [];
  const found: Candidate[] = [];
  const add = (name: string, forks: number, ...words: readonly string[][]) => {
    const [command, ...args] = [...words.flat(), ...limits, process.execPath];
    found.push({ name, launcher: { command: required(command), args, forks } });
  };
  const inner = [setpriv, prlimit].filter((program) => program !== undefined);
  if (bwrap && isRoot && setpriv) {
    const sandbox = bwrapArguments({ bwrap, readable: [...readable, ...inner], switchesUser: true });
    add('bubblewrap as a user of its own', 2, [bwrap, ...sandbox, '--'], [setpriv, ...OTHER_USER]);
  }
  if (bwrap) {
    const sandbox = { bwrap, readable: [...readable, ...inner], switchesUser: false };
    add('bubblewrap', 2, [bwrap, ...bwrapArguments(sandbox), '--']);
    const inContainer = bwrapArguments({ ...sandbox, bindsHostProc: true });
    add('bubblewrap with the existing /proc', 2, [bwrap, ...inContainer, '--']);
  }
  if (unshare && setpriv) {
    const outer = [setpriv, '--pdeathsig', 'KILL', '--', unshare];
    if (isRoot) add('unshare as a user of its own', 1, [...outer, ...NAMESPACES], [setpriv, ...OTHER_USER]);
    add(
      'unshare',
      1,
      [...outer, '--user', '--map-root-user', ...NAMESPACES],
      [setpriv, ...NO_PRIVILEGES, '--'],
    );
  }
  if (setpriv && isRoot) add('setpriv as a user of its own', 0, [setpriv, ...OTHER_USER]);
  if (setpriv) add('setpriv', 0, [setpriv, '--no-new-privs', '--inh-caps=-all', '--']);
  if (prlimit) add('prlimit', 0);
  return found;
}

const NAMESPACES = [
  '--net',
  '--pid',
  '--ipc',
  '--uts',
  '--mount',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--',
];
const NO_PRIVILEGES = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--pdeathsig', 'KILL'];
/** The kernel clears the parent-death signal when the user changes, so it is set again. */
const OTHER_USER = [`--reuid=${OWN_USER}`, `--regid=${OWN_USER}`, '--clear-groups', ...NO_PRIVILEGES, '--'];

interface BwrapOptions {
  bwrap: string;
  readable: readonly string[];
  /** Whether another program inside gives up root. */
  switchesUser: boolean;
  /**
   * Whether the existing /proc is bound read-only. Containers mask parts of theirs, and the kernel then allows no new
   * unmasked one. It shows the other processes and their command lines, but not their memory, files and environment,
   * because they belong to another user namespace.
   */
  bindsHostProc?: boolean;
}

/**
 * A read-only file system of the readable files only. Its first process is bubblewrap's own: it always ends with its parent,
 * and all others end with it, whatever their user.
 */
function bwrapArguments({ bwrap, readable, switchesUser, bindsHostProc = false }: BwrapOptions): string[] {
  const args = ['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
  args.push('--die-with-parent', '--new-session', '--cap-drop', 'ALL');
  if (switchesUser) {
    for (const capability of ['SETUID', 'SETGID', 'SETPCAP']) args.push('--cap-add', `CAP_${capability}`);
  } else {
    args.push('--unshare-user');
    // It is written into /proc/sys, which is one of the masked parts.
    if (!bindsHostProc && helpOf(bwrap).includes('--disable-userns')) args.push('--disable-userns');
  }
  const folders = new Set<string>();
  const libraries = LIBRARIES.filter((folder) => existsSync(folder));
  for (const entry of [...libraries, ...MACHINE, process.execPath, ...readable, ...linkedFrom(readable)]) {
    if (!existsSync(entry)) continue;
    // Parent folders belong to root and are closed to others by default.
    for (const folder of ancestorsOf(entry)) {
      if (!folders.has(folder)) args.push('--perms', '0755', '--dir', folder);
      folders.add(folder);
    }
    folders.add(entry);
    args.push('--ro-bind', realpathSync(entry), entry);
  }
  args.push(...(bindsHostProc ? ['--ro-bind', '/proc', '/proc'] : ['--proc', '/proc']));
  args.push('--dev', '/dev', '--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/');
  return args;
}

/** From the outermost one on, without the root. */
function ancestorsOf(entry: string): string[] {
  const parent = path.dirname(entry);
  return parent === '/' ? [] : [...ancestorsOf(parent), parent];
}

/** Language files are often links into another folder: the target has to be visible too. */
function linkedFrom(readable: readonly string[]): string[] {
  return readable.flatMap((folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isSymbolicLink() && entry.name.endsWith('.traineddata'))
        .map((entry) => realpathSync(path.join(folder, entry.name)));
    } catch {
      return [];
    }
  });
}

/** The process decodes untrusted bytes and gets none of the server's secrets: only these variables are passed on. */
const INHERITED = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_ENV',
  'LD_LIBRARY_PATH',
  'SystemRoot',
  'TEMP',
];

/** No library needs a home folder, so none is set. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    ...Object.fromEntries(inherited),
    // Set before any library of the process reads it.
    ORT_DISABLE_TELEMETRY: '1',
    // Returns the pixels of finished pictures to the system: few arenas, and large blocks mapped separately. By default the
    // C library raises its threshold for large blocks with every block that it frees.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1000000',
    MALLOC_TRIM_THRESHOLD_: '8000000',
    // A picture is never swapped to disk, however large it is when decoded.
    VIPS_DISC_THRESHOLD: '64g',
  };
}

/** Starts the probe in the same way as the recognition process. */
function probe({ command, args }: Launcher, readable: readonly string[]): Promise<ProbeAnswer> {
  const question = JSON.stringify({ readable, parent: process.pid });
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args, '--eval', PROBE, '--', question],
      { env: minimalEnvironment(), timeout: PROBE_LIMIT_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        if (error) {
          reject(new Error(firstLine(stderr) || firstLine(error.message)));
          return;
        }
        const answer = JSON.parse(stdout) as ProbeAnswer;
        if (answer.unreadable) reject(new Error(`it may not read ${answer.unreadable}`));
        else resolve(answer);
      },
    );
  });
}

function reportOf(facts: ProbeAnswer, { isRoot }: Machine, failures: readonly string[]): ConfinementReport {
  const why = (of: RegExp, otherwise: string) =>
    failures.filter((one) => of.test(one)).join('; ') || otherwise;
  const off: ConfinementReport['off'] = {};
  if (facts.network === namespaceOf('net')) {
    off.network = why(/bubblewrap|unshare/, 'neither bubblewrap nor unshare is installed');
  }
  if (facts.readsElsewhere) off.files = why(/bubblewrap/, 'bubblewrap is not installed');
  if (facts.processes === namespaceOf('pid') && facts.readsParent) {
    off.processes = why(/bubblewrap|unshare/, 'neither bubblewrap nor unshare is installed');
  }
  if (!facts.noNewPrivileges || facts.capabilities)
    off.privileges = why(/setpriv/, 'setpriv is not installed');
  if (facts.user !== OWN_USER) {
    off.user = isRoot ? why(/user of its own/, 'setpriv is not installed') : 'only root may change users';
  }
  if (!facts.memoryLimited) off.memory = 'prlimit is not installed';
  return { on: LAYERS.filter((layer) => off[layer] === undefined), off };
}

function namespaceOf(kind: 'net' | 'pid'): string {
  return readlinkSync(`/proc/self/ns/${kind}`);
}

function helpOf(program: string): string {
  return spawnSync(program, ['--help'], { encoding: 'utf8' }).stdout ?? '';
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

export function findProgram(name: string): string | undefined {
  // A service may have an empty PATH.
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/bin'];
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
