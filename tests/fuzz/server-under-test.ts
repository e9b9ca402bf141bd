/** The real server as a process of its own, with its limits out of the way, watched by its log. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { memoryOf } from '../../bench/process-use.ts';
import { freePort } from '../support/free-port.ts';

/** A run must not be stopped by what protects the product from one, and a fresh process would hide what piles up in an old one. */
const SETTINGS = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  FREE_DAILY_LIMIT: '1000000',
  ADDRESS_LIMIT_FACTOR: '100000',
  FAILED_WORK_SECONDS: '86400',
  RATE_LIMIT_PER_MINUTE: '1000000',
  OCR_PICTURES_PER_PROCESS: '1000000',
};

/** What the log says about the recognition process that no input may bring about. */
const ALARMS = new Set(['process-died', 'process-unyielding', 'process-start-failed', 'thread-died']);
const KEPT_LINES = 12;
const STOP_LIMIT_MS = 30_000;

export interface ServerUnderTest {
  port: number;
  /** Told as it happens: the process' end, or what the engine reports of its own. */
  onAlarm: ((what: string) => void) | undefined;
  /** The last lines of the log that tell of a failure. */
  failures(): readonly string[];
  memory(): { server: Use | undefined; recognizer: Use | undefined };
  stop(): Promise<void>;
}

interface Use {
  pid: number;
  /** Bytes. */
  resident: number;
}

/** Builds what is stale, starts, and waits until pictures may be sent. */
export async function startServerUnderTest(): Promise<ServerUnderTest> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-fuzz-'));
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...SETTINGS,
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failures: string[] = [];
  let recognizer: number | undefined;
  let stopping = false;
  const server: ServerUnderTest = {
    port,
    onAlarm: undefined,
    failures: () => failures,
    memory: () => ({ server: useOf(child.pid), recognizer: useOf(recognizer) }),
    async stop() {
      stopping = true;
      await ended(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  child.once('exit', (code, signal) => {
    if (!stopping) server.onAlarm?.(`the server ended: ${signal ?? code}`);
  });

  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server did not start: ${code}`)));
    let listening = false;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = entryOf(line);
      if (entry.level === 'error' || entry.level === 'fatal') {
        failures.push(line.slice(0, 2_000));
        failures.splice(0, failures.length - KEPT_LINES);
      }
      listening ||= entry.msg?.startsWith('Glyphlift is ready') === true;
      if (entry.name === 'process-started') recognizer = entry.pid;
      if (entry.name !== undefined && ALARMS.has(entry.name)) server.onAlarm?.(line.slice(0, 500));
      if (listening && recognizer !== undefined) resolve();
    });
  });
  return server;
}

interface LogEntry {
  level?: string;
  msg?: string;
  /** Of an engine's event. */
  name?: string;
  pid?: number;
}

function entryOf(line: string): LogEntry {
  try {
    return JSON.parse(line);
  } catch {
    // What the build says while it is at work.
    return {};
  }
}

function useOf(pid: number | undefined): Use | undefined {
  const use = memoryOf(pid);
  return use && pid !== undefined ? { pid, resident: use.resident } : undefined;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    child.once('exit', () => {
      clearTimeout(limit);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
