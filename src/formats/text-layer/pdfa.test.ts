import { expect, it } from 'vitest';
import { type CustomPage, customPdf } from '../../../tests/support/custom-pdf.ts';
import { extractionOf, positionedTextFrom } from '../../../tests/support/extractions.ts';
import type { PdfDictionary, PdfFile } from '../pdf-file.ts';
import { openPdf } from './pdf-document.ts';
import { addTextLayer, toPdfA } from './text-layer.ts';

const PROFILE = new Uint8Array([1, 2, 3]);
/** A page without a font. */
const BARE = { contents: ['0 0 m 9 9 l S'], entries: { '/Resources': {} } };

async function catalogOf(pdf: Uint8Array) {
  const document = await openPdf(pdf);
  const metadata = document.catalog['/Metadata'] as string;
  document.load([metadata]);
  const xmp = new TextDecoder().decode(document.decoded(metadata));
  return { document, xmp, catalog: document.catalog };
}

it('toPdfA: given a title, an author and dates, states them in XMP, with the part and the conformance', async () => {
  const own = customPdf({
    pages: [BARE],
    info: { '/Title': 'u:A & B <c>', '/Author': 'u:Ada', '/CreationDate': "u:D:20240506070809+02'00'" },
    catalog: { '/Lang': 'u:de-AT' },
  });
  const { xmp, catalog, document } = await catalogOf(await toPdfA(own, PROFILE));
  expect(xmp).toContain('<rdf:li xml:lang="x-default">A &amp; B &lt;c&gt;</rdf:li>');
  expect(xmp).toContain('<dc:creator><rdf:Seq><rdf:li>Ada</rdf:li></rdf:Seq></dc:creator>');
  expect(xmp).toContain('<xmp:CreateDate>2024-05-06T07:08:09+02:00</xmp:CreateDate>');
  expect(xmp).toContain('<dc:language><rdf:Bag><rdf:li>de-AT</rdf:li></rdf:Bag></dc:language>');
  expect(xmp).toMatch(/<pdfaid:part>2<\/pdfaid:part>\s*<pdfaid:conformance>B</);
  expect(catalog['/Lang']).toBe('u:de-AT');
  const [intent] = document.list(catalog['/OutputIntents']);
  const { '/S': kind, '/DestOutputProfile': profile } = document.dictionary(intent) ?? {};
  document.load([profile as string]);
  expect([kind, document.decoded(profile as string)]).toEqual(['/GTS_PDFA1', PROFILE]);
});

it('addTextLayer: given pdfa, writes the text, its language and the metadata', async () => {
  const positionedText = positionedTextFrom(extractionOf('deu', [[['Hafen', 20, 100]]]));
  const options = { pagesWithText: 'skip', pdfa: PROFILE } as const;
  const { pdf } = await addTextLayer(customPdf({ pages: [BARE] }), [{ number: 1, positionedText }], options);
  const { xmp, catalog } = await catalogOf(pdf);
  expect(catalog['/Lang']).toBe('u:de');
  expect(xmp).toContain('<rdf:li>de</rdf:li>');
});

it('toPdfA: given the same file twice, returns the same bytes, and accepts its own output', async () => {
  const own = customPdf({ pages: [BARE] });
  const [one, other] = [await toPdfA(own, PROFILE), await toPdfA(own, PROFILE)];
  expect(Buffer.compare(one, other)).toBe(0);
  expect((await catalogOf(await toPdfA(one, PROFILE))).xmp).toContain('<pdfaid:part>2</pdfaid:part>');
});

it('toPdfA: given an image with /Interpolate, removes it and keeps its bytes', async () => {
  const own = customPdf({
    pages: [BARE],
    catalog: (file) => ({
      '/Kept': file.addStream(
        { '/Subtype': '/Image', '/Interpolate': true, '/Filter': '/DCTDecode' },
        PROFILE,
      ),
    }),
  });
  const made = await toPdfA(own, PROFILE);
  const { document, catalog } = await catalogOf(made);
  expect(document.dictionary(catalog['/Kept'])).toMatchObject({ '/Interpolate': false, '/Length': 3 });
});

