import type { KeyboardEvent, MouseEvent } from 'react';
import { fromFrame } from './picture-pose.ts';
import { boxBetween } from './rectangle.ts';
import { isOnText, useSelectionGesture } from './use-marking-gesture.ts';
import { type SelectionOptions, useSelectionState } from './use-marks.ts';
import { lineEnds, nearestWord, wordBeside, wordsWithin } from './words-on-picture.ts';

/** The selection on the picture, words or a region, and its handling by mouse, fingers and keys. */
export function usePictureSelection(options: SelectionOptions) {
  const state = useSelectionState(options);
  const gesture = useSelectionGesture(state);
  const { viewport, on, pose, tool, anchor, head, how, region, setRegion, marked, mark, clear, pointAt } =
    state;

  /** Two presses mark a word, three its line. */
  const onClick = (event: MouseEvent) => {
    if (event.detail < 2 || event.button !== 0 || tool === 'region') return;
    const word = isOnText(event)
      ? nearestWord(on, fromFrame(pose, pointAt({ x: event.clientX, y: event.clientY })))
      : null;
    if (word === null) return;
    if (event.detail === 2) mark(word, word, 'mouse');
    else mark(...lineEnds(on, word), 'mouse');
    viewport.current?.focus({ preventScroll: true });
  };

  /** The first word that can be seen. */
  const firstVisibleWord = () => {
    const box = viewport.current?.getBoundingClientRect();
    if (!box) return 0;
    const [from, to] = [pointAt({ x: box.left, y: box.top }), pointAt({ x: box.right, y: box.bottom })];
    return wordsWithin(on, { ...from, width: to.x - from.x, height: to.y - from.y }, pose)[0] ?? 0;
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.altKey || on.words.length === 0) return false;
    const isCommand = event.ctrlKey || event.metaKey;
    const { key, shiftKey } = event;
    if (isCommand && key.toLowerCase() === 'a' && !shiftKey) {
      mark(0, on.words.length - 1, 'keys');
      return true;
    }
    if (key === 'Escape' && (how || region)) {
      clear();
      return true;
    }
    const isSelecting = tool === 'text' || head !== null;
    if (head === null || anchor === null) {
      const startsSelection = key === 'Enter' || (/^Arrow/.test(key) && !isCommand && (shiftKey || isSelecting));
      if (startsSelection && tool !== 'region') mark(firstVisibleWord(), firstVisibleWord(), 'keys');
      return startsSelection && tool !== 'region';
    }
    const [first, last] = lineEnds(on, head);
    const to = {
      ArrowLeft: isCommand ? undefined : Math.max(0, head - 1),
      ArrowRight: isCommand ? undefined : Math.min(on.words.length - 1, head + 1),
      ArrowUp: isCommand ? undefined : wordBeside(on, head, -1),
      ArrowDown: isCommand ? undefined : wordBeside(on, head, 1),
      Home: isCommand ? 0 : first,
      End: isCommand ? on.words.length - 1 : last,
    }[key];
    if (to === undefined) return false;
    mark(shiftKey ? anchor : to, to, 'keys');
    return true;
  };

  /** An initial region for keyboard users: half of the visible part, in its middle. */
  const placeRegion = () => {
    const seen = viewport.current?.getBoundingClientRect();
    if (!seen) return;
    const [from, to] = [pointAt({ x: seen.left, y: seen.top }), pointAt({ x: seen.right, y: seen.bottom })];
    const { x, y, width, height } = boxBetween(from, to, pose);
    setRegion({ x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 });
  };

  return {
    tool,
    take: state.toggleTool,
    marked,
    head: how === 'keys' ? head : null,
    isByTouch: how === 'finger',
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
