import type { Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import { mapText, piecesOf } from '#formats/pieces';
import { toUpright } from '#formats/upright';
import type { Layout, TextState } from './text-history.ts';
import { toLayout } from './text-layout.ts';

const KEY = 'text-layout';
const LAYOUTS: readonly Layout[] = ['lines', 'paragraphs', 'page'];

/** The state of an unedited text. */
export function initialState(extraction: Extraction): TextState {
  const pieces = piecesOf(extraction);
  const mapped = mapText(extraction.extractedText, pieces);
  return {
    ...toLayout(initialLayout(extraction), mapped, { pieces, image: extraction.image }),
    checked: new Set(),
  };
}

/**
 * The initial layout: the one chosen last in this browser, otherwise `page` (the Layout view) for code and forms,
 * and `lines` for other text.
 */
export function initialLayout(extraction: Extraction): Layout {
  const chosen = storedLayout();
  // A text without word positions has no Layout view.
  if (!extraction.lines.some(({ box }) => box.width > 0)) return chosen === 'paragraphs' ? chosen : 'lines';
  return chosen ?? (isCode(extraction) || isForm(extraction) ? 'page' : 'lines');
}

/** Stores the layout that the user chose. */
export function storeLayout(layout: Layout): void {
  try {
    localStorage.setItem(KEY, layout);
  } catch {
    // Storage is unavailable.
  }
}

function storedLayout(): Layout | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return LAYOUTS.find((layout) => layout === stored);
  } catch {
    return undefined;
  }
}

/** Minimal length and number of words for measuring the width of letters. */
const MEASURABLE = { letters: 5, words: 6 } as const;
/**
 * Text is monospaced if the median deviation of its letter widths is at most this fraction. Proportional text has 0.05
 * or more.
 */
const MAX_WIDTH_DEVIATION = 0.035;
/** Minimal number and share of indented lines. Fewer are first lines of paragraphs. */
const MIN_INDENTED = { lines: 3, share: 0.25 } as const;

/** Whether the text is monospaced with many indented lines. Code needs its indentation. */
function isCode({ lines, layout, image }: Extraction): boolean {
  const indented = layout?.indents.length ?? 0;
  if (indented < MIN_INDENTED.lines || indented < MIN_INDENTED.share * lines.length) return false;
  const widths = lines
    .flatMap(({ words }) => words)
    .filter(({ text }) => text.length >= MEASURABLE.letters)
    .map(({ text, box }) => toUpright(box, image).width / text.length);
  if (widths.length < MEASURABLE.words) return false;
  const medianWidth = median(widths);
  return median(widths.map((width) => Math.abs(width / medianWidth - 1))) <= MAX_WIDTH_DEVIATION;
}

/** Minimal number and share of fields in a form. Fewer may be the date and the number of a letter. */
const MIN_FIELDS = { fields: 5, share: 0.15 } as const;

/** Whether the page is a form, whose labels and values would be joined in Lines view. */
function isForm({ lines, layout }: Extraction): boolean {
  const fields = layout?.fields.length ?? 0;
  return fields >= MIN_FIELDS.fields && fields >= MIN_FIELDS.share * lines.length;
}

function median(values: readonly number[]): number {
  return itemAt(
    values.toSorted((one, other) => one - other),
    Math.floor(values.length / 2),
  );
}
