import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const MANIFESTS = {
  eng: () => require.resolve('@tesseract.js-data/eng/package.json'),
  ara: () => require.resolve('@tesseract.js-data/ara/package.json'),
  jpn: () => require.resolve('@tesseract.js-data/jpn/package.json'),
  hin: () => require.resolve('@tesseract.js-data/hin/package.json'),
  tha: () => require.resolve('@tesseract.js-data/tha/package.json'),
};
export type PackagedLanguage = keyof typeof MANIFESTS;

/** The folder of a language's npm package. */
export function languagePackage(code: PackagedLanguage): string {
  return path.dirname(MANIFESTS[code]());
}

/** The `.traineddata` file of a language's npm package. */
export function languageData(code: PackagedLanguage): Buffer {
  const file = path.join(languagePackage(code), '4.0.0_best_int', `${code}.traineddata.gz`);
  return gunzipSync(readFileSync(file));
}

/** Offset of a component in a `.traineddata` file; −1 if the file does not contain it. */
export function componentStart(data: Buffer, place: number): number {
  return Number(data.readBigInt64LE(4 + place * 8));
}
