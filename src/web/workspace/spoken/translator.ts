/** The browser's own translator, where it has one: texts stay in the browser. */

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

/** Languages that browsers translate between, as BCP 47 tags. Which of them a browser has, it says itself. */
const TARGETS =
  'ar bg bn cs da de el en es fi fr he hi hr hu id it ja kn ko lt mr nl no pl pt ro ru sk sl sv ta te th tr uk vi zh zh-Hant';

/** As browsers name it for translation: simplified Chinese has no script. */
export const sourceTag = (lang: string): string => (lang === 'zh-Hans' ? 'zh' : lang);

/** Languages that this browser translates a text into, by name; empty where it does not know the text's own. */
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

/** The language chosen last, else one that the person reads, else English, else any. */
export function recallTarget(targets: readonly { tag: string }[]): string | undefined {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // A browser that stores nothing starts with its own language.
  }
  const wanted = [kept, ...navigator.languages.flatMap((tag) => [tag, tag.split('-')[0]]), 'en'];
  const known = wanted.find((tag) => targets.some((target) => target.tag === tag));
  return known ?? targets[0]?.tag;
}

export function rememberTarget(tag: string): void {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // The next visit starts with the browser's language.
  }
}

interface TranslationTask {
  text: string;
  source: string;
  target: string;
  signal: AbortSignal;
  /** 0 to 1: how much of the language is downloaded. */
  onDownload: (share: number) => void;
  /** The translation so far. */
  onText: (text: string) => void;
}

/**
 * Translates a text paragraph by paragraph; blank lines stay. Must begin with a press where the language has to be
 * downloaded. Rejects if the browser cannot do it.
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
