import { zlibSync } from 'fflate';
import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { customPdf } from '../../../tests/support/custom-pdf.ts';
import { extractionOf, positionedTextFrom } from '../../../tests/support/extractions.ts';
import { lockedPdf } from '../../../tests/support/pdf.ts';
import type { PdfDictionary, PdfFile, PdfValue } from '../pdf-file.ts';
import { openPdf } from './pdf-document.ts';
import { addTextLayer, joinPdfs, type LayerOptions, type LayerPage } from './text-layer.ts';

const LINE = '0 0 m 100 100 l S';
const SKIP: LayerOptions = { pagesWithText: 'skip' };

/** A recognized page: two words near its upper left corner. */
function recognizedPage(rotation = 0, number = 1): LayerPage {
  const extraction = extractionOf('eng', [
    [
      ['Harbour', 100, 160],
      ['lights', 300, 120],
    ],
  ]);
  return {
    number,
    positionedText: positionedTextFrom({ ...extraction, image: { ...extraction.image, rotation } }),
  };
}

const PICTURE = recognizedPage().positionedText.picture;

interface Item {
  str?: string;
  transform?: number[];
}

/** Words and the start of each on the displayed page, as fractions of its width and height from the upper left. */
async function wordsOn(pdf: Uint8Array, number = 1) {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const page = await document.getPage(number);
  const view = page.getViewport({ scale: 1 });
  const { items }: { items: readonly Item[] } = await page.getTextContent();
  return items.flatMap((item) => {
    if (item.str === undefined || item.transform === undefined || item.str.trim() === '') return [];
    const [x = 0, y = 0] = view.convertToViewportPoint(item.transform[4], item.transform[5]);
    return [{ text: item.str.trim(), across: x / view.width, down: y / view.height }];
  });
}

const textOf = async (pdf: Uint8Array, number = 1) =>
  (await wordsOn(pdf, number)).map(({ text }) => text).join(' ');

const openedPdf = (pdf: Uint8Array) => openPdf(pdf);
const entriesOf = async (pdf: Uint8Array, number = 1) => (await openedPdf(pdf)).pages()[number - 1]!.entries;

describe('addTextLayer: the place of words', () => {
  it.each<[string, PdfDictionary]>([
    ['no boxes but the media box', {}],
    ['a media box with another origin', { '/MediaBox': [-50, 30, 250, 230] }],
    ['a media box with swapped corners', { '/MediaBox': [300, 200, 0, 0] }],
    ['a crop box', { '/CropBox': [20, 40, 220, 140] }],
    ['a crop box beyond the media box', { '/CropBox': [-100, -100, 150, 100] }],
    ['a crop box outside the media box', { '/CropBox': [400, 300, 500, 400] }],
    ['a user unit', { '/UserUnit': 2.5 }],
    ['a quarter turn', { '/Rotate': 90 }],
    ['a half turn', { '/Rotate': 180 }],
    ['a counter-clockwise turn and a crop box', { '/Rotate': -90, '/CropBox': [20, 40, 220, 140] }],
  ])('addTextLayer: given a page with %s, puts each word at its recognized position', async (_, entries) => {
    const { pdf } = await addTextLayer(
      customPdf({ pages: [{ contents: [LINE], entries }] }),
      [recognizedPage()],
      SKIP,
    );
    const words = await wordsOn(pdf);
    expect(words.map(({ text }) => text)).toEqual(['Harbour', 'lights']);
    for (const [at, { across, down }] of words.entries()) {
      expect(across * PICTURE.width).toBeCloseTo([100, 300][at]!, -0.3);
      expect(down * PICTURE.height).toBeGreaterThan(20);
      expect(down * PICTURE.height).toBeLessThan(60);
    }
    const { '/Contents': _contents, '/Resources': _resources, ...kept } = await entriesOf(pdf);
    expect(kept).toMatchObject(entries);
  });

  it.each([90, 180, 270])(
    'addTextLayer: given a scan that recognition rotated by %i degrees, writes along its text',
    async (rotation) => {
      const own = customPdf({ pages: [{ contents: [LINE] }] });
      const { pdf } = await addTextLayer(own, [recognizedPage(rotation)], SKIP);
      const page = await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1);
      const { items }: { items: readonly Item[] } = await page.getTextContent();
      const [a = 0, b = 0] = items.find(({ str }) => str)?.transform ?? [];
      // Text that is upright after a clockwise turn runs upwards in user space.
      expect(Math.round((Math.atan2(b, a) * 180) / Math.PI + 360) % 360).toBe(rotation);
      expect((await entriesOf(pdf))['/Rotate']).toBeUndefined();
    },
  );

  it('addTextLayer: given rotatePages, rotates a page so that its text is upright', async () => {
    const own = customPdf({ pages: [{ contents: [LINE], entries: { '/Rotate': 270 } }] });
    const { pdf } = await addTextLayer(own, [recognizedPage(180)], { ...SKIP, rotatePages: true });
    expect((await entriesOf(pdf))['/Rotate']).toBe(90);
  });

  it('addTextLayer: given deskew and a skewed scan, rotates its content and its text by the same angle', async () => {
    const words = ['One', 'two', 'three', 'four', 'five'].map(
      (text, at) => [text, 20 + 90 * at, 60] as const,
    );
    const extraction = extractionOf('eng', [words]);
    const sloping = extraction.lines.map((line) => ({
      ...line,
      words: line.words.map((word, at) => ({ ...word, box: { ...word.box, y: word.box.y + 5 * at } })),
    }));
    const page = { number: 1, positionedText: positionedTextFrom({ ...extraction, lines: sloping }) };
    const { width, height } = extraction.image;
    const own = customPdf({ pages: [{ contents: [LINE], entries: { '/MediaBox': [0, 0, width, height] } }] });
    const down = async (deskew: boolean) =>
      (await wordsOn((await addTextLayer(own, [page], { ...SKIP, deskew })).pdf)).map((word) => word.down);
    const [before, after] = [await down(false), await down(true)];
    const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
    expect(spread(before)).toBeGreaterThan(4 * spread(after));
  });
});

