import { afterAll, expect, it } from 'vitest';
import { FIXTURE_TEXT, fixture, grayOf, sheet } from '../../../tests/support/pictures.ts';
import { OCR_ERRORS } from '../errors.ts';
import { RecogniserThreads } from './threads.ts';

const died: string[] = [];
const threads = new RecogniserThreads({
  threads: 1,
  languageDirs: [],
  recycleAfter: 2,
  onThreadDied: (reason) => died.push(reason),
});
afterAll(() => threads.close());

async function read(): Promise<string> {
  const lines = await threads.readPage(await grayOf(fixture('harbour-lights.png')), ['eng']);
  return lines.map((line) => line.words.map((word) => word.text).join(' ')).join('\n');
}

it('a page is read to the same words before and after its recogniser was replaced', async () => {
  for (let page = 0; page < 5; page++) expect(await read()).toBe(FIXTURE_TEXT);
});

it('a crop of one line gives its words and the columns they cover', async () => {
  const { gray, width } = await grayOf(fixture('harbour-lights.png'));
  const crop = { gray: gray.subarray(0, width * 80), width, height: 80 };
  const [words] = await threads.readLines([crop], ['eng']);
  expect(words!.map((word) => word.text)).toEqual(['Harbour', 'lights']);
  const [first, second] = words!;
  expect(first!.x).toBeGreaterThan(50);
  expect(first!.x + first!.width).toBeLessThan(second!.x);
  expect(second!.x + second!.width).toBeLessThan(width - 50);
});

it('a thread that is killed at work costs that page alone', async () => {
  const page = await grayOf(await sheet(120));
  const reading = threads.readPage(page, ['eng']);
  setTimeout(() => threads.workers[0]!.terminate(), 100);
  await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.crashed });
  expect(died).toHaveLength(1);
  expect(await read()).toBe(FIXTURE_TEXT);
});

it('a page that is given up frees its thread for the next one at once', async () => {
  const controller = new AbortController();
  const reading = threads.readPage(await grayOf(await sheet(120)), ['eng'], controller.signal);
  setTimeout(() => controller.abort(), 100);
  await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
  expect(await read()).toBe(FIXTURE_TEXT);
});