it.each(['in the page', 'as an indirect object'])(
  'toPdfA: given a link %s without flags, sets its Print flag',
  async (place) => {
    const link = { '/Type': '/Annot', '/Subtype': '/Link', '/Rect': [0, 0, 9, 9] };
    const document = await openPdf(customPdf({ pages: [BARE] }));
    const [page] = document.pages();
    const annotation = place === 'in the page' ? link : document.add(link);
    document.replace(page!.reference, { ...page!.entries, '/Annots': [annotation] });
    const made = (await catalogOf(await toPdfA(document.bytes([]), PROFILE))).document;
    const [printed] = made.list(made.pages()[0]!.entries['/Annots']);
    expect(made.dictionary(printed)).toMatchObject({ '/F': 4 });
  },
);

const intent = (file: PdfFile, components: number) => ({
  '/S': '/GTS_PDFA1',
  '/DestOutputProfile': file.addStream({ '/N': components }, PROFILE),
});

it('toPdfA: given CMYK with a profile, keeps the profile', async () => {
  const catalog = (file: PdfFile) => ({ '/OutputIntents': [intent(file, 4)] });
  const own = customPdf({ pages: [{ ...BARE, contents: ['0 0 0 1 k'] }], catalog });
  const { document } = await catalogOf(await toPdfA(own, new Uint8Array([9])));
  const [kept, ...others] = document.list(document.catalog['/OutputIntents']);
  expect(document.dictionary(document.dictionary(kept)?.['/DestOutputProfile'])).toMatchObject({ '/N': 4 });
  expect(others).toEqual([]);
});

const annotation = (about: PdfDictionary): CustomPage => ({
  ...BARE,
  entries: { ...BARE.entries, '/Annots': [{ '/Type': '/Annot', '/Rect': [0, 0, 9, 9], ...about }] },
});

it.each<[string, CustomPage, Parameters<typeof customPdf>[0]['catalog'], string]>([
  ['a font that is not embedded', { contents: ['BT ET'] }, {}, 'the font Helvetica is not embedded'],
  [
    'CMYK colors in a content stream',
    { ...BARE, contents: ['0 0 0 1 k'] },
    {},
    'it has CMYK colors without a profile',
  ],
  [
    'CMYK colors in a color space',
    {
      ...BARE,
      entries: { '/Resources': { '/ColorSpace': { '/C': ['/Indexed', '/DeviceCMYK', 0, 'b:00000000'] } } },
    },
    {},
    'it has CMYK colors without a profile',
  ],
  [
    'a script',
    BARE,
    { '/OpenAction': { '/S': '/JavaScript', '/JS': 'u:1' } },
    'it has an action (JavaScript)',
  ],
  [
    'a launch action',
    annotation({ '/Subtype': '/Link', '/A': { '/S': '/Launch' } }),
    {},
    'it has an action (Launch)',
  ],
  [
    'attachments',
    BARE,
    { '/Names': { '/EmbeddedFiles': { '/Names': ['u:a', { '/EF': {} }] } } },
    'it has attachments',
  ],
  [
    'a note without an appearance stream',
    annotation({ '/Subtype': '/Text' }),
    {},
    'an annotation of the type Text has no appearance stream',
  ],
  ['a hidden link', annotation({ '/Subtype': '/Link', '/F': 2 }), {}, 'it has a hidden annotation'],
  ['layers', BARE, { '/OCProperties': { '/D': {} } }, 'it has layers that can be switched off'],
])('toPdfA: given %s, rejects with the reason', async (_, page, catalog, reason) => {
  await expect(
    toPdfA(customPdf({ pages: [page], ...(catalog && { catalog }) }), PROFILE),
  ).rejects.toMatchObject({
    code: 'not_pdfa',
    message: `cannot be made PDF/A: ${reason}`,
  });
});
