import { type RefObject, useMemo, useState } from 'react';
import type { Box } from '#contract/extraction';
import type { Pose } from './picture-pose.ts';
import { type Point, type WordsOnPicture, wordsBetween, wordsWithin } from './words-on-picture.ts';

/** The function of a pointer that is drawn over the picture, beside selecting words that it starts on. */
type PictureTool = 'move' | 'text' | 'region';

type InputMethod = 'mouse' | 'finger' | 'keys';

interface WordSelection {
  /** Pieces, which stay the same while the text is edited. */
  anchor: number;
  head: number;
  how: InputMethod;
}

export interface SelectionOptions {
  viewport: RefObject<HTMLElement | null>;
  on: WordsOnPicture;
  /** CSS pixels for one of the picture's. */
  scale: number;
  pose: Pose;
}

/** What is marked on the picture: words from an anchor to a head, both indices of `on.words`, or a region. */
export function useSelectionState({ viewport, on, scale, pose }: SelectionOptions) {
  const [tool, setTool] = useState<PictureTool>('move');
  const [words, setWords] = useState<WordSelection | null>(null);
  const [region, setRegion] = useState<Box | null>(null);

  const indexOf = useMemo(() => new Map(on.words.map(({ piece }, index) => [piece, index])), [on]);
  const anchor = (words && indexOf.get(words.anchor)) ?? null;
  const head = (words && indexOf.get(words.head)) ?? null;
  const marked = useMemo(() => {
    if (region) return wordsWithin(on, region, pose);
    return anchor !== null && head !== null ? wordsBetween(anchor, head) : [];
  }, [on, pose, region, anchor, head]);

  const clear = () => {
    setWords(null);
    setRegion(null);
  };
  return {
    viewport,
    on,
    scale,
    pose,
    tool,
    anchor,
    head,
    /** What the words were marked with. */
    how: words?.how,
    region,
    setRegion,
    /** Indices of the words that are marked, or that lie in the marked part. */
    marked,
    mark(from: number, to: number, how: InputMethod) {
      const [one, other] = [on.words[from], on.words[to]];
      if (!one || !other) return;
      setRegion(null);
      setWords({ anchor: one.piece, head: other.piece, how });
    },
    clear,
    /** Selects another tool; the same one again deselects it. */
    toggleTool(next: PictureTool) {
      clear();
      setTool(next === tool ? 'move' : next);
    },
    /** Where on the picture, as it is shown, a pointer is. */
    pointAt({ x, y }: Point): Point {
      const frame = viewport.current?.firstElementChild?.getBoundingClientRect();
      return frame ? { x: (x - frame.left) / scale, y: (y - frame.top) / scale } : { x: 0, y: 0 };
    },
  };
}

export type SelectionState = ReturnType<typeof useSelectionState>;