describe('addTextLayer: the rest of the file', () => {
  it('addTextLayer: given bookmarks, links, metadata, language and an attachment, keeps them', async () => {
    const own = customPdf({
      pages: [
        {
          contents: [LINE],
          entries: { '/Annots': [{ '/Type': '/Annot', '/Subtype': '/Link', '/Rect': [0, 0, 9, 9] }] },
        },
      ],
      info: { '/Title': 'u:Dürer', '/Author': 'u:Ada' },
      catalog: (file) => ({
        '/Lang': 'u:en-GB',
        '/Outlines': file.add({ '/Type': '/Outlines', '/Count': 0 }),
        '/Names': { '/EmbeddedFiles': { '/Names': ['u:a.txt', file.addStream({}, new Uint8Array([1]))] } },
      }),
    });
    const { pdf } = await addTextLayer(own, [recognizedPage()], SKIP);
    const document = await openedPdf(pdf);
    const { '/Pages': _, ...catalog } = document.catalog;
    expect(catalog).toMatchObject({ '/Lang': 'u:en-GB', '/Outlines': expect.any(String) });
    expect(document.dictionary(document.catalog['/Outlines'])).toMatchObject({ '/Count': 0 });
    expect(document.dictionary(document.catalog['/Names'])).toHaveProperty('/EmbeddedFiles');
    expect(document.dictionary(document.trailer['/Info'])).toEqual({
      '/Title': 'u:Dürer',
      '/Author': 'u:Ada',
    });
    expect(document.list((await entriesOf(pdf))['/Annots'])).toHaveLength(1);
    expect(await textOf(pdf)).toBe('Harbour lights');
  });

  it.each<[PdfValue]>([[['/FlateDecode']], ['/FlateDecode'], [['/RunLengthDecode', '/FlateDecode']]])(
    'addTextLayer: given a picture with the filter %j, keeps its bytes',
    async (filter) => {
      const bytes = zlibSync(new Uint8Array(500).fill(7), { level: 1 });
      const picture = (file: PdfFile) =>
        file.addStream({ '/Subtype': '/Image', '/Width': 20, '/Height': 25, '/Filter': filter }, bytes);
      const own = customPdf({
        pages: [{ contents: [LINE] }],
        catalog: (file) => ({ '/Kept': picture(file) }),
      });
      const { pdf } = await addTextLayer(own, [recognizedPage()], SKIP);
      expect(Buffer.from(pdf).includes(Buffer.from(bytes))).toBe(true);
      const document = await openedPdf(pdf);
      expect(document.dictionary(document.catalog['/Kept'])).toMatchObject({ '/Length': bytes.length });
    },
  );

  it('addTextLayer: given the same file twice, returns the same bytes', async () => {
    const own = customPdf({ pages: [{ contents: [LINE] }] });
    const [one, other] = [
      await addTextLayer(own, [recognizedPage()], SKIP),
      await addTextLayer(own, [recognizedPage()], SKIP),
    ];
    expect(Buffer.compare(one.pdf, other.pdf)).toBe(0);
  });

  it('addTextLayer: given pages that share resources, changes only the recognized page', async () => {
    const own = customPdf({ pages: [{ contents: [LINE] }, { contents: [LINE] }] });
    const before = await entriesOf(own, 2);
    const { pdf } = await addTextLayer(own, [recognizedPage()], SKIP);
    const { '/Resources': resources } = await entriesOf(pdf, 2);
    const names = (await openedPdf(pdf)).dictionary(resources);
    expect(Object.keys(names ?? {})).toEqual(Object.keys(before['/Resources'] as object).sort());
    expect(await textOf(pdf, 2)).toBe('');
  });

  it('addTextLayer: given content with an unbalanced transformation, writes text before it', async () => {
    const own = customPdf({ pages: [{ contents: ['5 0 0 5 70 70 cm q q', '3 0 0 3 0 0 cm'] }] });
    const { pdf } = await addTextLayer(own, [recognizedPage()], SKIP);
    expect((await wordsOn(pdf))[0]?.across).toBeCloseTo(100 / PICTURE.width, 2);
  });
});

