/**
 * tesseract.js with requests by line: `node tesseract-js.mjs FOLDER-OF-TRAINEDDATA`. reader-process.ts documents the protocol.
 * Page layout is automatic, as with the plain program; its default takes every picture for one block of text.
 */
import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createWorker, OEM, PSM } from 'tesseract.js';

/** @param {unknown} answer */
const say = (answer) => writeSync(3, `${JSON.stringify(answer)}\n`);

/** For one set of languages at a time. @type {Map<string, import('tesseract.js').Worker>} */
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
  // A user has a warm worker for the language, so that opening one does not count.
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
