/** Converts a PDF to PDF/A-2b by adding metadata, or rejects it for features that PDF/A forbids. Content is not changed. */
import { strToU8 } from 'fflate';
import type { PdfDictionary, PdfValue } from '../pdf-file.ts';
import { PdfError } from '../pdf-file.ts';
import { type ContentText, textIn } from './content-text.ts';
import { contentStreams } from './page-text.ts';
import { isDictionary, type PdfDocument } from './pdf-document.ts';
import { xmpOf } from './xmp.ts';

export interface PdfAOptions {
  /** An ICC profile of sRGB, for device colors. */
  profile: Uint8Array;
  /** BCP 47 tag for a file that does not state its language. */
  language: string | undefined;
}

/** @throws {PdfError} `not_pdfa`, with all reasons */
export function makePdfA(document: PdfDocument, { profile, language }: PdfAOptions): void {
  const problems = problemsOf(document);
  if (problems.length > 0)
    throw new PdfError(
      'not_pdfa',
      `cannot be made PDF/A: ${problems.slice(0, MAX_LISTED_PROBLEMS).join('; ')}`,
    );
  const { catalog } = document;
  const lang = document.resolve(catalog['/Lang']) ?? (language ? `u:${language}` : null);
  const metadata = { '/Type': '/Metadata', '/Subtype': '/XML' };
  const xmp = xmpOf(document.dictionary(document.trailer['/Info']) ?? {}, textOf(lang));
  document.amendCatalog({
    '/Metadata': document.addStream(metadata, strToU8(xmp), { compressed: false }),
    ...(lang !== null && { '/Lang': lang }),
    ...(componentsOfIntent(document) === undefined && { '/OutputIntents': [intentOf(document, profile)] }),
  });
  // PDF/A does not allow /Interpolate.
  for (const { value, reference, isStream } of [...document.dictionaries()]) {
    if (isStream && value['/Interpolate'] === true)
      document.amendStream(reference, { '/Interpolate': false });
  }
  for (const page of document.pages()) {
    const annotations = document.list(page.entries['/Annots']);
    if (annotations.length === 0) continue;
    const printed = annotations.map((annotation) => printable(document, annotation));
    document.replace(page.reference, { ...page.entries, '/Annots': printed });
  }
}

const MAX_LISTED_PROBLEMS = 5;
const PRINTED = 4;
/** Annotation flags: Invisible, Hidden, NoView, ToggleNoView. */
const HIDDEN_FLAGS = 1 | 2 | 32 | 256;

const textOf = (value: PdfValue) => (typeof value === 'string' ? value.replace(/^u:/, '') : undefined);

function intentOf(document: PdfDocument, profile: Uint8Array): string {
  return document.add({
    '/Type': '/OutputIntent',
    '/S': '/GTS_PDFA1',
    '/OutputConditionIdentifier': 'u:sRGB',
    '/Info': 'u:sRGB IEC61966-2.1',
    '/DestOutputProfile': document.addStream({ '/N': 3 }, profile),
  });
}

/** Components of the existing output intent's profile: 3 for RGB, 4 for CMYK. */
function componentsOfIntent(document: PdfDocument): number | undefined {
  const intents = document.list(document.catalog['/OutputIntents']).map((each) => document.dictionary(each));
  const intent = intents.find((each) => each?.['/S'] === '/GTS_PDFA1');
  const count = document.resolve(document.dictionary(intent?.['/DestOutputProfile'])?.['/N']);
  return typeof count === 'number' ? count : undefined;
}

/** PDF/A requires the Print flag of annotations. */
function printable(document: PdfDocument, value: PdfValue): PdfValue {
  const annotation = document.dictionary(value);
  if (!annotation || annotation['/Subtype'] === '/Popup') return value;
  const flags = Number(document.resolve(annotation['/F'])) || 0;
  const printed = { ...annotation, '/F': flags | PRINTED };
  if (typeof value !== 'string') return printed;
  document.replace(value, printed);
  return value;
}

/** Reasons why a file cannot be PDF/A-2b; each is shown after “cannot be made PDF/A:”. */
function problemsOf(document: PdfDocument): string[] {
  const problems = new Set<string>();
  if (document.trailer['/Encrypt'] !== undefined) problems.add('it is protected by encryption');
  const used = { cmyk: false, rgb: false };
  for (const { key, value } of document.values()) {
    if (isDictionary(value)) for (const problem of problemsIn(document, key, value)) problems.add(problem);
    used.cmyk ||= value === '/DeviceCMYK';
    used.rgb ||= value === '/DeviceRGB';
  }
  for (const { cmyk, rgb } of contents(document)) {
    used.cmyk ||= cmyk;
    used.rgb ||= rgb;
  }
  const hasCmykProfile = componentsOfIntent(document) === 4;
  if (used.cmyk && !hasCmykProfile) problems.add('it has CMYK colors without a profile');
  if (used.rgb && hasCmykProfile) problems.add('it has RGB colors without a profile');
  return [...problems];
}