describe('addTextLayer: pages with text', () => {
  const visible = ['BT /F 12 Tf 20 20 Td (Typed) Tj ET'];
  const laid = ['q', 'BT /F 12 Tf 3 Tr 20 20 Td (Olden) Tj ET 0 0 m 9 9 l S', 'Q'];

  it.each([
    ['visible text', { contents: visible }, 'Typed'],
    ['invisible text', { contents: laid }, 'Olden'],
    ['text in a form', { contents: ['/Form Do'], form: visible[0]! }, 'Typed'],
  ])('addTextLayer: given %s, leaves the page as it is', async (_, page, text) => {
    const own = customPdf({ pages: [page] });
    const before = await entriesOf(own);
    const { pdf, unchanged } = await addTextLayer(own, [recognizedPage()], SKIP);
    expect([unchanged, await textOf(pdf)]).toEqual([[1], text]);
    expect(Object.keys((await entriesOf(pdf))['/Resources'] as object)).toEqual(
      Object.keys(before['/Resources'] as object).sort(),
    );
  });

  it.each([
    ['in its content', { contents: laid }],
    ['in a form', { contents: ['0 0 m 9 9 l S /Form Do'], form: 'BT 3 Tr /F 12 Tf (Olden) Tj ET' }],
    ['that addTextLayer wrote', { contents: [LINE] }],
  ])('redo: given invisible text %s, replaces it and keeps the drawing', async (_, page) => {
    let own = customPdf({ pages: [page] });
    if (page.contents[0] === LINE)
      own = new Uint8Array((await addTextLayer(own, [recognizedPage()], SKIP)).pdf);
    const { pdf, unchanged } = await addTextLayer(own, [recognizedPage()], { pagesWithText: 'redo' });
    expect([unchanged, await textOf(pdf)]).toEqual([[], 'Harbour lights']);
    const document = await openedPdf(pdf);
    const streams = document.list((await entriesOf(pdf))['/Contents']) as string[];
    document.load(streams);
    const drawn = streams.map((each) => new TextDecoder('latin1').decode(document.decoded(each))).join('\n');
    expect(drawn).toMatch(/0 0 m (9 9|100 100) l S/);
  });

  it('redo: given visible text beside invisible text, leaves the page as it is', async () => {
    const own = customPdf({ pages: [{ contents: [...laid, ...visible] }] });
    const { pdf, unchanged } = await addTextLayer(own, [recognizedPage()], { pagesWithText: 'redo' });
    expect([unchanged, await textOf(pdf)]).toEqual([[1], 'Olden Typed']);
  });

  it('redo: ignores operator names in strings and inline images', async () => {
    const own = customPdf({
      pages: [
        { contents: ['BI /W 1 /H 1 /BPC 8 /CS /G ID (Tj EI', '3 Tr BT /F 9 Tf (0 Tr \\) <61> Tj) Tj ET'] },
      ],
    });
    const { unchanged } = await addTextLayer(own, [recognizedPage()], { pagesWithText: 'redo' });
    expect(unchanged).toEqual([]);
  });

  it('force: replaces the content by an image of the page', async () => {
    const own = customPdf({ pages: [{ contents: visible, entries: { '/Rotate': 90 } }] });
    const picture = {
      width: 20,
      height: 30,
      components: 1,
      inverted: false,
      orientation: 1,
      bytes: new Uint8Array([1]),
    };
    const { pdf } = await addTextLayer(own, [{ ...recognizedPage(), picture } as LayerPage], {
      pagesWithText: 'force',
    });
    expect(await textOf(pdf)).toBe('Harbour lights');
    const [content] = (await openedPdf(pdf)).list((await entriesOf(pdf))['/Contents']) as string[];
    const document = await openedPdf(pdf);
    document.load([content!]);
    expect(new TextDecoder().decode(document.decoded(content!))).toContain(
      'q 0 200 -300 0 300 0 cm /GlyphliftPage Do Q',
    );
  });
});

