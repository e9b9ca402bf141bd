/**
 * Runs tesseract.js with one request per line: `node tesseract-js.mjs FOLDER-OF-TRAINEDDATA`. reader-process.ts documents the
 * protocol. Page segmentation is automatic, as with the plain program; its default assumes a single block of text.
 */
import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createWorker, OEM, PSM } from 'tesseract.js';

/** @param {unknown} answer */
const say = (answer) => writeSync(3, `${JSON.stringify(answer)}\n`);

/** The worker of the current languages. @type {Map<string, import('tesseract.js').Worker>} */
const workers = new Map();

/** @param {readonly string[]} codes */
async function workerFor(codes) {
  const languages = codes.join('+');
  const present = workers.get(languages);
  if (present) return present;
  await terminate();
  const worker = await createWorker(languages, OEM.LSTM_ONLY, {
    langPath: process.argv[2] ?? '.',
    cacheMethod: 'none',
    gzip: false,
    // Without a handler, an error of one picture ends the process.
    errorHandler: () => {},
  });
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO });
  workers.set(languages, worker);
  return worker;
}

async function terminate() {
  for (const worker of workers.values()) await worker.terminate();
  workers.clear();
}

await workerFor(['eng']);
say({ pid: process.pid });
for await (const line of createInterface({ input: process.stdin })) {
  const { file, languages } = JSON.parse(line);
  // Starting a worker does not count, because users keep one running for their language.
  const worker = await workerFor(languages).catch(() => null);
  const picture = await readFile(file);
  const start = performance.now();
  const text = worker
    ? await worker.recognize(picture).then(
        ({ data }) => data.text,
        () => '',
      )
    : '';
  say({ pid: process.pid, text, milliseconds: performance.now() - start });
}
await terminate();
