import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BenchSetupError } from './corpus.ts';
import { startEarlier } from './peers.ts';

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
});
afterEach(() => rmSync(checkout, { recursive: true }));

const one = { name: 'note', file: 'bench/cases/light.png', truth: '', foldCase: false };

/** An entry point that forks a process with restricted environment variables, as early versions do. */
const DOOR = `
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = fork(new URL('./child.mjs', import.meta.url), [], { env: { ONLY: 'this' }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
const started = new Promise((resolve) => child.once('message', resolve));
export function createEngine({ languageDirs }) {
  return {
    ready: () => started,
    status: () => ({ pid: child.pid }),
    close: async () => child.disconnect(),
    async recognize(bytes, { languages, page } = {}) {
      if (languages?.includes('tlh')) throw new Error('no such language');
      const { variable } = await started;
      const box = { x: 0, y: 0, width: 9, height: 9 };
      const words = [{ text: 'read', confidence: 0.75, box }];
      const text = [bytes.length, languages, languageDirs.length, variable, page].join(' ');
      return { text, lines: [{ words }], hidden: [{ text: 'noise', box }], notices: [{ code: 'blurred' }] };
    },
  };
}
`;
const CHILD = `process.send({ variable: process.env.ONLY + process.env.ORT_DISABLE_TELEMETRY });
process.on('message', () => {});`;

test('startEarlier: runs an earlier version through its entry point, with telemetry disabled in all its processes', async () => {
  mkdirSync(join(checkout, 'dist/node/ocr'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  writeFileSync(join(checkout, 'dist/node/ocr/index.js'), DOOR);
  writeFileSync(join(checkout, 'dist/node/ocr/child.mjs'), CHILD);
  const before = await startEarlier(checkout, '/data');
  try {
    const answer = await before.read({ ...one, languages: ['deu', 'eng'] });
    expect(answer).toMatchObject({
      text: expect.stringMatching(/^\d+ deu,eng 1 this1 $/),
      lines: [{ words: [{ text: 'read', confidence: 0.75 }] }],
      hidden: [{ text: 'noise', box: { width: 9 } }],
      notices: [{ code: 'blurred' }],
      unread: [],
      refused: false,
    });
    const refused = { text: '', lines: [], notices: [], refused: true };
    expect(await before.read({ ...one, languages: ['tlh'] })).toMatchObject(refused);
    expect((await before.read({ ...one, page: 1 })).text).toMatch(/ 1$/);
    expect((await before.read(one)).text).toContain(' eng ');
  } finally {
    await before.close();
  }
});

test('startEarlier: rejects a checkout that is not built with a remedy', async () => {
  await expect(startEarlier(checkout)).rejects.toThrow(BenchSetupError);
  await expect(startEarlier(checkout)).rejects.toThrow(/npm ci && npm run build/);
});