describe('addTextLayer: undecodable content', () => {
  const crafted = (dictionary: PdfDictionary, bytes: Uint8Array) => {
    const page = { contents: [], entries: { '/Contents': '5 0 R' } };
    return customPdf({ pages: [page], catalog: (file) => ({ '/Kept': file.addStream(dictionary, bytes) }) });
  };

  it.each([
    [
      'with damaged data',
      { '/Filter': '/FlateDecode' },
      () => new Uint8Array([0x78, 0x9c, 0xff, 0xff, 0xff]),
    ],
    ['with an image filter', { '/Filter': '/DCTDecode' }, () => new Uint8Array([0xff, 0xd8])],
  ])('addTextLayer: given content %s, leaves the page as it is', async (_, dictionary, make) => {
    const own = crafted(dictionary, make());
    const contents = (await entriesOf(own))['/Contents'];
    expect((await openedPdf(own)).isStream(contents)).toBe(true);
    const { pdf, unchanged } = await addTextLayer(own, [recognizedPage()], SKIP);
    expect([unchanged, Buffer.compare(pdf, own)]).toEqual([[1], 0]);
  });

  it('addTextLayer: given content with an ASCIIHex filter, decodes it', async () => {
    const hex = Buffer.from(Buffer.from('BT /F 9 Tf (Typed) Tj ET').toString('hex'));
    const { unchanged } = await addTextLayer(
      crafted({ '/Filter': '/ASCIIHexDecode' }, hex),
      [recognizedPage()],
      SKIP,
    );
    expect(unchanged).toEqual([1]);
    const line = Buffer.from(Buffer.from(LINE).toString('hex'));
    const { pdf } = await addTextLayer(
      crafted({ '/Filter': '/ASCIIHexDecode' }, line),
      [recognizedPage()],
      SKIP,
    );
    expect(await textOf(pdf)).toBe('Harbour lights');
  });
});

describe('addTextLayer: unsupported files', () => {
  it('addTextLayer: rejects a file with another number of pages than recognition found', async () => {
    const own = customPdf({ pages: [{ contents: [LINE] }] });
    await expect(addTextLayer(own, [recognizedPage()], { ...SKIP, pageCount: 2 })).rejects.toMatchObject({
      code: 'damaged',
      message: 'its list of pages is damaged: it has 2 or 1',
    });
  });

  it.each([
    ['a password', () => lockedPdf(), 'encrypted'],
    ['no PDF structure', () => new Uint8Array(Buffer.from('%PDF-1.7\nnothing else')), 'damaged'],
    [
      'a signature',
      () =>
        customPdf({
          pages: [{ contents: [LINE] }],
          catalog: { '/AcroForm': { '/Fields': [{ '/FT': '/Sig', '/V': { '/Type': '/Sig' } }] } },
        }),
      'signed',
    ],
    [
      'a dynamic XFA form',
      () =>
        customPdf({
          pages: [{ contents: [LINE] }],
          catalog: { '/NeedsRendering': true, '/AcroForm': { '/XFA': 'u:x' } },
        }),
      'dynamic_form',
    ],
  ])('addTextLayer: given a file with %s, rejects it with a code', async (_, make, code) => {
    await expect(addTextLayer(make(), [recognizedPage()], SKIP)).rejects.toMatchObject({
      name: 'PdfError',
      code,
    });
    expect(process.exitCode).toBeUndefined();
  });
});

it('joinPdfs: returns a PDF of all pages, with the same bytes each time', async () => {
  const one = customPdf({ pages: [{ contents: ['BT /F 12 Tf (One) Tj ET'] }] });
  const two = customPdf({ pages: [{ contents: [] }, { contents: ['BT /F 12 Tf (Two) Tj ET'] }] });
  const joined = await joinPdfs([one, two]);
  expect(await Promise.all([1, 2, 3].map((number) => textOf(joined, number)))).toEqual(['One', '', 'Two']);
  expect(Buffer.compare(joined, await joinPdfs([one, two]))).toBe(0);
});
