/** Other OCR engines for comparison: free ones from package registries, and an earlier version of this engine. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { StageTimes } from '#ocr';
import { ensureInstalled } from '../scripts/bootstrap.mjs';
import { BenchSetupError, type Case } from './corpus.ts';
import { cpuTimeOf } from './process-use.ts';
import { type Command, ReaderProcess } from './readers/reader-process.ts';
import { findInstalledData } from './tesseract.ts';

const run = promisify(execFile);
const READERS = fileURLToPath(new URL('./readers/', import.meta.url));
const REQUIREMENTS = join(READERS, 'requirements.txt');
const PYTHON_FOLDER = resolve('.cache/bench/python');

/** Environment of RapidOCR. It uses all cores by default, as this engine does; tesseract.js cannot. */
const SILENT = { ORT_DISABLE_TELEMETRY: '1' };

const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const readySchema = z.object({ pid: z.number() });
const answerSchema = z.object({
  pid: z.number().optional(),
  text: z.string(),
  milliseconds: z.number(),
  /** Only reported by engines of this project. */
  lines: z
    .array(
      z.object({
        words: z.array(z.object({ text: z.string(), confidence: z.number(), box: boxSchema })),
      }),
    )
    .default([]),
  hidden: z.array(z.object({ text: z.string(), box: boxSchema })).default([]),
  unread: z.array(z.object({ box: boxSchema })).default([]),
  notices: z.array(z.object({ code: z.string() })).default([]),
  /** Whether the engine rejected the file with a reason. */
  refused: z.boolean().default(false),
});

/** A reader's result. `computed`: CPU time in milliseconds. `stages`: milliseconds of each stage, if the reader reports them. */
export type Answer = Omit<z.infer<typeof answerSchema>, 'pid'> & { computed: number; stages?: StageTimes };

export const NO_ANSWER = { text: '', lines: [], hidden: [], unread: [], notices: [] };

export interface Reader {
  name: string;
  /** A picture that it cannot read has an empty text, as for its user. */
  read(one: Case): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts all peers; creates a Python environment for RapidOCR.
 * @param trainedData a folder with the data of all used languages
 * @throws {BenchSetupError} if one is unavailable
 */
export async function startPeers(trainedData: string): Promise<Reader[]> {
  await ensureInstalled('measuring');
  const python = await preparePython();
  const rapid = (models: string): Command => ({
    program: python,
    args: [join(READERS, 'rapid-ocr.py'), models],
    env: SILENT,
  });
  const commands: Record<string, Command> = {
    'RapidOCR, PP-OCRv6': rapid('v6'),
    'RapidOCR, PP-OCRv4': rapid('v4'),
    'tesseract.js': {
      program: process.execPath,
      args: [join(READERS, 'tesseract-js.mjs'), trainedData],
    },
  };
  const peers: Reader[] = [];
  for (const [name, command] of Object.entries(commands)) peers.push(await startReader(name, command));
  return peers;
}

/**
 * Starts the engine of a built checkout of another version.
 * @throws {BenchSetupError} if it is not built or does not start
 */
export async function startEarlier(folder: string, languageFolder: string | null = null): Promise<Reader> {
  if (!existsSync(join(folder, 'dist/node/ocr/index.js'))) {
    throw new BenchSetupError(`${folder} holds no built checkout: run \`npm ci && npm run build\` in it.`);
  }
  const args = [join(READERS, 'earlier-engine.mjs'), resolve(folder)];
  if (languageFolder !== null) args.push(resolve(languageFolder));
  return startReader('before', { program: process.execPath, args, env: SILENT });
}

async function startReader(name: string, command: Command): Promise<Reader> {
  const asked = new ReaderProcess(command);
  let pid = readySchema.parse(
    await asked.start().catch((error: Error) => {
      throw new BenchSetupError(`${name}: ${error.message}`, { cause: error });
    }),
  ).pid;
  return {
    name,
    async read({ file, languages = ['eng'], page }) {
      const computedBefore = cpuTimeOf(pid);
      const answer = await asked.ask({ file, languages, page });
      if (answer === null) return { ...NO_ANSWER, milliseconds: 0, computed: 0, refused: false };
      const { pid: now, ...reading } = answerSchema.parse(answer);
      const computed = now === pid ? cpuTimeOf(pid) - computedBefore : 0;
      pid = now ?? pid;
      return { ...reading, computed };
    },
    close: () => asked.close(),
  };
}

/** The Python program of an environment with exactly the required packages; recreated when the requirements change. */
async function preparePython(): Promise<string> {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  const stamp = join(PYTHON_FOLDER, 'requirements.sha256');
  const python = join(PYTHON_FOLDER, 'bin/python');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  console.log('Installing RapidOCR into .cache/bench/python …');
  rmSync(PYTHON_FOLDER, { recursive: true, force: true });
  try {
    await run(process.env.PYTHON ?? 'python3', ['-m', 'venv', PYTHON_FOLDER]);
    const flags = ['--no-deps', '--disable-pip-version-check', '--quiet'];
    await run(python, ['-m', 'pip', 'install', ...flags, '-r', REQUIREMENTS], { maxBuffer: 1 << 26 });
  } catch (error) {
    throw new BenchSetupError(
      'RapidOCR could not be installed: it needs Python 3.11 or 3.12 with venv (Debian: apt-get install python3-venv; PYTHON names another one) and a registry of Python packages. Leave --peers out to go without.',
      { cause: error },
    );
  }
  writeFileSync(stamp, wanted);
  return python;
}

/**
 * Collects the data of the plain program and of the folder `more`, which takes precedence, in one folder.
 * @throws {BenchSetupError} if the program does not report its data folder
 */
export async function gatherTrainedData(more: string | undefined): Promise<string> {
  const installed = await findInstalledData();
  if (installed === null) throw new BenchSetupError('--peers and --data take tesseract 5.');
  const folder = resolve('.cache/bench/tessdata');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const from of more === undefined ? [installed] : [more, installed]) {
    // The plain program's configuration files are in its data folder.
    for (const name of readdirSync(from)) {
      if (!existsSync(join(folder, name))) symlinkSync(resolve(from, name), join(folder, name));
    }
  }
  return folder;
}
