import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { SavedReading, SavedWork } from '#contract/saved-text';
import { languageTags } from '#formats/transcript';
import { Card, CardHeader } from '../ui/basics/display.tsx';
import { TooltipGroup } from '../ui/tooltip.tsx';
import { ExportProblemNote, MoreFormats } from './export/more-formats.tsx';
import { PrintSheet } from './export/print-sheet.tsx';
import { ResultActions } from './export/result-actions.tsx';
import { loadExports, useExports } from './export/use-exports.ts';
import type { Exported } from './export/writer/export-text.ts';
import { readingOfText, wordlessReading } from './plain-text-reading.ts';
import { useWordFocus } from './review/use-word-focus.ts';
import { openedWork, savedWork, textInItsLines } from './saved-reading.ts';
import { useTables } from './tables/use-tables.ts';
import type { TextState } from './text/text-history.ts';
import { TextPane } from './text/text-pane.tsx';
import { useTextDocument } from './text/use-text-document.ts';
import './workspace.css';

/** What is saved beside a text that has its reading. */
export interface KeptWork {
  work: SavedWork;
  /** How many doubtful words are left. */
  doubtful: number;
}

/** Operations on the text from outside, as steps that can be undone, and its data to be saved. */
export interface TextWorkspaceHandle {
  rewrite(text: string): void;
  /** The edits of the text as it stands at the moment, and its doubtful words; null for a text alone. */
  kept(): KeptWork | null;
}

export interface TextWorkspaceProps {
  text: string;
  /** What it was read as, where that was saved with it. */
  reading: SavedReading | undefined;
  /** Codes joined by `+`. */
  language: string;
  name: string;
  handle: Ref<TextWorkspaceHandle>;
  /** Called with every change of the text in its own lines: joining lines is only another view. */
  onText: (text: string) => void;
  /** Called for changes beside the text: the view, rejected tables, checked words. */
  onTouch: () => void;
  onUpgrade: () => void;
  heading: ReactNode;
  actions: ReactNode;
  notice: ReactNode;
}

const nothing = () => {};

const KEPT_BESIDE = ['layout', 'notTables', 'tables', 'checked'] as const satisfies ReadonlyArray<
  keyof TextState
>;

const PRINT = { name: 'Print', goodFor: 'The text on paper', act: () => window.print() };

/** The workspace of a text without a picture: everything that works without one, and more if its words have places. */
export function TextWorkspace(props: TextWorkspaceProps) {
  const { language, name, handle, onText, onTouch, onUpgrade, heading, actions, notice } = props;
  const [text] = useState(props.text);
  const [reading] = useState(props.reading);
  const extraction = useMemo(
    () => reading?.extraction ?? readingOfText(text, language),
    [reading, text, language],
  );
  const [earlierWork] = useState(() => (reading ? openedWork(reading, text) : null));
  const document = useTextDocument({ extraction, earlierWork, onWork: nothing });
  const [showsHidden, setShowsHidden] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const focus = useWordFocus(document, area);
  const { state, pieces, rewrite } = document;
  const doubtful = document.doubtful.length;
  useImperativeHandle(
    handle,
    () => ({ rewrite, kept: () => (reading ? { work: savedWork(state), doubtful } : null) }),
    [rewrite, reading, state, doubtful],
  );

  const reportText = useEffectEvent(onText);
  const reportTouch = useEffectEvent(onTouch);
  const reported = useRef<{ text: string; state: TextState } | null>(null);
  useEffect(() => {
    const inItsLines = textInItsLines(state, { pieces, image: extraction.image });
    const before = reported.current;
    reported.current = { text: inItsLines, state };
    if (before === null) return;
    if (inItsLines !== before.text) reportText(inItsLines);
    else if (reading && KEPT_BESIDE.some((part) => state[part] !== before.state[part])) reportTouch();
  }, [state, pieces, extraction, reading]);

  const now = () => document.mapped;
  const exported = (): Exported =>
    reading
      ? { name, ...document.taken(), picture: null }
      : {
          extraction: wordlessReading(language),
          name,
          edited: { text: now().text, marks: [] },
          picture: null,
        };
  const formatted = async () => {
    const { formattedPage, formattedText } = await loadExports();
    return document.layout === 'page' ? formattedPage(now().text) : formattedText(exported());
  };
  const { tables, tablesNow, TablePanel, correctCell, editTable, rejectTable } = useTables(
    document,
    name,
    reading !== undefined,
  );
  const exports = useExports(() => [exported()]);

  return (
    <TooltipGroup>
      <Card as="section" aria-label={name} className="overflow-hidden">
        <CardHeader>
          <div className="min-w-0 flex-[1_1_18rem]">{heading}</div>
          <ResultActions
            text={() => now().text}
            formatted={formatted}
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
            scroller={scroller}
            together={null}
            showsHidden={showsHidden}
            onShowsHiddenChange={setShowsHidden}
            picture={null}
            image={reading ? extraction.image : null}
            tables={null}
            lang={languageTags(language)[0]}
            hasPlaces={reading !== undefined}
            isNarrow={false}
          />
        </div>
        {TablePanel && (
          <TablePanel
            tables={tables}
            tablesNow={tablesNow}
            onCell={correctCell}
            onEdit={editTable}
            onLook={nothing}
            onNoTable={rejectTable}
            heading="h2"
          />
        )}
      </Card>
      <PrintSheet name={name} now={() => now().text} picture={null} />
    </TooltipGroup>
  );
}
