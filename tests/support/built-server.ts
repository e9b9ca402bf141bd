import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';

/** The built server as a separate process with a separate data folder. */
export interface RunningServer {
  url: string;
  /** The `DATA_DIR` of this server. */
  dataDir: string;
  process: ChildProcess;
  /** The output of the server so far. */
  log: () => string;
}

/** Environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** Resolves once the server is ready. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(dataFolder(), 'glyphlift-e2e-'));
  const port = settings.PORT ? Number(settings.PORT) : await freePort();
  const url = `http://localhost:${port}`;
  let output = '';
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/node/server/main.js'], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const server = { url, dataDir, process: child, log: () => output };
  try {
    await waitUntilReady(server);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return server;
}

async function waitUntilReady({ url, process: child, log }: RunningServer): Promise<void> {
  const deadline = Date.now() + 45_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended during its start:\n${log()}`);
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    if (Date.now() > deadline) throw new Error(`the server was not ready in time:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Ends the server and removes its data. */
export async function stopServer(server: RunningServer): Promise<void> {
  const ended = new Promise((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGTERM');
  await ended;
  rmSync(server.dataDir, { recursive: true, force: true });
}
