import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowser, createMember } from '../../../tests/support/people.ts';
import { pictureForm, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../tests/support/server-engine.ts';

let folder: string;
let server: TestServer;
let asked: readonly string[] | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-languages-'));
  for (const name of ['deu', 'chi_tra_vert', 'uzb_cyrl', 'frk', 'eng', 'osd', 'equ']) {
    await writeFile(join(folder, `${name}.traineddata`), '');
  }
  await writeFile(join(folder, 'Latin.traineddata'), '');
  await writeFile(join(folder, 'notes.txt'), '');
  const engine = new MemoryEngine(async (_picture, options) => {
    asked = options.languages;
    return recognitionOf('Hello');
  });
  server = await startTestServer({ engine, env: { OCR_LANG_DIRS: `${folder},/nowhere/at/all` } });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
const upload = (browser: ReturnType<typeof createBrowser>, languages: string) =>
  browser.upload(pictureForm({ useFiltering: 'true', languages }));

it('lists what is installed by name, English first, and says what the one who asks may choose', async () => {
  const names = async (browser: ReturnType<typeof createBrowser>) =>
    (await browser.get('/api/languages'))
      .json<{ languages: Array<{ code: string; name: string; allowed: boolean }> }>()
      .languages.map(({ code, name, allowed }) => [code, name, allowed]);
  const listed = [
    ['eng', 'English', true],
    ['chi_tra_vert', 'Chinese (traditional, vertical)', false],
    ['deu', 'German', false],
    ['frk', 'German (Fraktur)', false],
    ['uzb_cyrl', 'Uzbek (Cyrillic)', false],
  ];
  expect(await names(createBrowser(server.app))).toEqual(listed);
  const nora = await createMember(server.app, 'nora');
  expect(await names(nora)).toEqual(listed.map(([code, name]) => [code, name, true]));
});

it('reads other languages for premium only, and costs nobody else anything', async () => {
  const visitor = createBrowser(server.app);
  expect((await upload(visitor, 'deu')).statusCode).toBe(403);
  expect(await visitor.usage()).toMatchObject({ imageCount: 0 });
  expect((await upload(visitor, 'eng')).statusCode).toBe(200);
  const emil = await createMember(server.app, 'emil');
  expect((await upload(emil, 'deu+eng')).statusCode).toBe(200);
  expect(asked).toEqual(['deu', 'eng']);
});

it.each(['fra', 'deu+eng+frk+uzb_cyrl', '../etc', 'DEU', '', '+'])('refuses "%s"', async (languages) => {
  const member = await createMember(server.app, `m${Math.random().toString(36).slice(2, 10)}`);
  expect((await upload(member, languages)).statusCode).toBe(400);
});
