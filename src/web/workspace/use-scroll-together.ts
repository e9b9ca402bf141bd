import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { itemAt, required } from '#formats/checked';
import type { MappedText } from '#formats/pieces';

/** The vertical center of a line in each pane's content, in CSS pixels from the top. */
interface Anchor {
  text: number;
  picture: number;
}

type Side = keyof Anchor;

/** A scroll within this time after input is by the user. Scrolling by code does not move the other pane. */
const USER_SCROLL_MS = 250;

const SCROLL_KEYS = new Set(['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'Home', 'End', ' ']);

const KEY = 'scroll-together';

interface ScrollTogetherOptions {
  picture: RefObject<HTMLElement | null>;
  text: RefObject<HTMLElement | null>;
  /** Returns the current text. */
  currentText: () => MappedText;
  /** Whether both panes are visible. */
  enabled: boolean;
}

/**
 * Keeps the same line visible in both panes while the user scrolls one of them. Columns are consecutive in the text and side
 * by side on the picture. Of two lines at the same height of the picture, the one nearer to the visible text is used.
 */
export function useScrollTogether({ picture, text, currentText, enabled }: ScrollTogetherOptions) {
  const [isOn, setIsOn] = useState(isStoredOn);
  const anchors = useEffectEvent(() =>
    picture.current && text.current ? anchorsOf(picture.current, text.current, currentText()) : [],
  );
  useEffect(() => {
    const panes = { picture: picture.current, text: text.current };
    if (!isOn || !enabled || !panes.picture || !panes.text) return;
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    let lines: readonly Anchor[] = [];
    let measured = '';
    const scrollOther = (side: Side, other: Side) => {
      const [from, to] = [required(panes[side]), required(panes[other])];
      const sizes = `${from.scrollHeight} ${to.scrollHeight} ${currentText().text.length}`;
      if (sizes !== measured) lines = anchors();
      measured = sizes;
      const most = from.scrollHeight - from.clientHeight;
      const fraction = most > 0 ? from.scrollTop / most : 0;
      const visible = to.scrollTop + fraction * to.clientHeight;
      const at = matchingPosition(lines, side, from.scrollTop + fraction * from.clientHeight, visible);
      if (at !== null) to.scrollTo({ top: at - fraction * to.clientHeight, behavior: 'instant' });
    };
    for (const [side, other] of [
      ['text', 'picture'],
      ['picture', 'text'],
    ] as const) {
      const pane = required(panes[side]);
      let lastInput = Number.NEGATIVE_INFINITY;
      let isDragging = false;
      const recordInput = () => (lastInput = performance.now());
      pane.addEventListener('wheel', recordInput, options);
      pane.addEventListener('touchmove', recordInput, options);
      pane.addEventListener(
        'keydown',
        ({ key, target }) => SCROLL_KEYS.has(key) && target === pane && recordInput(),
        options,
      );
      pane.addEventListener('pointerdown', () => (isDragging = true), options);
      window.addEventListener('pointerup', () => (isDragging = false), options);
      pane.addEventListener(
        'scroll',
        () => {
          if (!isDragging && performance.now() - lastInput > USER_SCROLL_MS) return;
          // Momentum scrolling continues without input.
          recordInput();
          scrollOther(side, other);
        },
        options,
      );
    }
    return () => listening.abort();
  }, [isOn, enabled, picture, text, currentText]);
  return {
    isOn,
    toggle: () => {
      setIsOn(!isOn);
      storeIsOn(!isOn);
    },
  };
}

/** The anchors of all lines that have a word with a box on the picture. */
function anchorsOf(picture: HTMLElement, pane: HTMLElement, { text, marks }: MappedText): Anchor[] {
  const rows = pane.querySelectorAll('[data-lines] > div');
  const middle = (element: Element, of: HTMLElement) => {
    const { top, height } = element.getBoundingClientRect();
    return top + height / 2 - of.getBoundingClientRect().top + of.scrollTop;
  };
  const anchors: Anchor[] = [];
  let [row, at, end] = [-1, 0, -1];
  for (const { piece, start } of marks) {
    const before = row;
    while (end < start && row < rows.length) {
      at = end + 1;
      const next = text.indexOf('\n', at);
      end = next < 0 ? text.length : next;
      row += 1;
    }
    const word = row === before ? null : picture.querySelector(`rect[data-piece="${piece}"]`);
    const line = rows[row];
    if (word && line) anchors.push({ text: middle(line, pane), picture: middle(word, picture) });
  }
  return anchors;
}

/**
 * Maps a vertical position of one pane to the other pane. `visible`: the position that the other pane shows now.
 * @returns null without lines
 */
export function matchingPosition(
  anchors: readonly Anchor[],
  from: Side,
  place: number,
  seen: number,
): number | null {
  const to = from === 'text' ? 'picture' : 'text';
  const costOf = (anchor: Anchor) =>
    Math.abs(anchor[from] - place) + VISIBLE_WEIGHT * Math.abs(anchor[to] - seen);
  const nearest = anchors.reduce<number>(
    (best, anchor, index) => (best < 0 || costOf(anchor) < costOf(itemAt(anchors, best)) ? index : best),
    -1,
  );
  const line = anchors[nearest];
  if (!line) return null;
  // Interpolates between two lines, so that the other pane does not jump from line to line.
  const next = [anchors[nearest - 1], anchors[nearest + 1]].find(
    (other) =>
      other &&
      (other[from] - place) * (line[from] - place) < 0 &&
      (other[to] - line[to]) * (other[from] - line[from]) > 0,
  );
  if (!next) return line[to];
  const ratio = (place - line[from]) / (next[from] - line[from]);
  return line[to] + ratio * (next[to] - line[to]);
}

/** Weight of the distance from the visible position: enough to stay within a column. */
const VISIBLE_WEIGHT = 0.05;

function isStoredOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

function storeIsOn(isOn: boolean): void {
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off');
  } catch {
    // Storage is unavailable: the default is used next time.
  }
}