function contents(document: PdfDocument): ContentText[] {
  const forms = [...document.dictionaries()]
    .filter(({ value, isStream }) => isStream && value['/Subtype'] === '/Form')
    .map(({ reference }) => reference);
  const streams = [...forms, ...document.pages().flatMap((page) => contentStreams(document, page))];
  document.load(streams);
  return streams.map((stream) => textIn(document.decoded(stream) ?? new Uint8Array()));
}

/** Actions that PDF/A does not allow. */
const ACTIONS = new Set(
  'Launch Sound Movie ResetForm ImportData Hide SetOCGState Rendition Trans GoTo3DView JavaScript'
    .split(' ')
    .map((name) => `/${name}`),
);
const ACTION_KEYS = new Set(['/A', '/AA', '/OpenAction', '/Next', '/JavaScript']);
const FORBIDDEN_ANNOTATIONS = new Set(['/3D', '/Sound', '/Screen', '/Movie', '/RichMedia']);

function* problemsIn(document: PdfDocument, key: string, dictionary: PdfDictionary): Generator<string> {
  if (key === '/Resources') yield* fontProblems(document, dictionary);
  const actionType = dictionary['/S'];
  if (
    typeof actionType === 'string' &&
    ACTIONS.has(actionType) &&
    (ACTION_KEYS.has(key) || dictionary['/Type'] === '/Action')
  )
    yield `it has an action (${actionType.slice(1)})`;
  if (dictionary['/AA'] !== undefined) yield 'it has actions that start automatically';
  if (dictionary['/EF'] !== undefined) yield 'it has attachments';
  if (dictionary['/XFA'] !== undefined) yield 'it has an XFA form';
  if (dictionary['/NeedAppearances'] === true) yield 'its form fields have no appearance streams';
  if (dictionary['/Alternates'] !== undefined || dictionary['/OPI'] !== undefined)
    yield 'an image has alternate versions';
  if (dictionary['/Subtype'] === '/PS' || dictionary['/Subtype2'] === '/PS') yield 'it has PostScript in it';
  if (dictionary['/TR'] !== undefined) yield 'it changes colors when it is printed (a transfer function)';
  if (dictionary['/Rect'] !== undefined && dictionary['/Subtype'] !== undefined)
    yield* annotationProblems(document, dictionary);
  const content = dictionary['/OCProperties'];
  if (isDictionary(document.resolve(content ?? null))) yield 'it has layers that can be switched off';
}

function* annotationProblems(document: PdfDocument, annotation: PdfDictionary): Generator<string> {
  const kind = String(annotation['/Subtype']);
  const flags = Number(document.resolve(annotation['/F'])) || 0;
  if (FORBIDDEN_ANNOTATIONS.has(kind)) yield `it has an annotation of the type ${kind.slice(1)}`;
  if ((flags & HIDDEN_FLAGS) !== 0 && kind !== '/Popup') yield 'it has a hidden annotation';
  const appearance = document.dictionary(annotation['/AP']);
  const isDrawnByReader = kind === '/Link' || kind === '/Popup';
  if (!appearance && !isDrawnByReader)
    yield `an annotation of the type ${kind.slice(1)} has no appearance stream`;
  if (appearance && Object.keys(appearance).some((name) => name !== '/N'))
    yield 'an annotation has a second appearance';
}

function* fontProblems(document: PdfDocument, resources: PdfDictionary): Generator<string> {
  for (const reference of Object.values(document.dictionary(resources['/Font']) ?? {})) {
    const font = document.dictionary(reference);
    if (!font || font['/Subtype'] === '/Type3') continue;
    const [descendant] = document.list(font['/DescendantFonts']);
    const described = document.dictionary(descendant) ?? font;
    const descriptor = document.dictionary(described['/FontDescriptor']) ?? {};
    const isEmbedded = ['/FontFile', '/FontFile2', '/FontFile3'].some((file) => file in descriptor);
    if (!isEmbedded) yield `the font ${String(font['/BaseFont'] ?? '').slice(1)} is not embedded`;
  }
}
