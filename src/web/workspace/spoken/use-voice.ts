import { useEffect, useState, useSyncExternalStore } from 'react';
import { createStore } from '../../state/create-store.ts';
import { useEventCallback } from '../../ui/basics/events.ts';
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
  // Local voices first: remote ones send the text to the browser vendor.
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

interface Speech {
  isSpeaking: boolean;
  /** The device could not speak the last sentence. */
  isBroken: boolean;
  /** Index of the sentence. */
  at: number;
}

/**
 * Speaks sentences one after another. A pause ends the sentence and goes on with it from its beginning: browsers do not
 * reliably go on inside one.
 * @param options as they are when a sentence begins: text, voice and pace may change while one is spoken
 */
function createSpeaker(options: () => VoiceOptions) {
  const store = createStore<Speech>({ isSpeaking: false, isBroken: false, at: 0 });
  const change = (part: Partial<Speech>) => store.set({ ...store.get(), ...part });
  /** The sentence that is being spoken: what an earlier one reports no longer counts. */
  let current: SpeechSynthesisUtterance | null = null;

  function quiet() {
    current = null;
    speechSynthesis.cancel();
    change({ isSpeaking: false });
  }

  function speak(index: number) {
    const { sentences, voice, lang, rate } = options();
    const sentence = sentences[index];
    quiet();
    if (!sentence) return change({ at: 0 });
    const utterance = new SpeechSynthesisUtterance(sentence.words);
    utterance.rate = rate;
    if (voice) utterance.voice = voice;
    const tongue = voice?.lang ?? lang;
    if (tongue) utterance.lang = tongue;
    const isStill = () => current === utterance;
    utterance.onend = () => {
      if (isStill()) speakAfter(sentence.end);
    };
    utterance.onerror = ({ error }) => {
      if (!isStill() || error === 'interrupted' || error === 'canceled') return;
      change({ isBroken: true });
      quiet();
    };
    current = utterance;
    change({ isBroken: false, isSpeaking: true, at: index });
    speechSynthesis.speak(utterance);
  }

  /** Continues with the sentence that now follows, because the text may have changed meanwhile. */
  function speakAfter(end: number) {
    const { sentences } = options();
    const next = sentenceAt(sentences, end);
    speak((sentences[next]?.start ?? 0) >= end ? next : sentences.length);
  }

  return { get: store.get, subscribe: store.subscribe, speak, quiet };
}

/** Reads sentences aloud for as long as the component is there. */
export function useVoice(options: VoiceOptions) {
  const current = useEventCallback(() => options);
  const [{ get, subscribe, speak, quiet }] = useState(() => createSpeaker(current));
  const { isSpeaking, isBroken, at } = useSyncExternalStore(subscribe, get);
  useEffect(() => quiet, [quiet]);
  return { isSpeaking, isBroken, at: Math.min(at, Math.max(0, options.sentences.length - 1)), speak, quiet };
}
