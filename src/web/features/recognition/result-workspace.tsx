import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Extraction } from '#contract/extraction';
import { ResponsiveAdSlot } from '../../ui/ad-slot.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardHeader } from '../../ui/card.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TooltipGroup } from '../../ui/tooltip.tsx';
import { counted } from '../../words.ts';
import { formatSize } from './picture-file.ts';
import { PictureView } from './picture-view.tsx';
import { ResultActions } from './result-actions.tsx';
import { TextPane } from './text-pane.tsx';
import type { Preview } from './use-preview.ts';
import { useTextDocument } from './use-text-document.ts';
import { useWordFocus } from './use-word-focus.ts';
import './recognition.css';

/** A result's text as it stands, edits included, for whoever wants to keep it. */
export interface ResultText {
  text: string;
  /** Codes joined by `+`. */
  language: string;
  /** Of the picture. */
  fileName: string;
}

interface ResultWorkspaceProps {
  extraction: Extraction;
  file: File;
  preview: Preview;
  onReset: () => void;
  renderAction: ((result: ResultText) => ReactNode) | undefined;
}

const WIDE = '(min-width: 64rem)';

function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(WIDE).matches,
  );
}

/** The picture and its text side by side, each word tied to its place. On small screens one at a time, text first. */
export function ResultWorkspace({ extraction, file, preview, onReset, renderAction }: ResultWorkspaceProps) {
  const document = useTextDocument(extraction);
  const area = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const focus = useWordFocus(document, area);
  const isWide = useIsWide();
  const [tab, setTab] = useState<'text' | 'picture'>('text');
  const [showsHidden, setShowsHidden] = useState(false);
  const headingId = useId();

  // The button that was pressed is gone from where the eye is: the result is where to go on.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    heading.current?.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') focus.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Enter' && event.altKey && focus.currentDoubt !== null) focus.confirm();
    else return;
    event.preventDefault();
    if (!isWide) setTab('text');
  };

  const picture = (
    <PictureView
      url={preview.status === 'ready' ? preview.url : null}
      name={file.name}
      image={extraction.image}
      pieces={document.pieces}
      placed={focus.placed}
      doubtful={document.doubtful}
      leftOut={showsHidden ? document.stillHidden : []}
      active={focus.active}
      hovered={focus.hovered}
      onHover={focus.hover}
      onPick={focus.pick}
    />
  );
  const text = (
    <TextPane
      document={document}
      focus={focus}
      area={area}
      showsHidden={showsHidden}
      onShowsHiddenChange={setShowsHidden}
    />
  );

  return (
    <TooltipGroup>
      <section aria-labelledby={headingId} onKeyDown={onKeyDown}>
        <Card className="overflow-hidden">
          <CardHeader>
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <h2 ref={heading} id={headingId} tabIndex={-1} className="text-2xl outline-none">
                  Extracted text
                </h2>
                <span className="flex gap-2">
                  <Badge>{extraction.confidence}% confidence</Badge>
                  <Badge>{counted(extraction.wordCount, 'word')}</Badge>
                </span>
              </div>
              <p className="mt-1 flex min-w-0 gap-2 text-sm text-ink-soft">
                <span className="min-w-0 truncate">{file.name}</span>
                <span className="whitespace-nowrap tabular-nums">{formatSize(file.size)}</span>
              </p>
            </div>
            <ResultActions
              text={document.mapped.text}
              onReset={onReset}
              more={renderAction?.({
                text: document.mapped.text,
                language: extraction.language,
                fileName: file.name,
              })}
              onCopyFailed={() => {
                area.current?.focus();
                area.current?.select();
              }}
            />
          </CardHeader>
          <Notices extraction={extraction} />
          {isWide ? (
            <div className="grid h-[clamp(30rem,78vh,52rem)] grid-cols-2">
              <div className="min-h-0 min-w-0 border-r border-rule">{picture}</div>
              <div className="min-h-0 min-w-0">{text}</div>
            </div>
          ) : (
            <Tabs
              flush
              label="Result"
              value={tab}
              onValueChange={setTab}
              tabs={[
                { value: 'text', label: 'Text', content: text },
                { value: 'picture', label: 'Picture', content: <div className="h-[70vh]">{picture}</div> },
              ]}
            />
          )}
        </Card>
        <ResponsiveAdSlot wide="banner" className="mt-6" />
      </section>
    </TooltipGroup>
  );
}

/** What there is to know about how the picture was read; that it holds no text stands in for the success message. */
function Notices({ extraction }: { extraction: Extraction }) {
  const others = extraction.notices.filter(({ code }) => code !== 'no_text');
  const noText = extraction.notices.find(({ code }) => code === 'no_text');
  return (
    <>
      {extraction.wordCount === 0 && (
        <div className="border-b border-rule p-4">
          <Alert tone="warning" title={noText?.message ?? 'No text was found in this picture.'}>
            {extraction.hidden.length > 0
              ? 'What was hidden can be brought back below. This did not count as an extraction.'
              : 'A sharper or larger picture, cropped to the text, may help. This did not count as an extraction.'}
          </Alert>
        </div>
      )}
      {others.length > 0 && (
        <ul className="border-b border-rule px-5 py-2 text-sm text-ink-soft md:px-6">
          {others.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}
