/* The browser's Translator API, if it has one. Texts stay in the browser. */

interface Languages {
  sourceLanguage: string;
  targetLanguage: string;
}
type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';
interface BrowserTranslator {
  translate(text: string, options: { signal: AbortSignal }): Promise<string>;
  destroy(): void;
}
interface TranslatorApi {
  availability(languages: Languages): Promise<Availability>;
  create(
    options: Languages & { signal: AbortSignal; monitor: (monitor: EventTarget) => void },
  ): Promise<BrowserTranslator>;
}

const api = (): TranslatorApi | undefined => (globalThis as { Translator?: TranslatorApi }).Translator;

export const canTranslate = (): boolean => api() !== undefined;

/**
 * Languages that browsers may translate to, as BCP 47 tags. `availability()` tells which of them this browser supports.
 */
const TARGETS =
  'ar bg bn cs da de el en es fi fr he hi hr hu id it ja kn ko lt mr nl no pl pt ro ru sk sl sv ta te th tr uk vi zh zh-Hant';

/** The tag for the Translator API: Simplified Chinese is `zh`, without a script subtag. */
export const sourceTag = (lang: string): string => (lang === 'zh-Hans' ? 'zh' : lang);

/** The supported target languages, sorted by name; empty if the browser does not support the source language. */
export async function targetsFor(source: string): Promise<{ tag: string; name: string }[]> {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const tags = TARGETS.split(' ').filter((tag) => tag !== source);
  const states = await Promise.all(
    tags.map((targetLanguage) =>
      api()
        ?.availability({ sourceLanguage: source, targetLanguage })
        .catch(() => 'unavailable' as const),
    ),
  );
  return tags
    .filter((_, at) => states[at] !== undefined && states[at] !== 'unavailable')
    .map((tag) => ({ tag, name: names.of(tag) ?? tag }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

const KEY = 'translation-target';

/** The language chosen last, otherwise a language of the browser, otherwise English, otherwise the first one. */
export function defaultTarget(targets: readonly { tag: string }[]): string | undefined {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // Storage is unavailable.
  }
  const wanted = [stored, ...navigator.languages.flatMap((tag) => [tag, tag.split('-')[0]]), 'en'];
  const known = wanted.find((tag) => targets.some((target) => target.tag === tag));
  return known ?? targets[0]?.tag;
}

export function storeTarget(tag: string): void {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // Storage is unavailable.
  }
}

interface TranslationTask {
  text: string;
  source: string;
  target: string;
  signal: AbortSignal;
  /** Called with the progress of the model's download, 0 to 1. */
  onDownload: (share: number) => void;
  /** Called with the translation so far. */
  onText: (text: string) => void;
}

/**
 * Translates a text paragraph by paragraph and keeps blank lines. Needs a user activation if a model must be downloaded.
 * Rejects if the browser cannot translate.
 */
export async function translateText(task: TranslationTask): Promise<void> {
  const { text, source, target, signal, onDownload, onText } = task;
  const translator = await api()?.create({
    sourceLanguage: source,
    targetLanguage: target,
    signal,
    monitor: (monitor) =>
      monitor.addEventListener('downloadprogress', (event) => onDownload((event as ProgressEvent).loaded)),
  });
  if (!translator) throw new Error('no translator');
  try {
    let done = '';
    for (const part of text.split(/(\n+)/)) {
      done += /\S/.test(part) ? await translator.translate(part, { signal }) : part;
      onText(done);
    }
  } finally {
    translator.destroy();
  }
}
