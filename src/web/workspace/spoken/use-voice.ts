import { useEffect, useState, useSyncExternalStore } from 'react';
import { createStore } from '../../state/create-store.ts';
import { useEventCallback } from '../../ui/basics/events.ts';
import { type Sentence, sentenceAt } from './sentences.ts';

/** Whether the browser supports speech synthesis. Its list of voices is known only later. */
export const canSpeak = (): boolean =>
  typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined';

const NO_VOICES: readonly SpeechSynthesisVoice[] = [];
let voiceList = NO_VOICES;

/** Subscribes to the list of voices, which browsers load after the page. */
function watchVoices(changed: () => void) {
  speechSynthesis.addEventListener('voiceschanged', changed);
  return () => speechSynthesis.removeEventListener('voiceschanged', changed);
}

function currentVoices(): readonly SpeechSynthesisVoice[] {
  const now = speechSynthesis.getVoices();
  // Keeps the identity of an unchanged list.
  if (now.length !== voiceList.length || now.some((voice, at) => voice !== voiceList[at])) voiceList = now;
  return voiceList;
}

const mainTag = (tag: string) => tag.replaceAll('_', '-').split('-')[0]?.toLowerCase();

/** The voices of this device, those for the language first. `matchingCount`: the number of voices for the language. */
export function useVoices(lang: string | undefined) {
  const all = useSyncExternalStore(watchVoices, currentVoices, () => NO_VOICES);
  const own = all.filter((voice) => lang !== undefined && mainTag(voice.lang) === mainTag(lang));
  // Local voices first: remote ones send the text to the browser vendor.
  const ranked = own.toSorted((a, b) => Number(b.localService) - Number(a.localService));
  return { voices: [...ranked, ...all.filter((voice) => !own.includes(voice))], matchingCount: own.length };
}

interface VoiceOptions {
  /** The sentences of the current text. */
  sentences: readonly Sentence[];
  voice: SpeechSynthesisVoice | undefined;
  lang: string | undefined;
  /** 1 is the normal speed of the voice. */
  rate: number;
}

interface Speech {
  isSpeaking: boolean;
  /** Whether the device could not speak the last sentence. */
  hasFailed: boolean;
  /** Index of the current sentence. */
  at: number;
}

/**
 * Speaks sentences in sequence. After a pause, the sentence is repeated from its start, because browsers do not reliably
 * resume inside a sentence.
 * @param options returns the current options; they may change between sentences
 */
function createSpeaker(options: () => VoiceOptions) {
  const store = createStore<Speech>({ isSpeaking: false, hasFailed: false, at: 0 });
  const change = (part: Partial<Speech>) => store.set({ ...store.get(), ...part });
  /** The current utterance. Events of earlier ones are ignored. */
  let current: SpeechSynthesisUtterance | null = null;

  function pause() {
    current = null;
    speechSynthesis.cancel();
    change({ isSpeaking: false });
  }

  function speak(index: number) {
    const { sentences, voice, lang, rate } = options();
    const sentence = sentences[index];
    pause();
    if (!sentence) return change({ at: 0 });
    const utterance = new SpeechSynthesisUtterance(sentence.text);
    utterance.rate = rate;
    if (voice) utterance.voice = voice;
    const utteranceLang = voice?.lang ?? lang;
    if (utteranceLang) utterance.lang = utteranceLang;
    const isCurrent = () => current === utterance;
    utterance.onend = () => {
      if (isCurrent()) speakAfter(sentence.end);
    };
    utterance.onerror = ({ error }) => {
      if (!isCurrent() || error === 'interrupted' || error === 'canceled') return;
      change({ hasFailed: true });
      pause();
    };
    current = utterance;
    change({ hasFailed: false, isSpeaking: true, at: index });
    speechSynthesis.speak(utterance);
  }

  /** Continues with the next sentence of the current text, which may have changed. */
  function speakAfter(end: number) {
    const { sentences } = options();
    const next = sentenceAt(sentences, end);
    speak((sentences[next]?.start ?? 0) >= end ? next : sentences.length);
  }

  return { get: store.get, subscribe: store.subscribe, speak, pause: pause };
}

/** Reads sentences aloud until the component is unmounted. */
export function useVoice(options: VoiceOptions) {
  const current = useEventCallback(() => options);
  const [{ get, subscribe, speak, pause }] = useState(() => createSpeaker(current));
  const { isSpeaking, hasFailed, at } = useSyncExternalStore(subscribe, get);
  useEffect(() => pause, [pause]);
  return { isSpeaking, hasFailed, at: Math.min(at, Math.max(0, options.sentences.length - 1)), speak, pause };
}
