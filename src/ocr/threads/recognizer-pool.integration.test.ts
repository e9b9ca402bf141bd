import { afterAll, describe, expect, it } from 'vitest';
import { grayOf, textLine } from '../../../tests/support/pictures.ts';
import { OCR_ERRORS } from '../errors.ts';
import { orderLines } from '../layout/order/order.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { LineReading } from '../reading/recognizer.ts';
import { RecognizerThreads } from './recognizer-pool.ts';

const died: string[] = [];
const threads = new RecognizerThreads({
  threads: 1,
  languageDirs: [],
  recycleAfter: 2,
  onThreadDied: (reason) => died.push(reason),
});
afterAll(() => threads.close());

const line = async (): Promise<GrayImage> => grayOf(await textLine(36));

const textOf = ({ glyphs }: LineReading) =>
  glyphs.map(({ text, startsWord }, index) => (startsWord && index > 0 ? ` ${text}` : text)).join('');

describe.each([
  ["tesseract's network by itself", { hasSecondary: true }],
  ['tesseract', { hasSecondary: false }],
])('RecognizerThreads: a line read by %s', (_, options) => {
  const reader = threads.readerOf(['eng'], options);

  it('gives the same result every time', async () => {
    const crop = await line();
    for (let time = 0; time < 5; time++) {
      const [reading] = await reader.read([crop]);
      expect(textOf(reading!)).toBe('Harbour lights');
    }
  });

  it('has its characters in their places', async () => {
    const crop = await line();
    const [reading] = await reader.read([crop]);
    const centers = reading!.glyphs.map(({ center }) => center);
    expect(centers).toEqual(centers.toSorted((a, b) => a - b));
    expect(centers[0]).toBeGreaterThan(1);
    expect(centers.at(-1)).toBeLessThan(crop.width / crop.height - 1);
  });

  it('is refused in a missing language', async () => {
    const reading = async () => threads.readerOf(['xyz'], options).read([await line()]);
    await expect(reading()).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
  });
});

it('RecognizerThreads: only a network rates the likelihood of a text', async () => {
  const crop = await line();
  const [network] = await threads.readerOf(['eng'], { hasSecondary: true }).read([crop]);
  const [tesseract] = await threads.readerOf(['eng'], { hasSecondary: false }).read([crop]);
  const end = crop.width / crop.height;
  const likelihood = (text: string) => network!.likelihood!(text, 0, end);
  expect(likelihood('Harbour lights')).toBeGreaterThan(-1);
  expect(likelihood('Harbour lighls')).toBeLessThan(likelihood('Harbour lights') - 0.2);
  expect(tesseract!.likelihood).toBeUndefined();
});

/** Work for some seconds. */
async function many(): Promise<GrayImage[]> {
  const crop = await line();
  return Array.from({ length: 400 }, () => crop);
}

it('RecognizerThreads: a thread that dies while working fails that page only', async () => {
  const reader = threads.readerOf(['eng'], { hasSecondary: false });
  const reading = reader.read(await many());
  setTimeout(() => threads.workers[0]!.terminate(), 100);
  await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.crashed });
  expect(died).toHaveLength(1);
  const [again] = await reader.read([await line()]);
  expect(textOf(again!)).toBe('Harbour lights');
});

it.each([
  ["tesseract's network", { hasSecondary: true }],
  ['tesseract', { hasSecondary: false }],
])(
  'RecognizerThreads: an aborted page frees its thread of %s for the next one at once',
  async (_, options) => {
    // Both exist, so that ending one must spare the other.
    for (const hasSecondary of [true, false])
      await threads.readerOf(['eng'], { hasSecondary }).read([await line()]);
    const controller = new AbortController();
    const reading = threads.readerOf(['eng'], options).read(await many(), controller.signal);
    setTimeout(() => controller.abort(), 100);
    await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
    for (const hasSecondary of [true, false]) {
      const [again] = await threads.readerOf(['eng'], { hasSecondary }).read([await line()]);
      expect(textOf(again!)).toBe('Harbour lights');
    }
  },
);

it("RecognizerThreads: an aborted line does not run the secondary recognizer's network either", async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(threads.featuresOf(await grayOf(await textLine(48)), controller.signal)).rejects.toMatchObject(
    {
      code: OCR_ERRORS.aborted,
    },
  );
});

describe('RecognizerThreads: a page that is ordered on a thread', () => {
  const page = Array.from({ length: 20_000 }, (_, i) => ({
    x: (i % 40) * 120,
    y: Math.floor(i / 40) * (20 + (i % 4) * 1.5),
    width: 100 - ((i * 13) % 15),
    height: 12,
  }));

  it('gives the same result as on this thread', async () => {
    const boxes = page.slice(0, 400);
    expect(await threads.order(boxes, { rightToLeft: true })).toEqual(
      orderLines(boxes, { rightToLeft: true }),
    );
  });

  it('frees the thread for the next one when it is aborted', async () => {
    const controller = new AbortController();
    const ordering = threads.order(page, {}, controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(ordering).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
    expect(await threads.order(page.slice(0, 4), {})).toHaveLength(1);
  });
});
