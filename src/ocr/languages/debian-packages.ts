/**
 * Debian's packages `tesseract-ocr-CODE`, from the archive that apt is configured for on this machine. apt is only asked for
 * its URL: it stores no lists here, root is not needed, and nothing is installed.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import pinned from './debian-pins.json' with { type: 'json' };
import { beginDownload, type LanguagePins, type PackageSource } from './package-source.ts';

export const DEBIAN_PINS: LanguagePins = pinned;

export const debianPackageOf = (code: string): string => `tesseract-ocr-${code.replaceAll('_', '-')}`;

/** Path of the packages built from one source package. */
const POOL = 'pool/main/t/tesseract-lang';
const MAX_ANSWER_BYTES = 2 ** 20;

/** Offers nothing on a machine without apt and dpkg. */
export function debianPackages(pins: LanguagePins = DEBIAN_PINS): PackageSource {
  let found: Promise<string[]> | undefined;
  const archives = () => {
    found ??= findArchives();
    return found;
  };
  return {
    pins: async () => ((await archives()).length > 0 ? pins : {}),
    async open(code, version, signal) {
      // File names hold the version without its epoch.
      const file = `${POOL}/${debianPackageOf(code)}_${version.replace(/^\d+:/, '')}_all.deb`;
      let failure = new Error('apt is set to no archive');
      for (const archive of await archives()) {
        try {
          const download = beginDownload('the archive', signal);
          return download.withProgress(await download.ask(new URL(file, archive), {}));
        } catch (error) {
          signal.throwIfAborted();
          failure = error as Error;
        }
      }
      throw failure;
    },
    archiveIn: (file, signal) => outputOf('dpkg-deb', ['--fsys-tarfile', file], signal),
  };
}

/** The base URL of a Debian mirror, from the URL of a package list of the component `main`; undefined for other lines. */
function archiveOf(line: string): string | undefined {
  const [, address = ''] = line.split("'");
  const [archive = '', list] = address.split('dists/');
  return /^https?:/.test(archive) && list?.includes('/main/binary-') ? archive : undefined;
}

/** The archives that apt is configured for, in its order; empty on other systems than Debian. */
async function findArchives(): Promise<string[]> {
  try {
    if (!/^ID=debian$/m.test(await readFile('/etc/os-release', 'utf8'))) return [];
    const [{ stdout }] = await Promise.all([
      promisify(execFile)('apt-get', ['update', '--print-uris'], { maxBuffer: MAX_ANSWER_BYTES }),
      promisify(execFile)('dpkg-deb', ['--version']),
    ]);
    return [...new Set(stdout.split('\n').flatMap((line) => archiveOf(line) ?? []))];
  } catch {
    return [];
  }
}

async function* outputOf(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], signal });
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => {});
  try {
    yield* child.stdout;
    const [status] = await ended;
    if (status !== 0) throw new Error(`${program} could not unpack the package`);
  } finally {
    child.kill('SIGKILL');
  }
}
