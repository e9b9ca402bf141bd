/**
 * Runs the engine of another built checkout of this project, with one request per line:
 * `node earlier-engine.mjs CHECKOUT [FOLDER-OF-TRAINEDDATA]`. reader-process.ts documents the protocol.
 */
import processes from 'node:child_process';
import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** @param {unknown} answer */
const say = (answer) => writeSync(3, `${JSON.stringify(answer)}\n`);

// Earlier versions do not pass the variable that disables onnxruntime's telemetry to their process.
const fork = processes.fork;
processes.fork = /** @type {typeof fork} */ (
  (/** @type {string} */ file, /** @type {string[]} */ args, /** @type {processes.ForkOptions} */ options) =>
    fork(file, args, { ...options, env: { ...options?.env, ORT_DISABLE_TELEMETRY: '1' } })
);
syncBuiltinESMExports();

const [, , checkout = '.', data] = process.argv;
const { createEngine } = await import(pathToFileURL(resolve(checkout, 'dist/node/ocr/index.js')).href);
// The same options as in bench/subject.ts.
const engine = createEngine({
  maxPixels: 200e6,
  queueLimit: 1000,
  premiumReserve: 0,
  timeoutMs: 300_000,
  languageDirs: data === undefined ? [] : [resolve(data)],
  recycleAfter: Number.MAX_SAFE_INTEGER,
});
await engine.ready();
// Earlier versions have the method `recognise`.
const recognize = (engine.recognize ?? engine.recognise).bind(engine);
// The first picture takes longer, because code is not compiled yet.
await recognize(Uint8Array.from(await readFile(join(import.meta.dirname, '../cases/light.png'))));
const REFUSED = { text: '', lines: [], hidden: [], notices: [], unread: [], refused: true };
say({ pid: engine.status().pid });
for await (const line of createInterface({ input: process.stdin })) {
  const { file, languages, page } = JSON.parse(line);
  const picture = Uint8Array.from(await readFile(file));
  const start = performance.now();
  const {
    text,
    lines,
    hidden,
    notices,
    unread = [],
    refused = false,
  } = await recognize(picture, { filter: true, languages, page }).catch(() => REFUSED);
  const milliseconds = performance.now() - start;
  say({ pid: engine.status().pid, text, lines, hidden, notices, unread, refused, milliseconds });
}
await engine.close();
