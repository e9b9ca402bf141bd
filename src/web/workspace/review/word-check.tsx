import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import type { Piece } from '#formats/pieces';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { WordCrop } from '../image/word-crop.tsx';
import type { DoubtFocus } from './use-word-focus.ts';

interface WordCheckProps {
  focus: DoubtFocus;
  pieces: readonly Piece[];
  index: number;
  /** Where the picture is shown from; null when it cannot be shown. */
  url: string | null;
  image: Extraction['image'];
}

/** A doubtful word enlarged, and what to say of it: one press for each. */
export function WordCheck({ focus, pieces, index, url, image }: WordCheckProps) {
  const right = useRef<HTMLButtonElement>(null);
  const word = useId();
  const piece = pieces[index];
  const { calls } = focus;
  // The keys go where Enter says yes. No keyboard opens there on a phone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step, even to the same word
  useEffect(() => right.current?.focus({ preventScroll: true }), [calls]);
  if (!piece) return null;
  return (
    <div className="grid gap-2 pt-1 pb-2">
      {url && <WordCrop url={url} image={image} pieces={pieces} index={index} />}
      <div className="flex flex-wrap items-center gap-2">
        {piece.readings.length > 0 && (
          <fieldset className="contents">
            <legend className="sr-only">It says something else</legend>
            {piece.readings.map((reading, at) => (
              <Button
                key={reading}
                variant="secondary"
                size="small"
                className="max-w-full"
                aria-keyshortcuts={`${at + 1}`}
                onClick={() => focus.take(reading)}
              >
                <Key name={`${at + 1}`} />
                <bdi className="truncate font-mono">{reading}</bdi>
              </Button>
            ))}
          </fieldset>
        )}
        <Button
          ref={right}
          size="small"
          aria-describedby={word}
          aria-keyshortcuts="Enter"
          onClick={focus.confirm}
        >
          <Icon name="check" />
          Looks right
          <Key name="Enter" />
        </Button>
        <span id={word} hidden>
          {piece.text}
        </span>
      </div>
    </div>
  );
}

/** The key that does the same, where there may be keys. */
const Key = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="rounded-sm border border-current px-1 font-sans text-xs leading-4 opacity-70 pointer-coarse:hidden"
  >
    {name}
  </span>
);

/** The keys for stepping through doubtful words. Any letter starts typing the word. */
export function checkKeys(focus: DoubtFocus, readings: readonly string[]) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && !event.shiftKey && key.toLowerCase() === 'z') {
      event.preventDefault();
      return focus.undo();
    }
    if (focus.examined === null || ctrlKey || metaKey || altKey) return;
    const reading = /^[1-9]$/.test(key) ? readings[Number(key) - 1] : undefined;
    if (reading !== undefined) {
      event.preventDefault();
      // A key that is held down must not answer for the words that follow.
      if (!event.repeat) focus.take(reading);
    } else if (key === 'Enter') {
      if (event.repeat) event.preventDefault();
    } else if (key === 'Escape') {
      event.preventDefault();
      focus.close();
    } else if ((key.length === 1 && key !== ' ') || key === 'Backspace' || key === 'Delete') {
      focus.correct();
    }
  };
}
