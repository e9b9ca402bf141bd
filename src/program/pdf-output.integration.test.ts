import { getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanJpeg, scanPage } from '../../tests/support/documents.ts';
import { pdfOf } from '../../tests/support/pdf.ts';
import { createEngine, type Engine } from '../library/engine.ts';
import { openDocument, PageSlots, type ReadPage } from './documents.ts';
import { asPdfA, withTextLayer } from './pdf-output.ts';
import { pdfOptionsOf } from './read.ts';

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ jobs: 1 });
});
afterAll(() => engine.close());

async function layered(bytes: Uint8Array, options: Parameters<typeof pdfOptionsOf>[0] = {}) {
  const { reads } = await openDocument(bytes, {
    engine,
    languages: ['eng'],
    minConfidence: 0,
    pages: undefined,
    skipPagesWithText: false,
    slots: new PageSlots(1),
    signal: new AbortController().signal,
  });
  const pages = (await Promise.all(reads)) as ReadPage[];
  const whole = { name: 'scan.pdf', bytes, pages };
  return { pages, ...(await withTextLayer(whole, engine, pdfOptionsOf(options))) };
}

it.each([0, 90])(
  'withTextLayer: given a scan with /Rotate %i, puts words at their displayed positions',
  async (rotate) => {
    const scan = { ...(await scanPage()), rotate };
    const { pages, content } = await layered(pdfOf([scan]));
    const [first] = pages[0]!.recognition.lines[0]!.words;
    const page = await (await getDocumentProxy(new Uint8Array(content))).getPage(1);
    const view = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const found = (items as { str?: string; transform: number[] }[]).filter(({ str }) => str?.trim());
    expect(found.map(({ str }) => str?.trim()).join(' ')).toBe('Harbour lights seven boats');
    const [x = 0, y = 0] = view.convertToViewportPoint(found[0]!.transform[4]!, found[0]!.transform[5]!);
    const { width, height } = pages[0]!.recognition.image;
    const { box } = first!;
    // The baseline is a fifth of the word's height above its lower edge, in the direction of the text.
    const corner = rotate === 0 ? [box.x, box.y + 0.8 * box.height] : [box.x + 0.2 * box.width, box.y];
    expect(Math.abs(x / view.width - corner[0]! / width)).toBeLessThan(0.02);
    expect(Math.abs(y / view.height - corner[1]! / height)).toBeLessThan(0.02);
    expect(await engine.pages(content)).toEqual({
      unit: 'point',
      pages: [{ ...(await engine.pages(pdfOf([scan]))).pages[0], hasText: true }],
    });
    expect(Buffer.from(content).includes(await scanJpeg())).toBe(true);
  },
);

it('withTextLayer: with force, replaces a page with text by an image of the same size with invisible text', async () => {
  const typed = { width: 612, height: 792, words: 'Signed in blue ink' };
  const { content } = await layered(pdfOf([typed]), { pagesWithText: 'force' });
  const { pages } = await engine.pages(content);
  expect(pages).toEqual([{ width: 612, height: 792, hasText: true }]);
  expect((await engine.read(content)).text).toBe('Signed in blue ink');
  expect(Buffer.from(content).includes('Helvetica')).toBe(false);
});

it('asPdfA: adds a profile and metadata, and keeps the images readable', async () => {
  const pdf = await asPdfA(pdfOf([await scanPage()]));
  expect(Buffer.from(pdf).includes('<pdfaid:part>2</pdfaid:part>')).toBe(true);
  expect((await engine.read(pdf)).text).toBe('Harbour lights\nseven boats');
});
