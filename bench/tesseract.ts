/** The plain `tesseract` program, the reference for time and accuracy. */
import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BenchSetupError } from './corpus.ts';
import { cpuTimeOfEndedChildren } from './process-use.ts';

const run = promisify(execFile);
/** Computed at each start, because the data folder may be set after this file is loaded. */
const environment = () => ({ ...process.env, OMP_THREAD_LIMIT: '1' });

/** Returns the version. @throws {BenchSetupError} if the program or its English data is missing */
export async function checkTesseract(): Promise<string> {
  const hint = 'Install it (Debian: apt-get install tesseract-ocr), or pass --no-tesseract to go without.';
  try {
    const [version, languages] = await Promise.all([
      run('tesseract', ['--version']),
      run('tesseract', ['--list-langs']),
    ]);
    if (!/^eng$/m.test(languages.stdout)) {
      throw new BenchSetupError(`The tesseract program has no English data. ${hint}`);
    }
    return /^tesseract (\S+)/m.exec(version.stdout)?.[1] ?? 'unknown';
  } catch (error) {
    if (error instanceof BenchSetupError) throw error;
    throw new BenchSetupError(`The tesseract program was not found. ${hint}`, { cause: error });
  }
}

/** The folder with the program's trained data; `null` if the program is missing or does not report it. */
export async function findInstalledData(): Promise<string | null> {
  const listed = await run('tesseract', ['--list-langs']).catch(() => null);
  return /"(.+)"/.exec(listed?.stdout ?? '')?.[1] ?? null;
}

/** Signals that end the whole run, so that the partial output of the program is no result. */
const USER_SIGNALS = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Reads one file with the program's defaults: automatic page layout, one thread.
 * `computed` is CPU time, which is only right if a single process runs at a time. A format that it cannot decode is `refused`
 * and has an empty text, as for its user.
 */
export async function readWithTesseract(
  file: string,
  languages: readonly string[] = ['eng'],
): Promise<{ text: string; refused: boolean; milliseconds: number; computed: number }> {
  const computedBefore = cpuTimeOfEndedChildren();
  const start = performance.now();
  const { text, refused } = await run(
    'tesseract',
    [file, 'stdout', '--psm', '3', '-l', languages.join('+')],
    {
      env: environment(),
      maxBuffer: 1 << 26,
    },
  ).then(
    ({ stdout }) => ({ text: stdout, refused: false }),
    (error: ExecFileException) => {
      if (error.signal && USER_SIGNALS.has(error.signal)) throw error;
      return { text: '', refused: true };
    },
  );
  const milliseconds = performance.now() - start;
  return { text, refused, milliseconds, computed: cpuTimeOfEndedChildren() - computedBefore };
}
