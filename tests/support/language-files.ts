import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/** The bytes of a language's `.traineddata` out of its npm package. */
export function languageData(code: 'eng' | 'ara' | 'hin' | 'tha'): Buffer {
  const folder = path.dirname(require.resolve(`@tesseract.js-data/${code}/package.json`));
  return gunzipSync(readFileSync(path.join(folder, '4.0.0_best_int', `${code}.traineddata.gz`)));
}

/** Where a component of a `.traineddata` file begins; −1 for one that it does not hold. */
export function componentStart(data: Buffer, place: number): number {
  return Number(data.readBigInt64LE(4 + place * 8));
}
