import { strToU8 } from 'fflate';
import { type PdfDictionary, PdfFile, serialize } from '#formats/pdf-file';

/* PDFs built object by object: pages with boxes, rotations and text, and entries of the catalog. */

export interface CustomPage {
  /** Entries of the page dictionary. The media box is 300 × 200 by default. */
  entries?: PdfDictionary;
  /** Content streams; the font is `/F`, the form XObject `/Form`. */
  contents: readonly string[];
  /** Content of the form XObject. */
  form?: string;
}

interface CustomPdf {
  pages: readonly CustomPage[];
  catalog?: PdfDictionary | ((file: PdfFile) => PdfDictionary);
  info?: PdfDictionary;
}

export function customPdf({ pages, catalog = {}, info = {} }: CustomPdf): Uint8Array<ArrayBuffer> {
  const file = new PdfFile();
  const font = file.add({ '/Type': '/Font', '/Subtype': '/Type1', '/BaseFont': '/Helvetica' });
  const list = file.addPages(
    pages.map(({ entries = {}, contents, form = '' }) => {
      const [streams, drawn] = [
        contents.map((content) => file.addStream({}, strToU8(content, true))),
        file.addStream(
          {
            '/Type': '/XObject',
            '/Subtype': '/Form',
            '/BBox': [0, 0, 300, 200],
            '/Resources': { '/Font': { '/F': font } },
          },
          strToU8(form),
        ),
      ];
      return (parent) =>
        serialize({
          '/Type': '/Page',
          '/Parent': parent,
          '/MediaBox': [0, 0, 300, 200],
          '/Contents': streams,
          '/Resources': { '/Font': { '/F': font }, '/XObject': { '/Form': drawn } },
          ...entries,
        });
    }),
  );
  const more = typeof catalog === 'function' ? catalog(file) : catalog;
  const root = file.add({ '/Type': '/Catalog', '/Pages': list, ...more });
  return new Uint8Array(file.bytes({ catalog: root, info: file.add(info) }));
}
