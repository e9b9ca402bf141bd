import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LanguageData } from '#contract/languages';
import { describeLanguage, findLanguages } from '#ocr';

/** The data of installed languages, for devices that read for themselves. */
export interface LanguageFiles {
  /** Undefined for a language that is not installed on this machine. */
  describe(code: string): Promise<LanguageData | undefined>;
  /** The bytes of the data; undefined if its hash has changed. */
  open(code: string, sha256: string): Promise<Readable | undefined>;
}

/** @param directories the language directories of the engine; empty if other machines run the workers */
export function createLanguageFiles(directories: readonly string[]): LanguageFiles {
  /** Hashes by version of a file, because hashing is slow. */
  const hashes = new Map<string, Promise<string>>();

  async function fileOf(code: string) {
    const found = (await findLanguages(directories)).find((language) => language.code === code);
    if (!found?.file || found.problem !== undefined) return undefined;
    const { size, mtimeMs } = await stat(found.file);
    return { path: found.file, bytes: size, version: `${found.file} ${size} ${mtimeMs}` };
  }

  async function hashOf({ path, version }: { path: string; version: string }): Promise<string> {
    const hashing = hashes.get(version) ?? sha256Of(path);
    hashes.set(version, hashing);
    hashing.catch(() => hashes.delete(version));
    return hashing;
  }

  return {
    async describe(code) {
      const file = await fileOf(code);
      return file && { name: describeLanguage(code).name, bytes: file.bytes, sha256: await hashOf(file) };
    },
    async open(code, sha256) {
      const file = await fileOf(code);
      return file && (await hashOf(file)) === sha256 ? createReadStream(file.path) : undefined;
    },
  };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
