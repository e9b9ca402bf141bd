import type { KeyboardEvent, MouseEvent } from 'react';
import { fromFrame } from './picture-pose.ts';
import { boxBetween } from './rectangle.ts';
import { isOnText, useSelectionGesture } from './use-selection-gesture.ts';
import { type SelectionOptions, useSelectionState } from './use-selection-state.ts';
import { lineEnds, nearestWord, wordBeside, wordsWithin } from './words-on-picture.ts';

/** The selection of words or a region on the picture by mouse, touch and keyboard. */
export function usePictureSelection(options: SelectionOptions) {
  const state = useSelectionState(options);
  const gesture = useSelectionGesture(state);
  const {
    viewport,
    pictureWords,
    pose,
    tool,
    anchor,
    head,
    method,
    region,
    setRegion,
    selectedWords,
    selectWords,
    clear,
    pointAt,
  } = state;

  /** A double click selects a word, a triple click its line. */
  const onClick = (event: MouseEvent) => {
    if (event.detail < 2 || event.button !== 0 || tool === 'region') return;
    const word = isOnText(event)
      ? nearestWord(pictureWords, fromFrame(pose, pointAt({ x: event.clientX, y: event.clientY })))
      : null;
    if (word === null) return;
    if (event.detail === 2) selectWords(word, word, 'mouse');
    else selectWords(...lineEnds(pictureWords, word), 'mouse');
    viewport.current?.focus({ preventScroll: true });
  };

  /** The index of the first visible word. */
  const firstVisibleWord = () => {
    const box = viewport.current?.getBoundingClientRect();
    if (!box) return 0;
    const [from, to] = [pointAt({ x: box.left, y: box.top }), pointAt({ x: box.right, y: box.bottom })];
    return wordsWithin(pictureWords, { ...from, width: to.x - from.x, height: to.y - from.y }, pose)[0] ?? 0;
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.altKey || pictureWords.words.length === 0) return false;
    const isCommand = event.ctrlKey || event.metaKey;
    const { key, shiftKey } = event;
    if (isCommand && key.toLowerCase() === 'a' && !shiftKey) {
      selectWords(0, pictureWords.words.length - 1, 'keys');
      return true;
    }
    if (key === 'Escape' && (method || region)) {
      clear();
      return true;
    }
    const isSelecting = tool === 'text' || head !== null;
    if (head === null || anchor === null) {
      const startsSelection =
        key === 'Enter' || (/^Arrow/.test(key) && !isCommand && (shiftKey || isSelecting));
      if (startsSelection && tool !== 'region') selectWords(firstVisibleWord(), firstVisibleWord(), 'keys');
      return startsSelection && tool !== 'region';
    }
    const [first, last] = lineEnds(pictureWords, head);
    const to = {
      ArrowLeft: isCommand ? undefined : Math.max(0, head - 1),
      ArrowRight: isCommand ? undefined : Math.min(pictureWords.words.length - 1, head + 1),
      ArrowUp: isCommand ? undefined : wordBeside(pictureWords, head, -1),
      ArrowDown: isCommand ? undefined : wordBeside(pictureWords, head, 1),
      Home: isCommand ? 0 : first,
      End: isCommand ? pictureWords.words.length - 1 : last,
    }[key];
    if (to === undefined) return false;
    selectWords(shiftKey ? anchor : to, to, 'keys');
    return true;
  };

  /** Sets an initial region for keyboard users: centered, with half the width and height of the visible part. */
  const placeRegion = () => {
    const viewportBox = viewport.current?.getBoundingClientRect();
    if (!viewportBox) return;
    const [from, to] = [
      pointAt({ x: viewportBox.left, y: viewportBox.top }),
      pointAt({ x: viewportBox.right, y: viewportBox.bottom }),
    ];
    const { x, y, width, height } = boxBetween(from, to, pose);
    setRegion({ x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 });
  };

  return {
    tool,
    take: state.toggleTool,
    selectedWords,
    head: method === 'keys' ? head : null,
    isByTouch: method === 'finger',
    region,
    setRegion,
    placeRegion,
    clear,
    ...gesture,
    onClick,
    onKeyDown,
  };
}

export type PictureSelection = ReturnType<typeof usePictureSelection>;
