/** Runs the engine, and restarts the server when its sources change. See `dev.mjs`. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/server/config.ts';
import { createLogger } from '../src/server/platform/logger.ts';
import { serveEngine } from '../src/server/recognition/engine/ipc-engine.ts';
import { createLocalEngine } from '../src/server/recognition/engine/local-engine.ts';
import { root } from './bootstrap.mjs';
import { PEOPLE, seedDatabase } from './seeds.ts';

/** The same exit code as in `dev.mjs`. */
const RESTART_EXIT_CODE = 75;
/** Waits after a change, because editors save in several steps and formatters save again. */
const DEBOUNCE_MS = 150;
const TIMEOUT_MS = 1500;

const envFile = join(root, '.env');
if (existsSync(envFile)) process.loadEnvFile(envFile);
// A separate data folder, because its accounts have known passwords, which no other server may use.
process.env.DATA_DIR ??= join('data', 'development');
process.env.PREMIUM_AVAILABILITY ??= 'available';

const config = loadConfig(process.env);
const isNew = config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'glyphlift.db'));
const engine = createLocalEngine(config, createLogger(config.logLevel));
engine.ready().catch((error) => console.error(`The engine did not start: ${error.message}`));

let server: { process: ChildProcess; ended: Promise<void> } | undefined;
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
watchSources(['src/server', 'src/contract', 'content'], () => void startServer());
watchSources(['src/ocr'], () => void stop(RESTART_EXIT_CODE));
await startServer();
await listening();
if (isNew) await seedDatabase(config);
console.log(`
Server:  ${config.publicUrl}
Mails:   ${config.publicUrl}/development/mails
${isNew || config.databaseUrl === undefined ? PEOPLE : ''}`);

async function startServer(): Promise<void> {
  await endServer();
  if (stopping) return;
  const child = fork(join(root, 'src', 'server', 'main.ts'), [], {
    cwd: root,
    execArgv: ['--import', 'tsx', '--conditions=source'],
    serialization: 'advanced',
    env: process.env,
  });
  const takeBack = serveEngine(engine, child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      takeBack();
      if (server?.process === child) {
        server = undefined;
        if (!stopping && code !== 0)
          console.error('The server ended. It is started again when its sources change.');
      }
      resolve();
    });
  });
  server = { process: child, ended };
}

async function endServer(): Promise<void> {
  if (!server) return;
  const { process: child, ended } = server;
  server = undefined;
  child.kill('SIGTERM');
  // After the first signal the server finishes running requests, but a browser may keep a connection open forever.
  const timer = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await endServer();
  await engine.close();
  process.exit(code);
}

function watchSources(folders: readonly string[], onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders) {
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file === null || /\.test\.tsx?$|~$|\/\./.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, DEBOUNCE_MS);
    });
  }
}

async function listening(): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://localhost:${config.port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
