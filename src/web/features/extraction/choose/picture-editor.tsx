import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Box } from '#contract/extraction';
import { Button } from '../../../ui/basics/button.tsx';
import { focusInstead } from '../../../ui/basics/events.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import { PictureIcon, type PictureIconName } from '../../../workspace/image/picture-tools.tsx';
import type { Size } from '../../../workspace/image/rectangle.ts';
import { RectangleFrame } from '../../../workspace/image/rectangle-frame.tsx';
import {
  cropEdit,
  type PictureEdit,
  redrawPicture,
  rotateEdit,
  sizeOf,
} from '../../../workspace/image/redraw-picture.ts';
import type { ChosenPicture } from '../../../workspace/reading.ts';

export interface PictureEditorProps {
  picture: ChosenPicture;
  /** The element that contains the picture's `img`. */
  stage: RefObject<HTMLElement | null>;
  /** Called with the redrawn picture, which replaces `from`. */
  onRedrawn: (from: ChosenPicture, file: File, edit: PictureEdit) => void;
}

/** The state of a crop frame. */
interface Crop {
  /** Number of the picture. For another picture the frame is not shown. */
  number: ChosenPicture['number'];
  part: Box;
  whole: Size;
  stage: HTMLElement;
  image: HTMLImageElement;
}

/** Turns and crops a chosen picture. Each edit redraws the original, so that repeated edits lose no quality. */
export function PictureEditor({ picture, stage, onRedrawn }: PictureEditorProps) {
  const [marking, setMarking] = useState<Crop | null>(null);
  const [busy, setBusy] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const cropButton = useRef<HTMLButtonElement>(null);
  const crop = marking?.number === picture.number ? marking : null;
  const isCropping = crop !== null;
  const edit = picture.edit ?? { original: picture.file, turns: 0, crop: null };

  const redraw = async (change: (edit: PictureEdit) => PictureEdit | Promise<PictureEdit>) => {
    setBusy(true);
    try {
      const next = await change(edit);
      onRedrawn(picture, await redrawPicture(next), next);
    } catch {
      toast({
        title: 'The picture was not changed',
        description: 'This browser could not redraw it. It can still be read unchanged.',
        variant: 'destructive',
      });
      cancelSubmit();
    } finally {
      setBusy(false);
    }
  };
  const turn = (by: 1 | -1) => redraw(async (now) => rotateEdit(now, await sizeOf(now.original), by));
  const focusNext = () => focusInstead(() => cropButton.current);
  const reset = async () => {
    await redraw(({ original }) => ({ original, turns: 0, crop: null }));
    focusNext();
  };
  const leave = () => {
    setMarking(null);
    focusNext();
  };
  const mark = async () => {
    const image = stage.current?.querySelector('img');
    if (!image || !stage.current || busy) return;
    // The frame needs the size of the picture, so the picture must be loaded. If that fails, a text replaces the picture.
    const isLoaded = image.decode().then(
      () => true,
      () => false,
    );
    if (!(await isLoaded) || !stage.current?.contains(image)) return;
    const whole = { width: image.naturalWidth, height: image.naturalHeight };
    setMarking({
      number: picture.number,
      part: { x: 0, y: 0, ...whole },
      whole,
      stage: stage.current,
      image,
    });
  };
  const keep = async () => {
    leave();
    if (!crop) return;
    const { part, whole } = crop;
    const isAll = part.width >= whole.width && part.height >= whole.height;
    if (!isAll) await redraw((now) => cropEdit(now, part));
  };

  const cancelSubmit = useSubmitAfterEdit({ bar, isCropping, busy, keep });

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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
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
            onClick={() => void mark()}
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
      {crop &&
        createPortal(
          <CropFrame
            {...crop}
            onChange={(part) => setMarking({ ...crop, part })}
            onKeep={() => void keep()}
            onLeave={leave}
          />,
          crop.stage,
        )}
    </div>
  );
}

interface PendingEdit {
  bar: RefObject<HTMLElement | null>;
  isCropping: boolean;
  busy: boolean;
  /** Crops the picture to the marked part. */
  keep: () => Promise<void>;
}

/** Defers a submit of the form until a running edit is applied. Returns a function that cancels the deferred submit. */
function useSubmitAfterEdit({ bar, isCropping, busy, keep }: PendingEdit): () => void {
  const submitsAfterEdit = useRef(false);
  const keepPart = useEffectEvent(keep);
  useEffect(() => {
    const form = bar.current?.closest('form');
    if (!form || !(isCropping || busy)) return;
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const defer = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      submitsAfterEdit.current = true;
      if (isCropping) void keepPart();
    };
    form.addEventListener('submit', defer, options);
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) defer(event);
      },
      options,
    );
    return () => listening.abort();
  }, [bar, isCropping, busy]);
  useEffect(() => {
    if (busy || isCropping || !submitsAfterEdit.current) return;
    submitsAfterEdit.current = false;
    // In a separate task, because a form ignores `requestSubmit` while it handles a submit.
    const timer = setTimeout(() => bar.current?.closest('form')?.requestSubmit());
    return () => clearTimeout(timer);
  }, [bar, busy, isCropping]);
  return () => {
    submitsAfterEdit.current = false;
  };
}

function inWords({ turns, crop }: PictureEdit): string {
  const turned = ['', 'turned right', 'turned upside down', 'turned left'][turns];
  return `The picture is ${[turned, crop && 'cropped'].filter(Boolean).join(' and ') || 'as it was chosen'}.`;
}

interface CropFrameProps extends Omit<Crop, 'number'> {
  onChange: (part: Box) => void;
  onKeep: () => void;
  onLeave: () => void;
}

const focusFirst = (frame: HTMLElement | null) =>
  frame?.querySelector('button')?.focus({ preventScroll: true });

/** The crop frame over the picture in its stage. */
function CropFrame({ part, whole, stage, image, onChange, onKeep, onLeave }: CropFrameProps) {
  /** The position of the picture in the stage, in CSS pixels. */
  const [shown, setShown] = useState<Box | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const [room, { left, top, width, height }] = [
        stage.getBoundingClientRect(),
        image.getBoundingClientRect(),
      ];
      setShown({
        x: left - room.left - stage.clientLeft,
        y: top - room.top - stage.clientTop,
        width,
        height,
      });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(stage);
    observer.observe(image);
    return () => observer.disconnect();
  }, [stage, image]);
  if (!shown) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside handle Escape and Enter
    <div
      ref={focusFirst}
      className="absolute"
      style={{ left: shown.x, top: shown.y, width: shown.width, height: shown.height }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
        else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) onKeep();
        else return;
        event.preventDefault();
      }}
    >
      <RectangleFrame
        label="The part to keep"
        box={part}
        bounds={whole}
        scale={shown.width / whole.width}
        onChange={onChange}
      />
    </div>
  );
}
