import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Box } from '#contract/extraction';
import { Button } from '../../../ui/basics/button.tsx';
import { focusInstead } from '../../../ui/focus-instead.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import { PictureIcon, type PictureIconName } from '../../../workspace/image/picture-icon.tsx';
import { RectangleFrame } from '../../../workspace/image/rectangle-frame.tsx';
import {
  croppedFurther,
  type PictureEdit,
  redrawn,
  sizeOf,
  turnedFurther,
} from '../../../workspace/image/redraw-picture.ts';
import type { ChosenPicture } from '../../../workspace/reading.ts';

export interface PictureEditorProps {
  picture: ChosenPicture;
  /** Where the picture is shown, in an `img`. */
  stage: RefObject<HTMLElement | null>;
  /** A redrawn picture replaces the one that it was drawn from. */
  onRedrawn: (from: ChosenPicture, file: File, edit: PictureEdit) => void;
}

/** CSS pixels, in the stage. */
interface Shown {
  left: number;
  top: number;
  width: number;
  height: number;
  natural: { width: number; height: number };
}

/** Turns a chosen picture and crops it, always from the original, so that nothing is lost on the way. */
export function PictureEditor({ picture, stage, onRedrawn }: PictureEditorProps) {
  const [part, setPart] = useState<Box | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = useShown(stage, part !== null);
  const bar = useRef<HTMLDivElement>(null);
  const cropButton = useRef<HTMLButtonElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const isCropping = part !== null;
  const edit = picture.edit ?? { original: picture.file, turns: 0, crop: null };

  const redraw = async (change: (edit: PictureEdit) => PictureEdit | Promise<PictureEdit>) => {
    setBusy(true);
    try {
      const next = await change(edit);
      onRedrawn(picture, await redrawn(next), next);
    } catch {
      toast({
        title: 'The picture stays as it is',
        description: 'This browser could not draw it anew. It can be read as it was chosen.',
        variant: 'destructive',
      });
      dropSubmit();
    } finally {
      setBusy(false);
    }
  };
  const turn = (by: 1 | -1) => redraw(async (now) => turnedFurther(now, await sizeOf(now.original), by));
  const focusNext = () => focusInstead(() => cropButton.current);
  const reset = async () => {
    await redraw(({ original }) => ({ original, turns: 0, crop: null }));
    focusNext();
  };
  const leave = () => {
    setPart(null);
    focusNext();
  };
  const [marked, setMarked] = useState(picture.number);
  if (marked !== picture.number) {
    // The part was marked on another picture.
    setMarked(picture.number);
    setPart(null);
  }
  const keep = () => {
    const natural = shown?.natural;
    const isAll = part && natural && part.width >= natural.width && part.height >= natural.height;
    leave();
    return part && !isAll ? redraw((now) => croppedFurther(now, part)) : Promise.resolve();
  };

  const dropSubmit = useSubmitAfterEdit({ bar, isCropping, busy, keep });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the frame appears
  useEffect(() => {
    if (isCropping && shown) overlay.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isCropping, shown === null]);

  const iconButton = (label: string, icon: PictureIconName, onClick: () => void) => (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      aria-disabled={busy}
      onClick={() => busy || onClick()}
    >
      <PictureIcon name={icon} />
    </Button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div
      ref={bar}
      role="group"
      aria-label="Turn and crop"
      className="flex flex-wrap items-center max-md:order-last max-md:-ml-3 max-md:w-full md:-my-1.5"
    >
      {isCropping ? (
        <>
          <Button variant="secondary" size="small" className="mr-1 max-md:ml-3" onClick={() => void keep()}>
            Keep this part
          </Button>
          <Button variant="ghost" size="small" onClick={leave}>
            Cancel
          </Button>
        </>
      ) : (
        <>
          {iconButton('Turn left', 'turnLeft', () => void turn(-1))}
          {iconButton('Turn right', 'turnRight', () => void turn(1))}
          <Button
            ref={cropButton}
            variant="ghost"
            size="small"
            aria-disabled={busy}
            onClick={() => {
              const image = stage.current?.querySelector('img');
              if (image && !busy)
                setPart({ x: 0, y: 0, width: image.naturalWidth, height: image.naturalHeight });
            }}
          >
            <PictureIcon name="crop" />
            Crop
          </Button>
          {picture.edit && (
            <Button variant="ghost" size="small" onClick={() => busy || void reset()}>
              Reset
            </Button>
          )}
        </>
      )}
      <p role="status" className="sr-only">
        {!busy && picture.edit && inWords(picture.edit)}
      </p>
      {part &&
        shown &&
        stage.current &&
        createPortal(
          // biome-ignore lint/a11y/noStaticElementInteractions: Escape and Enter come from the buttons in it
          <div
            ref={overlay}
            className="absolute"
            style={{ left: shown.left, top: shown.top, width: shown.width, height: shown.height }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') leave();
              else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) void keep();
              else return;
              event.preventDefault();
            }}
          >
            <RectangleFrame
              label="The part to keep"
              box={part}
              frame={shown.natural}
              scale={shown.width / shown.natural.width}
              onChange={setPart}
            />
          </div>,
          stage.current,
        )}
    </div>
  );
}

interface EditUnderWay {
  bar: RefObject<HTMLElement | null>;
  isCropping: boolean;
  busy: boolean;
  /** Crops to the marked part. */
  keep: () => Promise<void>;
}

/** A submit while the picture is being changed means the changed picture. Returns what drops such a submit. */
function useSubmitAfterEdit({ bar, isCropping, busy, keep }: EditUnderWay): () => void {
  const submitsThen = useRef(false);
  const keepPart = useEffectEvent(keep);
  useEffect(() => {
    const form = bar.current?.closest('form');
    if (!form || !(isCropping || busy)) return;
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const later = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      submitsThen.current = true;
      if (isCropping) void keepPart();
    };
    form.addEventListener('submit', later, options);
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) later(event);
      },
      options,
    );
    return () => listening.abort();
  }, [bar, isCropping, busy]);
  useEffect(() => {
    if (busy || isCropping || !submitsThen.current) return;
    submitsThen.current = false;
    // In a task of its own: a form ignores `requestSubmit` while it handles a submit.
    const soon = setTimeout(() => bar.current?.closest('form')?.requestSubmit());
    return () => clearTimeout(soon);
  }, [bar, busy, isCropping]);
  return () => {
    submitsThen.current = false;
  };
}

function inWords({ turns, crop }: PictureEdit): string {
  const turned = ['', 'turned right', 'turned upside down', 'turned left'][turns];
  return `The picture is ${[turned, crop && 'cropped'].filter(Boolean).join(' and ') || 'as it was chosen'}.`;
}

/** Where the picture is drawn in its stage, for as long as that matters. */
function useShown(stage: RefObject<HTMLElement | null>, matters: boolean): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useLayoutEffect(() => {
    const element = stage.current;
    const image = element?.querySelector('img');
    if (!element || !image || !matters) return setShown(null);
    const measure = () => {
      const [room, box] = [element.getBoundingClientRect(), image.getBoundingClientRect()];
      setShown({
        left: box.left - room.left - element.clientLeft,
        top: box.top - room.top - element.clientTop,
        width: box.width,
        height: box.height,
        natural: { width: image.naturalWidth, height: image.naturalHeight },
      });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(image);
    return () => observer.disconnect();
  }, [stage, matters]);
  return shown;
}
