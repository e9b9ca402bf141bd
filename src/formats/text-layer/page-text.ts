/** Finds and removes the existing text of pages, in their content streams and in form XObjects. */
import { itemAt, required } from '../checked.ts';
import type { PdfDictionary, PdfValue } from '../pdf-file.ts';
import { type ContentText, textIn, withoutText } from './content-text.ts';
import { isReference, type PdfDocument, type PdfPage } from './pdf-document.ts';

export interface PageText {
  visible: boolean;
  /** Whether the page has invisible text, such as the text layer of an earlier recognition. */
  invisible: boolean;
  /** The page's concatenated streams; undefined if one cannot be decoded. */
  content: Uint8Array | undefined;
  /** Drawn form XObjects with invisible text, by name. */
  forms: ReadonlyMap<`/${string}`, string>;
}

interface FormText extends ContentText {
  /** Drawn form XObjects, by name. */
  inner: Map<`/${string}`, string>;
}

/** Maximum depth of nested forms. */
const MAX_NESTED = 8;

/** Text in nested forms and undecodable content counts as visible, so it is not replaced. */
export function textOfPages(document: PdfDocument, pages: readonly PdfPage[]): PageText[] {
  const contents = pages.map((page) => contentStreams(document, page));
  document.load(contents.flat());
  const found = pages.map(({ inherited }, at) => {
    const content = joined(itemAt(contents, at).map((reference) => document.decoded(reference)));
    const text = textIn(content ?? new Uint8Array());
    const inner = formsIn(document, text.drawn, document.dictionary(inherited['/Resources']));
    return { ...text, visible: text.visible || !content, content, inner };
  });
  const forms = formTexts(
    document,
    found.flatMap(({ inner }) => [...inner.values()]),
  );
  const holdsText = (form: string, depth = 0): boolean => {
    const text = forms.get(form);
    if (!text) return true;
    return text.visible || text.invisible || (depth < MAX_NESTED && innerHoldsText(text, depth + 1));
  };
  const innerHoldsText = ({ inner }: FormText, depth: number) =>
    [...inner.values()].some((form) => holdsText(form, depth));
  return found.map(({ visible, invisible, content, inner }) => {
    const drawn = [...inner].map(([name, form]) => ({ name, form, text: forms.get(form) }));
    const laid = drawn.filter(({ text }) => text?.invisible);
    return {
      visible: visible || drawn.some(({ text }) => !text || text.visible || innerHoldsText(text, 1)),
      invisible: invisible || laid.length > 0,
      content,
      forms: new Map(laid.map(({ name, form }) => [name, form])),
    };
  });
}

/** The text of forms, nested ones included. Works level by level, so that qpdf runs once per level. */
function formTexts(document: PdfDocument, outermost: readonly string[]): Map<string, FormText> {
  const texts = new Map<string, FormText>();
  let wanted = [...new Set(outermost)];
  for (let depth = 0; depth <= MAX_NESTED && wanted.length > 0; depth++) {
    document.load(wanted);
    for (const form of wanted) {
      const content = document.decoded(form);
      if (!content) continue;
      const text = textIn(content);
      const inner = formsIn(
        document,
        text.drawn,
        document.dictionary(document.dictionary(form)?.['/Resources']),
      );
      texts.set(form, { ...text, inner });
    }
    const next = [...texts.values()].flatMap(({ inner }) => [...inner.values()]);
    wanted = [...new Set(next)].filter((form) => !texts.has(form));
  }
  return texts;
}

function formsIn(
  document: PdfDocument,
  drawn: readonly string[],
  resources: PdfDictionary | undefined,
): Map<`/${string}`, string> {
  const known = document.dictionary(resources?.['/XObject']) ?? {};
  const forms = new Map<`/${string}`, string>();
  for (const name of drawn as `/${string}`[]) {
    const value = known[name];
    if (isReference(value) && document.dictionary(value)?.['/Subtype'] === '/Form') forms.set(name, value);
  }
  return forms;
}

export function contentStreams(document: PdfDocument, { entries }: PdfPage): string[] {
  const contents = entries['/Contents'];
  if (document.isStream(contents)) return [contents];
  return document.list(contents).filter((each): each is string => document.isStream(each));
}

/** The concatenated streams, separated by line breaks, because tokens never span streams. Undefined if one is missing. */
function joined(streams: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  if (streams.some((stream) => stream === undefined)) return undefined;
  const whole = new Uint8Array(streams.reduce((sum, stream) => sum + required(stream).length + 1, 0)).fill(
    10,
  );
  let at = 0;
  for (const stream of streams as Uint8Array[]) {
    whole.set(stream, at);
    at += stream.length + 1;
  }
  return whole;
}

/** A page's streams and resources without invisible text. Objects shared with other pages are not changed. */
export function withoutInvisibleText(
  document: PdfDocument,
  page: PdfPage,
  { invisible, content, forms }: PageText,
): { contents: PdfValue[]; resources: PdfDictionary } {
  const resources = document.dictionary(page.inherited['/Resources']) ?? {};
  if (!invisible || !content) return { contents: contentStreams(document, page), resources };
  const rest = withoutText(content);
  const drawn = Object.fromEntries(
    [...forms].map(([name, form]) => {
      const { '/Length': _, '/Filter': __, '/DecodeParms': ___, ...about } = document.dictionary(form) ?? {};
      return [name, document.addStream(about, withoutText(document.decoded(form) ?? new Uint8Array()))];
    }),
  );
  const isEmpty = rest.every((byte) => byte <= 32);
  return {
    contents: isEmpty ? [] : [document.addStream({}, rest)],
    resources:
      forms.size === 0
        ? resources
        : { ...resources, '/XObject': { ...document.dictionary(resources['/XObject']), ...drawn } },
  };
}
