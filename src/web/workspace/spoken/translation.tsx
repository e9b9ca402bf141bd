import { useEffect, useId, useRef, useState } from 'react';
import { isRightToLeft } from '#formats/positioned-text';
import { Button } from '../../ui/basics/button.tsx';
import { useEventCallback } from '../../ui/basics/events.ts';
import { Icon } from '../../ui/basics/icon.tsx';
import { copyText } from '../export/copy-and-save.ts';
import { defaultTarget, sourceTag, storeTarget, targetsFor, translateText } from './translator.ts';

interface TranslationProps {
  text: string;
  /** A BCP 47 tag of the text's language. */
  lang: string;
  onClose: () => void;
}

type Targets = Awaited<ReturnType<typeof targetsFor>>;

interface TranslationRun {
  /** The source text. `into`: the target language. */
  of: string;
  into: string;
  text: string;
  /** Progress of the download, 0 to 1; null without a download. */
  download: number | null;
  state: 'running' | 'done' | 'failed';
}

/** A translation of the text by the browser's Translator API, below the text. */
export function Translation({ text, lang, onClose }: TranslationProps) {
  const id = useId();
  const source = sourceTag(lang);
  const [targets, setTargets] = useState<Targets | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [run, setRun] = useState<TranslationRun | null>(null);
  const abortController = useRef<AbortController>(null);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    let isCancelled = false;
    targetsFor(source).then(
      (found) => isCancelled || setTargets(found),
      () => isCancelled || setTargets([]),
    );
    return () => {
      isCancelled = true;
      abortController.current?.abort();
    };
  }, [source]);
  const hasTargets = targets !== null && targets.length > 0;
  useEffect(() => {
    if (hasTargets) select.current?.focus();
  }, [hasTargets]);

  const target = chosen ?? defaultTarget(targets ?? []);
  const translate = useEventCallback(async () => {
    if (!target) return;
    abortController.current?.abort();
    const controller = new AbortController();
    abortController.current = controller;
    storeTarget(target);
    const show = (change: Partial<TranslationRun>) =>
      controller.signal.aborted || setRun((now) => now && { ...now, ...change });
    setRun({ of: text, into: target, text: '', download: null, state: 'running' });
    try {
      await translateText({
        text,
        source,
        target,
        signal: controller.signal,
        onDownload: (progress) => show({ download: progress < 1 ? progress : null }),
        onText: (translated) => show({ text: translated, download: null }),
      });
      show({ state: 'done' });
    } catch {
      show({ state: 'failed', download: null });
    }
  });
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(lang) ?? lang;
  return (
    <section
      aria-label="Translation"
      className="grid max-h-[50%] min-h-0 shrink-0 grid-rows-[auto_auto_1fr] gap-1.5 border-t border-rule bg-paper px-4 py-2 text-sm"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <label htmlFor={`${id}-target`}>Into</label>
        <select
          ref={select}
          id={`${id}-target`}
          className="min-h-9 min-w-0 max-w-full rounded-control border border-rule-strong bg-sheet px-2 hover:border-ink disabled:border-dashed pointer-coarse:min-h-11"
          disabled={!hasTargets}
          value={target ?? ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {(targets ?? []).map(({ tag, name: label }) => (
            <option key={tag} value={tag}>
              {label}
            </option>
          ))}
        </select>
        <Button
          size="small"
          variant="secondary"
          disabled={!hasTargets}
          busy={run?.state === 'running'}
          onClick={() => void translate()}
        >
          {run?.state === 'running' ? 'Translating...' : 'Translate'}
        </Button>
        {run?.state === 'done' && (
          <Button size="small" variant="ghost" onClick={() => void copyText(run.text)}>
            <Icon name="copy" className="size-4" />
            Copy translation
          </Button>
        )}
        <Button
          size="icon"
          variant="ghost"
          className="ml-auto"
          aria-label="Close translation"
          onClick={onClose}
        >
          <Icon name="close" />
        </Button>
      </div>
      <p role="status" className="text-ink-soft">
        {statusOf({ targets, name, run, isOld: run !== null && (run.of !== text || run.into !== target) })}
      </p>
      {run && run.text !== '' && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only a focusable element
          tabIndex={0}
          aria-label="Translated text"
          lang={run.into}
          dir={isRightToLeft(run.text) ? 'rtl' : 'ltr'}
          className="min-h-0 overflow-y-auto font-mono text-base whitespace-pre-wrap"
        >
          {run.text}
        </section>
      )}
    </section>
  );
}

interface StatusOptions {
  targets: Targets | null;
  name: string;
  run: TranslationRun | null;
  /** Whether the text or the target language has changed since. */
  isOld: boolean;
}

function statusOf({ targets, name, run, isOld }: StatusOptions): string {
  if (targets === null) return 'Asking your browser which languages it translates...';
  if (targets.length === 0) return `Your browser does not translate ${name}.`;
  if (run?.state === 'failed')
    return 'Your browser could not translate this. Try again, or another language.';
  if (run && run.download !== null)
    return `Your browser downloads the language, once: ${Math.round(run.download * 100)}%`;
  if (run?.state === 'done' && isOld) return 'This translation is outdated. Translate again.';
  return 'Your browser translates on this device: the text is not sent.';
}
