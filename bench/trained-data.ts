/** Which pictures can be read with the trained data that is there. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, PictureSet } from './corpus.ts';

/** The engine has its own data. */
const BUILT_IN = 'eng';

interface ByData {
  /** Pictures whose languages all have data; each says which data that is. */
  readable: PictureSet[];
  /** The others. */
  leftOut: PictureSet[];
}

/** @param folder of `.traineddata` files; `null` where there is none */
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

/** Codes of the languages of a picture that have no data in the folder. */
export const missingLanguages = (one: Case, folder: string | null): string[] =>
  furtherLanguages(one).filter((code) => folder === null || !existsSync(fileOf(code, folder)));

const furtherLanguages = ({ languages = [] }: Case) => languages.filter((code) => code !== BUILT_IN);
const fileOf = (code: string, folder: string | null) => join(folder ?? '.', `${code}.traineddata`);
