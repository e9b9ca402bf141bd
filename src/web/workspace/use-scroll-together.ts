import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { itemAt, required } from '#formats/checked';
import type { MappedText } from '#formats/pieces';

/** A line of the text: where its middle is in each pane's content, in CSS pixels from its top. */
interface Anchor {
  text: number;
  picture: number;
}

type Side = keyof Anchor;

/** So long after a wheel, a finger or a key a pane is scrolled by a person. What code reveals moves one pane alone. */
const BY_HAND_MS = 250;

const SCROLL_KEYS = new Set(['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'Home', 'End', ' ']);

const KEY = 'scroll-together';

interface ScrollTogetherOptions {
  picture: RefObject<HTMLElement | null>;
  text: RefObject<HTMLElement | null>;
  /** The text as it stands. */
  now: () => MappedText;
  /** Both are on the screen. */
  isDue: boolean;
}

/**
 * Keeps the same line in view in both panes while a person scrolls one of them. Columns follow one another in the text and
 * stand side by side on the picture: of two lines at one height the nearer one in the text is meant.
 */
export function useScrollTogether({ picture, text, now, isDue }: ScrollTogetherOptions) {
  const [isOn, setIsOn] = useState(recall);
  const anchors = useEffectEvent(() =>
    picture.current && text.current ? anchorsOf(picture.current, text.current, now()) : [],
  );
  useEffect(() => {
    const panes = { picture: picture.current, text: text.current };
    if (!isOn || !isDue || !panes.picture || !panes.text) return;
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    let lines: readonly Anchor[] = [];
    let measured = '';
    const follow = (side: Side, other: Side) => {
      const [from, to] = [required(panes[side]), required(panes[other])];
      const sizes = `${from.scrollHeight} ${to.scrollHeight} ${now().text.length}`;
      if (sizes !== measured) lines = anchors();
      measured = sizes;
      const most = from.scrollHeight - from.clientHeight;
      const share = most > 0 ? from.scrollTop / most : 0;
      const seen = to.scrollTop + share * to.clientHeight;
      const at = across(lines, side, from.scrollTop + share * from.clientHeight, seen);
      if (at !== null) to.scrollTo({ top: at - share * to.clientHeight, behavior: 'instant' });
    };
    for (const [side, other] of [
      ['text', 'picture'],
      ['picture', 'text'],
    ] as const) {
      const pane = required(panes[side]);
      let byHand = Number.NEGATIVE_INFINITY;
      let isHeld = false;
      const note = () => (byHand = performance.now());
      pane.addEventListener('wheel', note, options);
      pane.addEventListener('touchmove', note, options);
      pane.addEventListener(
        'keydown',
        ({ key, target }) => SCROLL_KEYS.has(key) && target === pane && note(),
        options,
      );
      pane.addEventListener('pointerdown', () => (isHeld = true), options);
      window.addEventListener('pointerup', () => (isHeld = false), options);
      pane.addEventListener(
        'scroll',
        () => {
          if (!isHeld && performance.now() - byHand > BY_HAND_MS) return;
          // A flick goes on scrolling.
          note();
          follow(side, other);
        },
        options,
      );
    }
    return () => listening.abort();
  }, [isOn, isDue, picture, text, now]);
  return {
    isOn,
    toggle: () => {
      setIsOn(!isOn);
      remember(!isOn);
    },
  };
}

/** Each line with a word that has a place on the picture. */
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
 * Where a place of one pane is in the other one. `seen`: what is in sight there.
 * @returns null without any line
 */
export function across(anchors: readonly Anchor[], from: Side, place: number, seen: number): number | null {
  const to = from === 'text' ? 'picture' : 'text';
  const costOf = (anchor: Anchor) => Math.abs(anchor[from] - place) + NEARNESS * Math.abs(anchor[to] - seen);
  const nearest = anchors.reduce<number>(
    (best, anchor, index) => (best < 0 || costOf(anchor) < costOf(itemAt(anchors, best)) ? index : best),
    -1,
  );
  const line = anchors[nearest];
  if (!line) return null;
  // Between two lines it is between them, so that nothing jumps from line to line.
  const next = [anchors[nearest - 1], anchors[nearest + 1]].find(
    (other) =>
      other &&
      (other[from] - place) * (line[from] - place) < 0 &&
      (other[to] - line[to]) * (other[from] - line[from]) > 0,
  );
  if (!next) return line[to];
  const share = (place - line[from]) / (next[from] - line[from]);
  return line[to] + share * (next[to] - line[to]);
}

/** How much a line's distance from what is seen counts: enough to stay within a column. */
const NEARNESS = 0.05;

function recall(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

function remember(isOn: boolean): void {
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off');
  } catch {
    // A browser that keeps nothing begins with it the next time.
  }
}
