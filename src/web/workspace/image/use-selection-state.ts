import { type RefObject, useMemo, useState } from 'react';
import type { Box } from '#contract/extraction';
import type { Pose } from './picture-pose.ts';
import { type Point, type WordsOnPicture, wordsBetween, wordsWithin } from './words-on-picture.ts';

/** What dragging does: move the picture, select text or select a region. Dragging from a word always selects words. */
type PictureTool = 'move' | 'text' | 'region';

type InputMethod = 'mouse' | 'finger' | 'keys';

interface WordSelection {
  /** Indices of pieces. Unlike indices of `pictureWords.words`, they stay the same while the text is edited. */
  anchor: number;
  head: number;
  method: InputMethod;
}

export interface SelectionOptions {
  viewport: RefObject<HTMLElement | null>;
  pictureWords: WordsOnPicture;
  /** CSS pixels per pixel of the picture. */
  scale: number;
  pose: Pose;
}

/** The selection on the picture: a region, or words from an anchor to a head, both indices of `pictureWords.words`. */
export function useSelectionState({ viewport, pictureWords, scale, pose }: SelectionOptions) {
  const [tool, setTool] = useState<PictureTool>('move');
  const [words, setWords] = useState<WordSelection | null>(null);
  const [region, setRegion] = useState<Box | null>(null);

  const indexOf = useMemo(
    () => new Map(pictureWords.words.map(({ piece }, index) => [piece, index])),
    [pictureWords],
  );
  const anchor = (words && indexOf.get(words.anchor)) ?? null;
  const head = (words && indexOf.get(words.head)) ?? null;
  const selectedWords = useMemo(() => {
    if (region) return wordsWithin(pictureWords, region, pose);
    return anchor !== null && head !== null ? wordsBetween(anchor, head) : [];
  }, [pictureWords, pose, region, anchor, head]);

  const clear = () => {
    setWords(null);
    setRegion(null);
  };
  return {
    viewport,
    pictureWords,
    scale,
    pose,
    tool,
    anchor,
    head,
    /** How the words were selected. */
    method: words?.method,
    region,
    setRegion,
    /** Indices of the selected words, or of the words in the region. */
    selectedWords,
    selectWords(from: number, to: number, method: InputMethod) {
      const [one, other] = [pictureWords.words[from], pictureWords.words[to]];
      if (!one || !other) return;
      setRegion(null);
      setWords({ anchor: one.piece, head: other.piece, method });
    },
    clear,
    /** Activates a tool, or deactivates the active one. */
    toggleTool(next: PictureTool) {
      clear();
      setTool(next === tool ? 'move' : next);
    },
    /** The position of a pointer in pixels of the picture's frame. */
    pointAt({ x, y }: Point): Point {
      const frame = viewport.current?.firstElementChild?.getBoundingClientRect();
      return frame ? { x: (x - frame.left) / scale, y: (y - frame.top) / scale } : { x: 0, y: 0 };
    },
  };
}

export type SelectionState = ReturnType<typeof useSelectionState>;
