/** Selects the pictures that can be read with the available trained data. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, PictureSet } from './corpus.ts';

/** The engine has built-in data for English. */
const BUILT_IN = 'eng';

interface ByData {
  /** Pictures whose languages all have data; each with the hash of its data. */
  readable: PictureSet[];
  /** The others. */
  leftOut: PictureSet[];
}

/** @param folder of `.traineddata` files; `null` without one */
export function splitByData(sets: readonly PictureSet[], folder: string | null): ByData {
  const hashes = new Map<string, string>();
  const hashOf = (code: string) => {
    const known = hashes.get(code);
    if (known !== undefined) return known;
    const hash = createHash('sha256')
      .update(readFileSync(fileOf(code, folder)))
      .digest('hex')
      .slice(0, 12);
    hashes.set(code, hash);
    return hash;
  };
  const withData = (one: Case): Case => {
    const codes = furtherLanguages(one);
    return codes.length === 0
      ? one
      : { ...one, data: codes.map((code) => `${code}:${hashOf(code)}`).join(' ') };
  };
  const isReadable = (one: Case) => missingLanguages(one, folder).length === 0;
  return {
    readable: sets.map((set) => ({ ...set, cases: set.cases.filter(isReadable).map(withData) })),
    leftOut: sets.map((set) => ({ ...set, cases: set.cases.filter((one) => !isReadable(one)) })),
  };
}

/** Codes of a picture's languages without data in the folder. */
export const missingLanguages = (one: Case, folder: string | null): string[] =>
  furtherLanguages(one).filter((code) => folder === null || !existsSync(fileOf(code, folder)));

const furtherLanguages = ({ languages = [] }: Case) => languages.filter((code) => code !== BUILT_IN);
const fileOf = (code: string, folder: string | null) => join(folder ?? '.', `${code}.traineddata`);
