/**
 * Adds invisible text to the pages of a PDF without rendering them again; everything else in the file is kept. Deterministic:
 * the same input gives the same bytes.
 */

import { strToU8 } from 'fflate';
import { itemAt } from '../checked.ts';
import { GlyphlessFont } from '../glyphless-font.ts';
import { invisibleText } from '../invisible-text.ts';
import type { Jpeg } from '../jpeg.ts';
import type { PdfDictionary } from '../pdf-file.ts';
import { imageDictionary, PdfError } from '../pdf-file.ts';
import type { PositionedText } from '../positioned-text.ts';
import { slantedLines } from '../slanted.ts';
import { quarterTurns, toUpright, uprightSize } from '../upright.ts';
import {
  matrixFromUnitSquare,
  matrixFromUpright,
  matrixSyntax,
  pageGeometry,
  rotationAboutCenter,
} from './page-geometry.ts';
import { type PageText, textOfPages, withoutInvisibleText } from './page-text.ts';
import { openPdf, type PdfDocument, type PdfPage } from './pdf-document.ts';
import { makePdfA } from './pdfa.ts';
import { QpdfFile } from './qpdf.ts';

/** Handling of pages that already contain text. */
export const PAGES_WITH_TEXT = ['skip', 'redo', 'force'] as const;
export type PagesWithText = (typeof PAGES_WITH_TEXT)[number];

export interface LayerPage {
  /** Counted from 1. */
  number: number;
  positionedText: PositionedText;
  /** For `force`: the rendered page, which replaces the content. */
  picture?: Jpeg;
}

export interface LayerOptions {
  /** Number of pages found by recognition. Must match, or text would be added to the wrong pages. */
  pageCount?: number;
  /**
   * `skip` does not change pages with text; `redo` replaces the text layer of an earlier recognition and does not change pages
   * with visible text; `force` replaces the content of pages with text by the given picture.
   */
  pagesWithText: PagesWithText;
  /** Rotate pages so that their text is upright. */
  rotatePages?: boolean;
  /** Deskew the content of scans, without rendering it again. */
  deskew?: boolean;
  /** PDF/A-2b, with this ICC profile of sRGB for device colors. */
  pdfa?: Uint8Array;
}

export interface Layered {
  pdf: Uint8Array;
  /** Numbers of the pages that stay unchanged, because they contain text. */
  unchanged: number[];
}

const FONT = '/GlyphliftText';
const PICTURE = '/GlyphliftPage';

/**
 * @param pages recognized pages; the others are not changed
 * @throws {PdfError} if the file cannot be changed without loss
 */
export async function addTextLayer(
  pdf: Uint8Array,
  pages: readonly LayerPage[],
  options: LayerOptions,
): Promise<Layered> {
  const document = await openPdf(pdf);
  const all = document.pages();
  if (options.pageCount !== undefined && options.pageCount !== all.length)
    throw new PdfError(
      'damaged',
      `its list of pages is damaged: it has ${options.pageCount} or ${all.length}`,
    );
  const places = pages.map(({ number }) => {
    const place = all[number - 1];
    if (!place) throw new PdfError('damaged', `its page ${number} is not in its list of pages`);
    return place;
  });
  const texts = textOfPages(document, places);
  const drawn = pages.map((page, at) => ({ page, place: itemAt(places, at), text: itemAt(texts, at) }));
  const skipped = drawn.filter(({ text, page }) => !isReplaced(text, page, options));
  const font = new GlyphlessFont();
  const layers = drawn
    .filter((each) => !skipped.includes(each) && changes(each))
    .map((each) => ({ ...each, ...layerOf(document, each.page, each.place, font, options) }));
  const unchanged = skipped.map(({ page }) => page.number);
  const [language] = layers[0]?.page.positionedText.languages ?? [];
  if (layers.length === 0 && !options.pdfa) return { pdf, unchanged };
  rejectLosses(document);
  if (layers.length > 0) {
    const reference = font.addTo(document);
    for (const layer of layers) applyLayer(document, layer, reference);
    if (language && document.catalog['/Lang'] === undefined)
      document.amendCatalog({ '/Lang': `u:${language}` });
  }
  return { pdf: written(document, language, options), unchanged };
}

/** A PDF as PDF/A-2b. @throws {PdfError} `not_pdfa` with the reasons */
export async function toPdfA(pdf: Uint8Array, profile: Uint8Array): Promise<Uint8Array> {
  return written(await openPdf(pdf), undefined, { pdfa: profile });
}

/** A PDF with all pages of several PDFs, without bookmarks and metadata. @throws {PdfError} */
export const joinPdfs = (pdfs: readonly Uint8Array[]): Promise<Uint8Array> => QpdfFile.join(pdfs);

function written(
  document: PdfDocument,
  language: string | undefined,
  { pdfa }: Pick<LayerOptions, 'pdfa'>,
): Uint8Array {
  if (pdfa) makePdfA(document, { profile: pdfa, language });
  else document.keepCompressedStreams();
  return document.bytes(writingOptions(document, pdfa !== undefined));
}

