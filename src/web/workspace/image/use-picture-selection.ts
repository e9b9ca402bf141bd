import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Box } from '#contract/extraction';
import { fromFrame, intoFrame, type Pose } from './picture-pose.ts';
import { boxBetween } from './rectangle.ts';
import {
  lineEnds,
  nearestWord,
  type Point,
  type WordsOnPicture,
  wordBeside,
  wordsBetween,
  wordsWithin,
} from './words-on-picture.ts';

/** The function of a pointer that is drawn over the picture, beside selecting words that it starts on. */
export type PictureTool = 'move' | 'text' | 'region';

/** A finger that rests so long on a word marks it, as it does in any text. */
const LONG_PRESS_MS = 450;
/** Further than this a pointer has been drawn, and was not pressed. */
const SLOP_PX = 4;
const FINGER_SLOP_PX = 10;
/** A part smaller than this was no part. */
const LEAST_REGION_PX = 8;
/** So near to an edge the picture goes along, and so much of the overshoot with each frame. */
const EDGE_PX = 20;
const PULL = 0.25;

type How = 'mouse' | 'finger' | 'keys';

interface Words {
  /** Pieces, which stay the same while the text is edited. */
  anchor: number;
  head: number;
  how: How;
}

interface Gesture {
  pointerId: number;
  kind: 'mouse' | 'finger';
  /** Words are marked from here; null for a part of the picture. */
  anchor: number | null;
  at: Point;
  from: Point;
  /** From the pointer to what it holds, for a handle. */
  offset: Point;
  started: boolean;
}

interface PictureSelectionOptions {
  viewport: RefObject<HTMLElement | null>;
  on: WordsOnPicture;
  /** CSS pixels for one of the picture's. */
  scale: number;
  pose: Pose;
}

/**
 * The selection on the picture, words or a region, and its handling by mouse, fingers and keys. One closure, because all
 * handlers share one gesture.
 */
