import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { createEngine } from './engine.ts';

const engine = createEngine({
  maxPixels: 1_000_000,
  concurrency: 1,
  queueLimit: 10,
  premiumReserve: 0,
  timeoutMs: 30_000,
  languageDirs: [],
});
afterAll(() => engine.close());

const read = (file: string) =>
  engine.recognize(new Uint8Array(readFileSync(path.join(process.cwd(), 'tests', file))), {
    languages: ['eng'],
  });

it('recognize: a French page read as English reports its language', async () => {
  const { likelyLanguage, notices, lines, confidence } = await read('fixtures/languages/fra.png');
  expect(likelyLanguage).toBe('fra');
  expect(notices).toContainEqual({
    code: 'other_language',
    message: 'This looks French. It was read as English, so more may be wrong than usual.',
  });
  // Independent of the recognizers: no English dictionary has these words.
  const foreign = lines
    .flatMap((line) => line.words)
    .filter(({ text }) => /^(ouvre|lecteurs|restent)$/.test(text));
  expect(foreign.map(({ text }) => text)).toEqual(['ouvre', 'lecteurs', 'restent']);
  for (const word of foreign) expect(word.confidence).toBeLessThanOrEqual(0.85);
  expect(confidence).toBeLessThan(0.95);
});

it.each([
  ['tha', 'This looks Thai. It was read as English, so little of it can be right.'],
  ['ara', 'This looks written in Arabic letters. It was read as English, so little of it can be right.'],
])('recognize: a page in the letters of %s read as English reports its language', async (code, message) => {
  const lines = path.join(process.cwd(), 'tests/fixtures/languages', `${code}.png`);
  // Three copies below one another: two lines would be too few.
  const page = await sharp([lines, lines, lines], { join: { across: 1, background: '#fff' } })
    .png()
    .toBuffer();
  const { likelyLanguage, notices } = await engine.recognize(new Uint8Array(page), { languages: ['eng'] });
  expect(likelyLanguage).toBe(code);
  expect(notices.find((notice) => notice.code === 'other_language')?.message).toBe(message);
});

it('recognize: an English page reports no other language', async () => {
  const { likelyLanguage, notices } = await read('e2e/fixtures/note.png');
  expect(likelyLanguage).toBeUndefined();
  expect(notices.map(({ code }) => code)).not.toContain('other_language');
});
