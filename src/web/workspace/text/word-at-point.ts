import { firstOf, itemAt } from '#formats/checked';
import type { MarkedLine } from './marked-lines.ts';

interface Point {
  x: number;
  y: number;
}

/**
 * The piece of the word at a point of the screen; null without one. `copy` has one element for each line, with one or more
 * text nodes.
 */
export function wordAtPoint(at: Point, copy: Element, lines: readonly MarkedLine[]): number | null {
  // The text area is on top, so the line is searched beneath it.
  const element = document
    .elementsFromPoint(at.x, at.y)
    .map((one) => (one.parentElement === copy ? one : one.closest('[data-word]')?.parentElement))
    .find((one) => one?.parentElement === copy);
  const line = element && lines[[...copy.children].indexOf(element)];
  if (!line) return null;
  const nodes = textNodesOf(element);
  const range = document.createRange();
  const boxesOf = ({ start, end }: { start: number; end: number }) => {
    range.setStart(...nodeAt(nodes, start, false));
    range.setEnd(...nodeAt(nodes, end, true));
    return [...range.getClientRects()];
  };
  // A binary search finds the visual row, and the words of this row are checked one by one.
  let [from, to] = [0, line.words.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const bottom = boxesOf(itemAt(line.words, middle)).at(-1)?.bottom ?? 0;
    if (bottom < at.y) from = middle + 1;
    else to = middle;
  }
  for (const word of line.words.slice(from)) {
    const boxes = boxesOf(word);
    if (boxes.some((box) => at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom)) {
      return word.piece;
    }
    if ((boxes[0]?.top ?? 0) > at.y) return null;
  }
  return null;
}

interface TextNode {
  node: Text;
  /** The offset of its text in the line. */
  start: number;
}

function textNodesOf(line: Element): TextNode[] {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const places: TextNode[] = [];
  let start = 0;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    places.push({ node, start });
    start += node.length;
  }
  return places;
}

function nodeAt(places: readonly TextNode[], offset: number, isEnd: boolean): [Text, number] {
  const place = places.findLast(({ start }) => (isEnd ? start < offset : start <= offset)) ?? firstOf(places);
  return [place.node, Math.min(offset - place.start, place.node.length)];
}