/** Checks for features that a changed file would lose. @throws {PdfError} */
function rejectLosses(document: PdfDocument): void {
  const form = document.dictionary(document.catalog['/AcroForm']);
  if (
    document.catalog['/NeedsRendering'] === true ||
    (form?.['/XFA'] !== undefined && document.list(form['/Fields']).length === 0)
  )
    throw new PdfError('dynamic_form', 'a form that only its own program can show; print it to a PDF');
  for (const { value } of document.dictionaries()) {
    if (value['/FT'] === '/Sig' && document.dictionary(value['/V']))
      throw new PdfError('signed', 'digitally signed; a text layer would break the signature');
  }
}

function isReplaced(
  { visible, invisible }: PageText,
  { picture }: LayerPage,
  { pagesWithText }: LayerOptions,
) {
  if (!visible && !invisible) return true;
  if (pagesWithText === 'force') return picture !== undefined;
  return pagesWithText === 'redo' && !visible;
}

/** Whether a page changes: a page without words gets no layer, unless older text has to be removed. */
const changes = ({ page, text }: { page: LayerPage; text: PageText }) =>
  page.positionedText.paragraphs.length > 0 || text.invisible || page.picture !== undefined;

interface Layer {
  content: string;
  /** The new `/Rotate`, if it changes. */
  rotate?: number;
}

function layerOf(
  document: PdfDocument,
  page: LayerPage,
  pdfPage: PdfPage,
  font: GlyphlessFont,
  { rotatePages, deskew }: LayerOptions,
): Layer {
  const { positionedText, picture } = page;
  const place = pageGeometry(document, pdfPage);
  const { picture: about } = positionedText;
  const angle =
    deskew && !picture && document.list(pdfPage.entries['/Annots']).length === 0
      ? angleOf(positionedText)
      : 0;
  // The layer comes before all other content, where the coordinate system is not transformed yet.
  const operators = [
    ...(angle === 0 ? [] : [`${matrixSyntax(rotationAboutCenter(place, angle))} cm`]),
    ...(picture ? [`q ${matrixSyntax(matrixFromUnitSquare(place))} cm ${PICTURE} Do Q`] : []),
    `q ${matrixSyntax(matrixFromUpright(place, about))} cm`,
    invisibleText(positionedText, font, { scale: 1, height: uprightSize(about).height, fontName: FONT }),
    'Q',
  ];
  const turned = quarterTurns(about);
  const rotate = rotatePages && turned > 0 ? { rotate: 90 * ((place.quarters + turned) % 4) } : {};
  return { content: `${operators.join('\n')}\n`, ...rotate };
}

/** Radians. Smaller slopes are noise; larger ones are intended. */
const [MIN_SLOPE, MAX_SLOPE] = [0.002, 0.26];

/** The median slope of a page's lines, clockwise, in radians; 0 for slopes outside the limits. */
function angleOf({ paragraphs, picture }: PositionedText): number {
  const lines = paragraphs.flatMap(({ lines }) =>
    lines.map(({ words }) => words.map(({ box }) => toUpright(box, picture))),
  );
  const angles = slantedLines(lines)
    .flat()
    .map(({ angle }) => angle)
    .sort((one, other) => one - other);
  const median = angles[Math.floor(angles.length / 2)] ?? 0;
  return Math.abs(median) < MIN_SLOPE || Math.abs(median) > MAX_SLOPE ? 0 : median;
}

interface PlacedLayer extends Layer {
  page: LayerPage;
  place: PdfPage;
  text: PageText;
}

/** Replaces a page's entries. Resources may be shared with other pages, so the page gets a copy with the text's font. */
function applyLayer(
  document: PdfDocument,
  { page, place, text, content, rotate }: PlacedLayer,
  font: string,
): void {
  const { picture } = page;
  const old = picture ? { contents: [], resources: {} } : withoutInvisibleText(document, place, text);
  const resources: PdfDictionary = old.resources;
  const layer = document.addStream({}, strToU8(content, true));
  document.replace(place.reference, {
    ...place.entries,
    ...(rotate !== undefined && { '/Rotate': rotate }),
    '/Contents': [layer, ...old.contents],
    '/Resources': {
      ...resources,
      '/Font': { ...document.dictionary(resources['/Font']), [FONT]: font },
      ...(picture && {
        '/XObject': { [PICTURE]: document.addStream(imageDictionary(picture), picture.bytes) },
      }),
    },
  });
}

function writingOptions(document: PdfDocument, isPdfA: boolean): string[] {
  const isEncrypted = document.trailer['/Encrypt'] !== undefined;
  const isLinearized = document.isLinearized;
  return [
    '--object-streams=generate',
    // Compressed streams keep their bytes, except for LZW in PDF/A, which is recompressed.
    `--decode-level=${isPdfA ? 'generalized' : 'none'}`,
    // Encryption uses a random salt, so a protected file is not reproducible.
    ...(isEncrypted ? [] : ['--deterministic-id']),
    ...(isLinearized ? ['--linearize'] : []),
    ...(isPdfA ? ['--force-version=1.7', '--newline-before-endstream'] : []),
  ];
}
