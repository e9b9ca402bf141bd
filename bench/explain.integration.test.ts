import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PictureReader } from '../src/ocr/child/reader.ts';
import type { Recognition } from '../src/ocr/types.ts';
import { fixture } from '../tests/support/pictures.ts';
import { Explanation, pageOf } from './explanation.ts';

let reader: PictureReader;
let recognition: Recognition;
const seen = new Explanation();
const options = {
  languages: ['eng'],
  filter: true,
  signal: new AbortController().signal,
  onStage: () => {},
};

beforeAll(async () => {
  reader = await PictureReader.start({ maxPixels: 100_000_000, threads: 1, languageDirs: [] });
  recognition = await reader.read(new Uint8Array(fixture('harbour-lights.png')), { ...options, trace: seen });
});
afterAll(async () => {
  await reader.close();
  // The engine restricts sharp's formats in its process; this test restores them.
  sharp.unblock({ operation: ['VipsForeignLoad'] });
});

test('readPicture: a trace does not change the result', async () => {
  const { durationMs: _, ...alone } = await reader.read(
    new Uint8Array(fixture('harbour-lights.png')),
    options,
  );
  const { durationMs: __, ...watched } = recognition;
  expect(watched).toEqual(alone);
});

test('readPicture: a thorough reading makes no further calls to the second recognizer if no word is doubtful', async () => {
  const thorough = new Explanation();
  await reader.read(new Uint8Array(fixture('harbour-lights.png')), {
    ...options,
    thorough: true,
    trace: thorough,
  });
  const spans = ({ lines }: Explanation) =>
    lines.map(({ checks }) => checks.map(({ from, to }) => [from, to]));
  expect(spans(thorough)).toEqual(spans(seen));
});

test('Trace: every step reports its result, in the order of the steps', () => {
  expect(seen.steps.map(({ name }) => name)).toEqual([
    'decode',
    'find lines',
    'find which way is up',
    'read',
    'choose and order',
    'filter',
    'tell the layout',
  ]);
  expect(seen.lines).toHaveLength(seen.regions.length);
  const chosen = [...seen.stories.values()].flat().map(({ text }) => text);
  for (const { words } of recognition.lines) for (const { text } of words) expect(chosen).toContain(text);
});

test('pageOf: shows the picture, each line with its crop and readings, and the order, without external resources', async () => {
  const page = await pageOf('<harbour> & "lights".png', seen, recognition);
  expect(page).toContain('How <b>&lt;harbour&gt; &amp; &quot;lights&quot;.png</b> was read');
  expect(page.match(/<img src="data:image\/png/g)).toHaveLength(seen.lines.length);
  expect(page.match(/<dt>first<\/dt>/g)).toHaveLength(seen.lines.length);
  expect(page.match(/<circle /g)).toHaveLength(seen.inOrder.length);
  expect(page).toContain('href="data:image/jpeg;base64,');
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g))
    expect(address).toMatch(/^(data:image\/|#line-)/);
  expect(page).not.toMatch(/<script|@import|url\(/);
});
