import type { Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import { mapText, piecesOf } from '#formats/pieces';
import { toUpright } from '#formats/upright';
import type { Layout, TextState } from './text-history.ts';
import { toLayout } from './text-layout.ts';

const KEY = 'text-layout';
const LAYOUTS: readonly Layout[] = ['lines', 'paragraphs', 'page'];

/** A text before anything was done to it. */
export function firstState(extraction: Extraction): TextState {
  const pieces = piecesOf(extraction);
  const mapped = mapText(extraction.extractedText, pieces);
  return {
    ...toLayout(firstLayout(extraction), mapped, { pieces, image: extraction.image }),
    checked: new Set(),
  };
}

/** How a text is laid out at first: as the person chose last in this browser, or else code and forms as on the page. */
export function firstLayout(extraction: Extraction): Layout {
  const chosen = storedLayout();
  // It is not known where the words of a text alone stood.
  if (!extraction.lines.some(({ box }) => box.width > 0)) return chosen === 'paragraphs' ? chosen : 'lines';
  return chosen ?? (isCode(extraction) || isForm(extraction) ? 'page' : 'lines');
}

/** A person chose how texts are laid out. */
export function storeLayout(layout: Layout): void {
  try {
    localStorage.setItem(KEY, layout);
  } catch {
    // A browser that keeps nothing lays the next text out as if nothing had been chosen.
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

/** Words that are wide enough to measure letters by, and how many it takes. */
const MEASURABLE = { letters: 5, words: 6 } as const;
/** Letters are of one width where half of the words differ by no more than this share. Printed text has .05 and more. */
const MAX_WIDTH_DEVIATION = 0.035;
/** Lines that are set in: fewer are the beginnings of paragraphs. */
const MIN_INDENTED = { lines: 3, share: 0.25 } as const;

/** Lines in letters of one width, many of them set in: without its indentation such a text is worth little. */
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

/** What a form has of fields: fewer are a date and a number above a letter. */
const MIN_FIELDS = { fields: 5, share: 0.15 } as const;

/** Labels and what was filled in beside them, which run into each other in lines. */
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
