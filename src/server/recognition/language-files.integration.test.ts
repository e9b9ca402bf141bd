import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { languageData } from '../../../tests/support/language-files.ts';
import { createMember } from '../../../tests/support/people.ts';
import { createVisitor, serversOfEachTest } from '../../../tests/support/server-app.ts';

const start = serversOfEachTest();

let folder: string;
const thai = languageData('tha');
const sha256 = createHash('sha256').update(thai).digest('hex');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'languages-'));
  await writeFile(join(folder, 'tha.traineddata'), thai);
});
afterAll(() => rm(folder, { recursive: true }));

it('data of a language: a premium user gets its size and hash, and the bytes under that hash for good', async () => {
  const { app } = await start({ env: { OCR_LANG_DIRS: folder } });
  const ida = await createMember(app, 'ida');
  const described = await ida.send({ method: 'GET', url: '/api/languages/tha' });
  expect(described.json()).toEqual({ name: 'Thai', bytes: thai.length, sha256 });
  const data = await ida.send({ method: 'GET', url: `/api/languages/tha/${sha256}` });
  expect(data.headers['cache-control']).toBe('private, max-age=31536000, immutable');
  expect(data.rawPayload.equals(thai)).toBe(true);
  const other = await ida.send({ method: 'GET', url: `/api/languages/tha/${'0'.repeat(64)}` });
  expect(other.statusCode).toBe(404);
});

it('data of a language: is sent compressed to who accepts that', async () => {
  const { app } = await start({ env: { OCR_LANG_DIRS: folder } });
  const ida = await createMember(app, 'ida');
  const headers = { 'accept-encoding': 'gzip, br' };
  const { headers: answered, rawPayload } = await ida.send({
    method: 'GET',
    url: `/api/languages/tha/${sha256}`,
    headers,
  });
  expect(answered['content-encoding']).toBe('gzip');
  expect(rawPayload.length).toBeLessThan(thai.length);
});

it.each([
  ['a language of the premium plan, to a visitor', 'tha', {}, 403, 'recognition.language_not_in_plan'],
  ['one that is not installed', 'deu', {}, 400, 'recognition.language_unknown'],
  ['English, which the page has', 'eng', {}, 400, 'recognition.language_unknown'],
  [
    'any, where an operator has switched it off',
    'tha',
    { ON_DEVICE_READING: 'off' },
    403,
    'recognition.on_device_off',
  ],
] as const)('data of a language: is refused for %s', async (what, code, env, status, reason) => {
  const { app } = await start({ env: { OCR_LANG_DIRS: folder, ...env } });
  const person = what.endsWith('visitor') ? createVisitor(app) : await createMember(app, 'ida');
  for (const url of [`/api/languages/${code}`, `/api/languages/${code}/${sha256}`]) {
    const answer = await person.send({ method: 'GET', url });
    if (url.endsWith(sha256) && status === 400) expect(answer.statusCode).toBe(404);
    else expect([answer.statusCode, answer.json().code]).toEqual([status, reason]);
  }
});
