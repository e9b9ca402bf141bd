#!/usr/bin/env node
/** The command `glyphlift`: reads images on this machine, watches folders, and serves MCP clients. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { UsageError } from './command-line.ts';
import { printable } from './folders.ts';
import { createProgram } from './program.ts';

// A closed pipe, such as `| head`, ends the process quietly.
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  const { writingFailure } = await import('./outputs.ts');
  process.stderr.write(`glyphlift: ${writingFailure('standard output', error).message}\n`);
  process.exit(1);
});

loadSettings();
const { version } = createRequire(import.meta.url)('glyphlift/package.json') as { version: string };
const program = createProgram((status) => {
  process.exitCode = status;
}, version);
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof UsageError) {
    const command = program.commands.find((each) => each.name() === process.argv[2]);
    process.stderr.write(
      `glyphlift: ${printable(error.message)}\nSee glyphlift${command ? ` ${command.name()}` : ''} --help\n`,
    );
    process.exitCode = 2;
  } else throw error;
}

/** Loads `.env` of the current folder, and sets defaults: added languages are stored in the user's home. */
function loadSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const dataHome = process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  process.env.DATA_DIR ||= join(dataHome, 'glyphlift');
  process.env.NODE_ENV ??= 'production';
}
