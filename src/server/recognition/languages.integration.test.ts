import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeLanguage } from '#ocr';
import { createBrowser, createMember } from '../../../tests/support/people.ts';
import { pictureForm, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../tests/support/server-engine.ts';

class PolyglotEngine extends MemoryEngine {
  override async languages() {
    return ['Cyrillic', 'chi_sim', 'eng', 'deu', 'frk'].map(describeLanguage);
  }
}

let server: TestServer;
let requestedLanguages: readonly string[] | undefined;
beforeAll(async () => {
  const engine = new PolyglotEngine(async (_picture, options) => {
    requestedLanguages = options.languages;
    return recognitionOf('Hello');
  });
  server = await startTestServer({ engine });
});
afterAll(() => server.close());
const upload = (browser: ReturnType<typeof createBrowser>, languages: string) =>
  browser.upload(pictureForm({ useFiltering: 'true', languages }));

it('lists installed languages, English first, and marks those that the caller may choose', async () => {
  const names = async (browser: ReturnType<typeof createBrowser>) =>
    (await browser.get('/api/languages'))
      .json<{ languages: Array<{ code: string; name: string; allowed: boolean }> }>()
      .languages.map(({ code, name, allowed }) => [code, name, allowed]);
  const listed = [
    ['eng', 'English', true],
    ['Cyrillic', describeLanguage('Cyrillic').name, false],
    ['chi_sim', describeLanguage('chi_sim').name, false],
    ['deu', 'German', false],
    ['frk', describeLanguage('frk').name, false],
  ];
  expect(await names(createBrowser(server.app))).toEqual(listed);
  const nora = await createMember(server.app, 'nora');
  expect(await names(nora)).toEqual(listed.map(([code, name]) => [code, name, true]));
});

it('reads other languages for premium only, and costs other callers nothing', async () => {
  const visitor = createBrowser(server.app);
  expect((await upload(visitor, 'deu')).statusCode).toBe(403);
  expect(await visitor.usage()).toMatchObject({ imageCount: 0 });
  expect((await upload(visitor, 'eng')).statusCode).toBe(200);
  const emil = await createMember(server.app, 'emil');
  expect((await upload(emil, 'deu+eng')).statusCode).toBe(200);
  expect(requestedLanguages).toEqual(['deu', 'eng']);
  expect((await upload(emil, 'Cyrillic')).statusCode).toBe(200);
});

it.each(['fra', 'deu+eng+frk+chi_sim', '../etc', 'DEU', '', '+'])(
  'rejects the languages "%s"',
  async (languages) => {
    const member = await createMember(server.app, `m${Math.random().toString(36).slice(2, 10)}`);
    expect((await upload(member, languages)).statusCode).toBe(400);
  },
);
