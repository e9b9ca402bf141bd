import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { itemAt } from '#formats/checked';
import { revealIn } from '../../ui/reveal.ts';

/** `[start, end)` of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** All matches of `query` in a text, in order and without overlaps. */
export function findMatches(text: string, query: string, matchesCase: boolean): readonly TextRange[] {
  if (query === '') return [];
  const [searched, needle] = matchesCase ? [text, query] : [toLowerCase(text), toLowerCase(query)];
  const places: TextRange[] = [];
  for (let start = searched.indexOf(needle); start >= 0; ) {
    const end = start + needle.length;
    places.push({ start, end });
    start = searched.indexOf(needle, end);
  }
  return places;
}

/** Lower case without changing offsets: characters whose lower case is longer stay unchanged. */
function toLowerCase(text: string): string {
  return [...text]
    .map((character) => {
      const small = character.toLowerCase();
      return small.length === character.length ? small : character;
    })
    .join('');
}

/** The names of the two highlights in `workspace.css`. */
const [ALL, CURRENT] = ['found-in-text', 'found-now'] as const;

/**
 * Highlights ranges in the copy of a text beneath its text area, without changing the copy's elements, and scrolls to the
 * current range. A browser without the CSS Custom Highlight API shows only the selection.
 */
export function useHighlights(
  pane: RefObject<HTMLElement | null>,
  places: readonly TextRange[],
  current: TextRange | undefined,
): void {
  const shown = useRef<TextRange>(undefined);
  // Runs after each render, because a changed word state replaces the text nodes of its line.
  useLayoutEffect(() => {
    const copy = pane.current?.querySelector('[data-lines]');
    if (!copy || !pane.current) return;
    const nodes = textNodes(copy);
    const rangeOf = ({ start, end }: TextRange) => {
      const range = document.createRange();
      range.setStart(...nodeAtOffset(nodes, start));
      range.setEnd(...nodeAtOffset(nodes, end));
      return range;
    };
    const now = current && rangeOf(current);
    if (now && shown.current !== current) revealIn(pane.current, now);
    shown.current = current;
    if (typeof Highlight === 'undefined') return;
    CSS.highlights.set(ALL, new Highlight(...places.map(rangeOf)));
    CSS.highlights.set(CURRENT, new Highlight(...(now ? [now] : [])));
  });
  useEffect(
    () => () => {
      if (typeof Highlight === 'undefined') return;
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(CURRENT);
    },
    [],
  );
}

/**
 * Text nodes with their offsets in the text. Each element of the copy is a line, which ends with a line break in the
 * text.
 */
type Nodes = ReadonlyArray<{ node: Text; start: number }>;

function textNodes(copy: Element): Nodes {
  const nodes: { node: Text; start: number }[] = [];
  let start = 0;
  for (const line of copy.children) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
      // The zero-width space of an empty line is not part of the text.
      if (node.data === '\u200b') continue;
      nodes.push({ node, start });
      start += node.length;
    }
    start += 1;
  }
  return nodes;
}

function nodeAtOffset(nodes: Nodes, offset: number): [Text, number] {
  let [low, high] = [0, nodes.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (itemAt(nodes, middle).start <= offset) low = middle;
    else high = middle - 1;
  }
  const { node, start } = itemAt(nodes, low);
  return [node, Math.min(offset - start, node.length)];
}
