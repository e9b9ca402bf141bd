#!/usr/bin/env node
/** The program `glyphlift`: reads pictures on this machine, watches folders, and starts the package's other programs. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../server/process-life.ts';
import { nearest, UsageError } from './command-line.ts';
import { printable } from './folders.ts';
import { HELP } from './help.ts';

const [command, ...args] = process.argv.slice(2);

// `| head` has what it wants: writing on ends the process quietly.
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const { writingFailure } = await import('./outputs.ts');
  process.stderr.write(`glyphlift: ${writingFailure('standard output', error).message}\n`);
  process.exit(1);
});

const COMMANDS: Readonly<Record<string, () => Promise<number | undefined>>> = {
  read: async () => (await import('./read.ts')).readCommand(args),
  watch: async () => (await import('./watch.ts')).watchCommand(args),
  languages: async () => (await import('./languages.ts')).languagesCommand(args),
  serve: () => another('server/main'),
  worker: () => another('server/worker'),
  admin: () => another('server/admin/main'),
};

settle();
try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  const about = command && Object.hasOwn(COMMANDS, command) ? ` ${command}` : '';
  process.stderr.write(`glyphlift: ${printable(error.message)}\nSee glyphlift${about} --help\n`);
  process.exitCode = 2;
}

async function run(): Promise<number | undefined> {
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    (command === undefined ? process.stderr : process.stdout).write(HELP);
    return command === undefined ? 2 : 0;
  }
  if (command === '--version' || command === '-v') {
    const { readFile } = await import('node:fs/promises');
    const { version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'));
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (Object.hasOwn(COMMANDS, command)) return COMMANDS[command]!();
  const close = nearest(command, Object.keys(COMMANDS));
  const known = close ? `Did you mean glyphlift ${close}?` : `There are ${Object.keys(COMMANDS).join(', ')}.`;
  throw new UsageError(`There is no command ${command}. ${known}`);
}

/** Settings of this folder; added data, languages above all, is stored with the user unless a setting says otherwise. */
function settle(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const shared = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  process.env.DATA_DIR ??= join(shared, 'glyphlift');
  process.env.NODE_ENV ??= 'production';
}

/** Programs of their own: they take what was typed behind their name, and decide themselves when they end. */
async function another(program: string): Promise<undefined> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const file = join(import.meta.dirname, '..', `${program}.${ending}`);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}
