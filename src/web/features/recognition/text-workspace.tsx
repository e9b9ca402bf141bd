import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { Card, CardHeader } from '../../ui/card.tsx';
import { TooltipGroup } from '../../ui/tooltip.tsx';
import { ExportProblemNote, MoreFormats } from './more-formats.tsx';
import { readingOfText, wordlessReading } from './plain-text-reading.ts';
import { PrintSheet } from './print-sheet.tsx';
import { ResultActions } from './result-actions.tsx';
import { layOut } from './text-layout.ts';
import { TextPane } from './text-pane.tsx';
import { loadExports, useExports } from './use-exports.ts';
import { useSteady } from './use-steady.ts';
import { useTextDocument } from './use-text-document.ts';
import { useWordFocus } from './use-word-focus.ts';
import './recognition.css';

/** What whoever keeps the text can do to it from outside, as a step that can be undone. */
export interface TextDesk {
  rewrite(text: string): void;
}

export interface TextWorkspaceProps {
  /** What the work begins with; another text needs another instance. */
  text: string;
  /** Codes joined by `+`. */
  language: string;
  /** Of the text, and of what is printed. */
  name: string;
  desk: Ref<TextDesk>;
  /** Hears of every change, as the text stands in its own lines: to join them is only another view. */
  onText: (text: string) => void;
  /** Somebody wants what is premium. */
  onUpgrade: () => void;
  /** What stands above: name and state. */
  heading: ReactNode;
  /** More that can be done with it. */
  actions: ReactNode;
  /** What there is to say about it, below them. */
  notice: ReactNode;
}

const nothing = () => {};

const PRINT = { name: 'Print', goodFor: 'The text on paper', act: () => window.print() };

/** The workspace of a text without a picture: all that can be had without one. */
export function TextWorkspace(props: TextWorkspaceProps) {
  const { text, language, name, desk, onText, onUpgrade, heading, actions, notice } = props;
  const [first] = useState(text);
  const extraction = useMemo(() => readingOfText(first, language), [first, language]);
  const document = useTextDocument({ extraction, earlierWork: null, onWork: nothing });
  const area = useRef<HTMLTextAreaElement>(null);
  const focus = useWordFocus(document, area);
  const { mapped, layout, pieces, rewrite } = document;
  useImperativeHandle(desk, () => ({ rewrite }), [rewrite]);

  const tell = useSteady(onText);
  const told = useRef(first);
  useEffect(() => {
    const inItsLines = layout === 'lines' ? mapped.text : layOut(mapped, pieces, 'lines').text;
    if (inItsLines === told.current) return;
    told.current = inItsLines;
    tell(inItsLines);
  }, [mapped, layout, pieces, tell]);

  const now = useSteady(() => mapped);
  const exported = () => ({
    extraction: wordlessReading(language),
    name,
    edited: { text: now().text, marks: [] },
    picture: null,
  });
  const exports = useExports(() => [exported()]);

  return (
    <TooltipGroup>
      <Card as="section" aria-label={name} className="overflow-hidden">
        <CardHeader>
          <div className="min-w-0 flex-[1_1_18rem]">{heading}</div>
          <ResultActions
            text={() => now().text}
            formatted={async () => (await loadExports()).formattedText(exported())}
            formats={<MoreFormats {...exports} last={PRINT} />}
            more={actions}
            onCopyFailed={() => {
              area.current?.focus();
              area.current?.select();
            }}
          />
        </CardHeader>
        {notice}
        {exports.problem && (
          <ExportProblemNote {...exports} problem={exports.problem} onUpgrade={onUpgrade} />
        )}
        <div className="lg:h-[clamp(30rem,78vh,52rem)]">
          <TextPane
            document={document}
            focus={focus}
            area={area}
            showsHidden={false}
            onShowsHiddenChange={nothing}
            picture={null}
            isNarrow={false}
          />
        </div>
      </Card>
      <PrintSheet name={name} now={() => now().text} picture={null} />
    </TooltipGroup>
  );
}