export function usePictureSelection({ viewport, on, scale, pose }: PictureSelectionOptions) {
  const [tool, setTool] = useState<PictureTool>('move');
  const [words, setWords] = useState<Words | null>(null);
  const [region, setRegion] = useState<Box | null>(null);
  const [drawing, setDrawing] = useState(false);
  const gesture = useRef<Gesture | null>(null);
  const longPress = useRef<ReturnType<typeof setTimeout>>(undefined);

  const indexOf = useMemo(() => new Map(on.words.map(({ piece }, index) => [piece, index])), [on]);
  const [anchor, head] = [words && indexOf.get(words.anchor), words && indexOf.get(words.head)];
  const marked = useMemo(() => {
    if (region) return wordsWithin(on, region, pose);
    return typeof anchor === 'number' && typeof head === 'number' ? wordsBetween(anchor, head) : [];
  }, [on, pose, region, anchor, head]);

  const mark = (from: number, to: number, how: How) => {
    const [one, other] = [on.words[from], on.words[to]];
    if (!one || !other) return;
    setRegion(null);
    setWords({ anchor: one.piece, head: other.piece, how });
  };
  const clear = () => {
    setWords(null);
    setRegion(null);
  };

  /** Where on the picture, as it is shown, a pointer is. */
  const pointAt = ({ x, y }: Point): Point => {
    const frame = viewport.current?.firstElementChild?.getBoundingClientRect();
    return frame ? { x: (x - frame.left) / scale, y: (y - frame.top) / scale } : { x: 0, y: 0 };
  };

  const follow = (held: Gesture) => {
    const to = pointAt({ x: held.at.x + held.offset.x, y: held.at.y + held.offset.y });
    if (held.anchor === null) return setRegion(boxBetween(held.from, to, pose));
    const word = nearestWord(on, fromFrame(pose, to));
    if (word !== null) mark(held.anchor, word, held.kind);
  };
  const latest = useRef({ follow, pointAt });
  useEffect(() => {
    latest.current = { follow, pointAt };
  });

  useEffect(() => {
    const element = viewport.current;
    if (!element || !drawing) return;
    let frame = 0;
    const pull = () => {
      frame = requestAnimationFrame(pull);
      const held = gesture.current;
      if (!held) return;
      const box = element.getBoundingClientRect();
      const beyond = (at: number, start: number, end: number) =>
        Math.min(0, at - start - EDGE_PX) + Math.max(0, at - end + EDGE_PX);
      const left = beyond(held.at.x, box.left, box.right) * PULL;
      const top = beyond(held.at.y, box.top, box.bottom) * PULL;
      if (left === 0 && top === 0) return;
      element.scrollBy({ left, top, behavior: 'instant' });
      latest.current.follow(held);
    };
    frame = requestAnimationFrame(pull);
    return () => cancelAnimationFrame(frame);
  }, [viewport, drawing]);

  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    // Only an active listener can keep a finger that marks from moving the picture or the page as well.
    const onTouchMove = (event: TouchEvent) => {
      if (gesture.current?.started && event.cancelable) event.preventDefault();
    };
    const onMenu = (event: Event) => {
      if (gesture.current?.kind === 'finger') event.preventDefault();
    };
    element.addEventListener('touchmove', onTouchMove, { passive: false });
    element.addEventListener('contextmenu', onMenu);
    return () => {
      element.removeEventListener('touchmove', onTouchMove);
      element.removeEventListener('contextmenu', onMenu);
    };
  }, [viewport]);
  useEffect(() => () => clearTimeout(longPress.current), []);

  const start = (held: Gesture) => {
    held.started = true;
    setDrawing(true);
    const element = viewport.current;
    if (element?.isConnected) element.setPointerCapture(held.pointerId);
    follow(held);
  };
  const letGo = () => {
    clearTimeout(longPress.current);
    gesture.current = null;
    setDrawing(false);
  };

  const begin = (event: PointerEvent<HTMLElement>) => {
    if (gesture.current || !event.isPrimary) {
      // A second finger wants to zoom.
      if (gesture.current?.kind === 'finger') letGo();
      return;
    }
    const at = { x: event.clientX, y: event.clientY };
    const from = pointAt(at);
    const kind = event.pointerType === 'mouse' ? 'mouse' : 'finger';
    const onText =
      event.target instanceof Element && event.target.matches('[data-piece], [data-text-line], [data-found]');
    const isRegion = tool === 'region';
    const word = isRegion ? null : nearestWord(on, fromFrame(pose, from));
    if (!isRegion && (word === null || (tool === 'move' && !onText))) {
      if (kind === 'mouse') clear();
      return;
    }
    const extended = event.shiftKey && typeof anchor === 'number' ? anchor : word;
    const held: Gesture = {
      pointerId: event.pointerId,
      kind,
      anchor: extended,
      at,
      from,
      offset: { x: 0, y: 0 },
      started: false,
    };
    gesture.current = held;
    if (event.shiftKey && typeof anchor === 'number' && !isRegion) return start(held);
    if (kind === 'mouse') return clear();
    if (tool === 'move')
      longPress.current = setTimeout(() => gesture.current === held && start(held), LONG_PRESS_MS);
  };

  /** True while this pointer marks, and moves nothing else. */
  const move = (event: PointerEvent<HTMLElement>): boolean => {
    const held = gesture.current;
    if (!held || held.pointerId !== event.pointerId) return false;
    const moved = Math.hypot(event.clientX - held.at.x, event.clientY - held.at.y);
    if (!held.started) {
      if (moved <= (held.kind === 'finger' ? FINGER_SLOP_PX : SLOP_PX)) return false;
      if (held.kind === 'finger' && tool === 'move') {
        letGo();
        return false;
      }
      start(held);
    }
    held.at = { x: event.clientX, y: event.clientY };
    follow(held);
    return true;
  };

  /** True for a pointer that has marked something, and has pressed nothing. */
  const end = (event: PointerEvent<HTMLElement>): boolean => {
    const held = gesture.current;
    if (!held || held.pointerId !== event.pointerId) return false;
    letGo();
    const tapsWord = !held.started && tool === 'text' && held.kind === 'finger' && held.anchor !== null;
    if (tapsWord) mark(held.anchor!, held.anchor!, 'finger');
    if (held.started && region && Math.min(region.width, region.height) * scale < LEAST_REGION_PX)
      setRegion(null);
    if (held.started) viewport.current?.focus({ preventScroll: true });
    return held.started || tapsWord;
  };

  /** Drags one end of the selection by its handle. */
  const grab = (event: PointerEvent<HTMLElement>, which: 'start' | 'end') => {
    const [first, last] = [marked[0], marked.at(-1)];
    const [holds, stays] = which === 'start' ? [first, last] : [last, first];
    if (holds === undefined || stays === undefined) return;
    event.stopPropagation();
    const frame = viewport.current?.firstElementChild?.getBoundingClientRect();
    const { x, y } = intoFrame(pose, on.words[holds]!);
    const at = { x: event.clientX, y: event.clientY };
    const offset = { x: (frame?.left ?? 0) + x * scale - at.x, y: (frame?.top ?? 0) + y * scale - at.y };
    const held: Gesture = {
      pointerId: event.pointerId,
      kind: 'finger',
      anchor: stays,
      at,
      from: pointAt(at),
      offset,
      started: false,
    };
    gesture.current = held;
    start(held);
  };

  /** Two presses mark a word, three its line. */
  const onClick = (event: MouseEvent) => {
    if (event.detail < 2 || event.button !== 0 || tool === 'region') return;
    const onText =
      event.target instanceof Element && event.target.matches('[data-piece], [data-text-line], [data-found]');
    const word = onText
      ? nearestWord(on, fromFrame(pose, pointAt({ x: event.clientX, y: event.clientY })))
      : null;
    if (word === null) return;
    if (event.detail === 2) mark(word, word, 'mouse');
    else mark(...lineEnds(on, word), 'mouse');
    viewport.current?.focus({ preventScroll: true });
  };

  /** The first word that can be seen. */
  const firstInSight = () => {
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
    if (key === 'Escape' && (words || region)) {
      clear();
      return true;
    }
    const selecting = tool === 'text' || typeof head === 'number';
    if (typeof head !== 'number' || typeof anchor !== 'number') {
      const begins = key === 'Enter' || (/^Arrow/.test(key) && !isCommand && (shiftKey || selecting));
      if (begins && tool !== 'region') mark(firstInSight(), firstInSight(), 'keys');
      return begins && tool !== 'region';
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

  return {
    tool,
    /** Selects another tool; the same one again deselects it. */
    take: (next: PictureTool) => {
      clear();
      setTool(next === tool ? 'move' : next);
    },
    /** Indices of the words that are marked, or that lie in the marked part. */
    marked,
    head: words?.how === 'keys' && typeof head === 'number' ? head : null,
    byFinger: words?.how === 'finger',
    region,
    setRegion,
    drawing,
    clear,
    begin,
    move,
    end,
    cancel: letGo,
    grab,
    onClick,
    onKeyDown,
  };
}

export type PictureSelection = ReturnType<typeof usePictureSelection>;
