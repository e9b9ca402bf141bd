/**
 * Reads the pictures of the browser tests with the engine and writes the server's responses to `tests/fixtures/readings` for
 * component tests. Run it when the engine or a picture has changed: `npx tsx --conditions=source scripts/record-readings.ts`
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '#ocr';
import { toExtraction } from '../src/answer/answer.ts';
import { root } from './bootstrap.mjs';

const PICTURES = [
  'note.png',
  'note-slanted.png',
  'note-camera.jpg',
  'order.png',
  'poster.png',
  'code.png',
  'sky.png',
];

const engine = createEngine({
  maxPixels: 10_000_000,
  queueLimit: 1,
  premiumReserve: 0,
  timeoutMs: 60_000,
  languageDirs: [],
});
for (const picture of PICTURES) {
  const bytes = await readFile(join(root, 'tests', 'e2e', 'fixtures', picture));
  const reading = toExtraction(await engine.recognize(new Uint8Array(bytes)));
  const name = picture.replace(/\.\w+$/, '.json');
  // The real duration depends on the machine and would change with every run.
  const answer = { ...reading, durationMs: 500 };
  await writeFile(join(root, 'tests', 'fixtures', 'readings', name), `${JSON.stringify(answer, null, 1)}\n`);
}
await engine.close();
