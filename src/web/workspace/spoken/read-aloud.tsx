import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { useHighlights } from '../text/find-in-text.ts';
import { sentenceAt, sentencesOf } from './sentences.ts';
import { useVoice, useVoices } from './use-voice.ts';

interface ReadAloudProps {
  text: string;
  /** A BCP 47 tag; undefined for an unknown language. */
  lang: string | undefined;
  /** The scroll container of the text, and its text area. */
  pane: RefObject<HTMLElement | null>;
  area: RefObject<HTMLTextAreaElement | null>;
  onClose: () => void;
}

const RATES = [0.75, 1, 1.25, 1.5, 2];

const FIELD =
  'min-h-9 min-w-0 max-w-full rounded-control border border-rule-strong bg-sheet px-2 hover:border-ink pointer-coarse:min-h-11';

/** Reads the text aloud from the caret with a voice of the device, and highlights the current sentence. */
export function ReadAloud({ text, lang, pane, area, onClose }: ReadAloudProps) {
  const id = useId();
  const sentences = useMemo(() => sentencesOf(text, lang), [text, lang]);
  const { voices, matchingCount } = useVoices(lang);
  const [chosen, setChosen] = useState<string | null>(null);
  const [rate, setRate] = useState(1);
  const voice = voices.find(({ voiceURI }) => voiceURI === chosen) ?? voices[0];
  const { isSpeaking, hasFailed, at, speak, pause } = useVoice({ sentences, voice, lang, rate });
  const [isStarted, setIsStarted] = useState(false);
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => play.current?.focus(), []);
  const current = sentences[at];
  useHighlights(pane, [], isStarted ? current : undefined);

  const start = () => {
    const caret = area.current?.selectionStart ?? 0;
    setIsStarted(true);
    speak(isStarted ? at : sentenceAt(sentences, caret));
  };
  const stop = () => {
    pause();
    setIsStarted(false);
  };
  const step = (by: number) => {
    setIsStarted(true);
    speak((at + by + sentences.length) % sentences.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
    area.current?.focus();
  };
  const canStart = voices.length > 0 && sentences.length > 0;
  return (
    <section
      aria-label="Read aloud"
      className="grid gap-1.5 border-b border-rule bg-paper px-4 py-2 text-sm"
      onKeyDown={onKeyDown}
    >
      <div className="flex flex-wrap items-center gap-1">
        <Button
          ref={play}
          size="small"
          variant="secondary"
          disabled={!canStart}
          onClick={isSpeaking ? pause : start}
        >
          {isSpeaking ? 'Pause' : isStarted ? 'Continue' : 'Read'}
        </Button>
        <Button size="small" variant="ghost" disabled={!isStarted} onClick={stop}>
          Stop
        </Button>
        <Button
          size="icon"
          variant="ghost"
          aria-label="Previous sentence"
          disabled={!canStart}
          onClick={() => step(-1)}
        >
          <Icon name="chevron" className="rotate-180" />
        </Button>
        <Button
          size="icon"
          variant="ghost"
          aria-label="Next sentence"
          disabled={!canStart}
          onClick={() => step(1)}
        >
          <Icon name="chevron" />
        </Button>
        <span className="px-1 whitespace-nowrap text-ink-soft tabular-nums max-[26rem]:sr-only">
          {isStarted && `${at + 1} of ${sentences.length}`}
        </span>
        <Button size="icon" variant="ghost" className="ml-auto" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {voices.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <span className="flex min-w-0 items-center gap-2">
            <label htmlFor={`${id}-voice`}>Voice</label>
            <select
              id={`${id}-voice`}
              className={FIELD}
              value={voice?.voiceURI}
              onChange={({ currentTarget }) => {
                setChosen(currentTarget.value);
                pause();
              }}
            >
              {voices.map(({ voiceURI, name, lang: voiceLang }) => (
                <option key={voiceURI} value={voiceURI}>
                  {name} ({voiceLang})
                </option>
              ))}
            </select>
          </span>
          <span className="flex items-center gap-2">
            <label htmlFor={`${id}-rate`}>Pace</label>
            <select
              id={`${id}-rate`}
              className={FIELD}
              value={rate}
              onChange={({ currentTarget }) => {
                setRate(Number(currentTarget.value));
                pause();
              }}
            >
              {RATES.map((each) => (
                <option key={each} value={each}>
                  {each} ×
                </option>
              ))}
            </select>
          </span>
        </div>
      )}
      <p role="status" className="text-ink-soft empty:hidden">
        {hintOf({
          voices: voices.length,
          matchingCount,
          lang,
          hasFailed,
          isLocal: voice?.localService ?? true,
        })}
      </p>
    </section>
  );
}

interface HintOptions {
  voices: number;
  matchingCount: number;
  lang: string | undefined;
  hasFailed: boolean;
  isLocal: boolean;
}

/** A hint about missing, failing or remote voices; empty otherwise. */
function hintOf({ voices, matchingCount, lang, hasFailed, isLocal }: HintOptions): string {
  if (voices === 0) return 'This device has no voice. Install one in the speech settings of the system.';
  if (hasFailed) return 'The voice could not read this sentence. Choose another voice.';
  const name = lang && new Intl.DisplayNames('en', { type: 'language' }).of(lang);
  if (matchingCount === 0 && name)
    return `This device has no voice for ${name}. A voice for another language reads it.`;
  return isLocal ? '' : 'This is an online voice: your browser sends the text to its provider.';
}
