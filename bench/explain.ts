/** `npm run bench:explain -- PICTURE`: writes an HTML page that shows every step of the recognition of a picture. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PictureReader } from '../src/ocr/child/reader.ts';
import { Explanation, pageOf } from './explanation.ts';

const HELP = `Writes how one picture was read, step by step, as one HTML page.

  npm run bench:explain -- PICTURE [options]

  --out FILE          the page to write (default .cache/bench/explained.html)
  --languages CODES   such as eng or deu+eng (default eng)
  --data FOLDER       folder of .traineddata files
  --thorough          every line with both recognizers
  --no-filter         with what Smart Text Filtering would leave out
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: '.cache/bench/explained.html' },
    languages: { type: 'string', default: 'eng' },
    data: { type: 'string' },
    thorough: { type: 'boolean', default: false },
    'no-filter': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [picture] = positionals;
if (options.help || picture === undefined) {
  console.log(HELP);
  process.exit(options.help ? 0 : 2);
}
const reader = await PictureReader.start({
  maxPixels: 100_000_000,
  threads: 2,
  languageDirs: options.data === undefined ? [] : [resolve(options.data)],
});
const bytes = new Uint8Array(await readFile(picture));
const seen = new Explanation();
const recognition = await reader.read(bytes, {
  languages: options.languages.split('+'),
  filter: !options['no-filter'],
  thorough: options.thorough,
  signal: new AbortController().signal,
  onStage: () => {},
  trace: seen,
});
await reader.close();
await mkdir(dirname(options.out), { recursive: true });
await writeFile(options.out, await pageOf(basename(picture), seen, recognition));
console.log(options.out);
