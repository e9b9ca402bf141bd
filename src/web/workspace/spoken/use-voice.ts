import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useEventCallback } from '../../ui/basics/use-event-callback.ts';
import { type Sentence, sentenceAt } from './sentences.ts';

/** The browser has voices to read a text aloud with; whether the device has any is known later. */
export const canSpeak = (): boolean =>
  typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined';

const NO_VOICES: readonly SpeechSynthesisVoice[] = [];
let known = NO_VOICES;

/** Browsers load the list of voices after the page. */
function watchVoices(changed: () => void) {
  speechSynthesis.addEventListener('voiceschanged', changed);
  return () => speechSynthesis.removeEventListener('voiceschanged', changed);
}

function currentVoices(): readonly SpeechSynthesisVoice[] {
  const now = speechSynthesis.getVoices();
  // The same list for every render.
  if (now.length !== known.length || now.some((voice, at) => voice !== known[at])) known = now;
  return known;
}

const mainTag = (tag: string) => tag.replaceAll('_', '-').split('-')[0]?.toLowerCase();

/** The voices of this device, those that speak the language first; `speaks` tells how many of them do. */
export function useVoices(lang: string | undefined) {
  const all = useSyncExternalStore(watchVoices, currentVoices, () => NO_VOICES);
  const own = all.filter((voice) => lang !== undefined && mainTag(voice.lang) === mainTag(lang));
  // The ones of the device first: others send each sentence to the browser's maker.
  const ranked = own.toSorted((a, b) => Number(b.localService) - Number(a.localService));
  return { voices: [...ranked, ...all.filter((voice) => !own.includes(voice))], speaks: own.length };
}

interface VoiceOptions {
  /** As the text is now. */
  sentences: readonly Sentence[];
  voice: SpeechSynthesisVoice | undefined;
  lang: string | undefined;
  /** 1 is the voice's own pace. */
  rate: number;
}

/**
 * Reads sentences aloud, one after another. A pause ends the sentence and goes on with it from its beginning: browsers do
 * not reliably go on inside one.
 */
export function useVoice({ sentences, voice, lang, rate }: VoiceOptions) {
  const [isSpeaking, setIsSpeaking] = useState(false);
  const [at, setAt] = useState(0);
  const [isBroken, setIsBroken] = useState(false);
  /** The sentence that is being spoken: what an earlier one reports no longer counts. */
  const current = useRef<SpeechSynthesisUtterance>(null);

  const quiet = useEventCallback(() => {
    current.current = null;
    speechSynthesis.cancel();
    setIsSpeaking(false);
  });
  const speak = useEventCallback((index: number) => {
    const sentence = sentences[index];
    current.current = null;
    speechSynthesis.cancel();
    if (!sentence) {
      setIsSpeaking(false);
      setAt(0);
      return;
    }
    const utterance = new SpeechSynthesisUtterance(sentence.words);
    utterance.rate = rate;
    if (voice) utterance.voice = voice;
    const tongue = voice?.lang ?? lang;
    if (tongue) utterance.lang = tongue;
    const isStill = () => current.current === utterance;
    // The text may have changed meanwhile: on with what now stands behind this sentence.
    utterance.onend = () => {
      if (isStill()) onEnd(sentence.end);
    };
    utterance.onerror = ({ error }) => {
      if (!isStill() || error === 'interrupted' || error === 'canceled') return;
      setIsBroken(true);
      quiet();
    };
    current.current = utterance;
    setIsBroken(false);
    setIsSpeaking(true);
    setAt(index);
    speechSynthesis.speak(utterance);
  });
  const onEnd = useEventCallback((end: number) => {
    const next = sentenceAt(sentences, end);
    speak((sentences[next]?.start ?? 0) >= end ? next : sentences.length);
  });
  useEffect(() => quiet, [quiet]);
  return {
    isSpeaking,
    /** The device could not speak the last sentence. */
    isBroken,
    /** Index of the sentence. */
    at: Math.min(at, Math.max(0, sentences.length - 1)),
    speak,
    quiet,
  };
}
