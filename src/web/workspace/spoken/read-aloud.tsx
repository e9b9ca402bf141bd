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
  /** Where the text is, and its field in it. */
  pane: RefObject<HTMLElement | null>;
  area: RefObject<HTMLTextAreaElement | null>;
  onClose: () => void;
}

const RATES = [0.75, 1, 1.25, 1.5, 2];

const FIELD =
  'min-h-9 min-w-0 max-w-full rounded-control border border-rule-strong bg-sheet px-2 hover:border-ink pointer-coarse:min-h-11';

/** Reads the text aloud with a voice of the device, from the caret on; the sentence being read is marked. */
export function ReadAloud({ text, lang, pane, area, onClose }: ReadAloudProps) {
  const id = useId();
  const sentences = useMemo(() => sentencesOf(text, lang), [text, lang]);
  const { voices, speaks } = useVoices(lang);
  const [chosen, setChosen] = useState<string | null>(null);
  const [rate, setRate] = useState(1);
  const voice = voices.find(({ voiceURI }) => voiceURI === chosen) ?? voices[0];
  const { isSpeaking, isBroken, at, speak, quiet } = useVoice({ sentences, voice, lang, rate });
  const [hasBegun, setHasBegun] = useState(false);
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => play.current?.focus(), []);
  const current = sentences[at];
  useHighlights(pane, [], hasBegun ? current : undefined);

  const start = () => {
    const caret = area.current?.selectionStart ?? 0;
    setHasBegun(true);
    speak(hasBegun ? at : sentenceAt(sentences, caret));
  };
  const stop = () => {
    quiet();
    setHasBegun(false);
  };
  const step = (by: number) => {
    setHasBegun(true);
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
          onClick={isSpeaking ? quiet : start}
        >
          {isSpeaking ? 'Pause' : hasBegun ? 'Continue' : 'Read'}
        </Button>
        <Button size="small" variant="ghost" disabled={!hasBegun} onClick={stop}>
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
          {hasBegun && `${at + 1} of ${sentences.length}`}
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
                quiet();
              }}
            >
              {voices.map(({ voiceURI, name, lang: tongue }) => (
                <option key={voiceURI} value={voiceURI}>
                  {name} ({tongue})
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
                quiet();
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
        {noteOn({ voices: voices.length, speaks, lang, isBroken, isLocal: voice?.localService ?? true })}
      </p>
    </section>
  );
}

interface Circumstances {
  voices: number;
  speaks: number;
  lang: string | undefined;
  isBroken: boolean;
  isLocal: boolean;
}

/** What else is to be known; empty where a voice of the device speaks the language. */
function noteOn({ voices, speaks, lang, isBroken, isLocal }: Circumstances): string {
  if (voices === 0) return 'This device has no voice. Its settings for speech offer some.';
  if (isBroken) return 'The voice could not read this sentence. Choose another voice.';
  const name = lang && new Intl.DisplayNames('en', { type: 'language' }).of(lang);
  if (speaks === 0 && name)
    return `This device has no voice for ${name}; another one reads it as well as it can.`;
  return isLocal ? '' : 'This voice is not on the device: your browser sends its maker what is read.';
}
