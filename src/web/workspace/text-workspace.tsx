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
import { languageTags } from '#formats/positioned-text';
import { Card, CardHeader } from '../ui/basics/display.tsx';
import { TooltipGroup } from '../ui/tooltip.tsx';
import { ExportProblemNote, MoreFormats } from './export/more-formats.tsx';
import { PrintSheet } from './export/print-sheet.tsx';
import { ResultActions } from './export/result-actions.tsx';
import { loadExports, useExports } from './export/use-exports.ts';
import type { ExportSource } from './export/writer/export-text.ts';
import { emptyReading, readingOfText } from './plain-text-reading.ts';
import { useWordFocus } from './review/use-word-focus.ts';
import { fromSavedWork, textInLines, toSavedWork } from './saved-reading.ts';
import { useTables } from './tables/use-tables.ts';
import type { TextState } from './text/text-history.ts';
import { TextPane } from './text/text-pane.tsx';
import { useTextDocument } from './text/use-text-document.ts';
import './workspace.css';

/** The data that is saved in addition to the text, if its reading is known. */
export interface WorkToSave {
  work: SavedWork;
  /** Number of unchecked doubtful words. */
  doubtful: number;
}

/** Lets the parent replace the text, as a step that can be undone, and read the data to save. */
export interface TextWorkspaceHandle {
  rewrite(text: string): void;
  /** The current edits and the number of doubtful words; null for a text without a reading. */
  workToSave(): WorkToSave | null;
}

export interface TextWorkspaceProps {
  text: string;
  /** The saved reading of the text, if there is one. */
  reading: SavedReading | undefined;
  /** Codes joined by `+`. */
  language: string;
  name: string;
  handle: Ref<TextWorkspaceHandle>;
  /** Called with the text in Lines view after every change. Another layout is no change. */
  onText: (text: string) => void;
  /** Called after other changes: layout, tables, checked words. */
  onOtherChange: () => void;
  onUpgrade: () => void;
  heading: ReactNode;
  actions: ReactNode;
  notice: ReactNode;
}

const nothing = () => {};

const SAVED_PARTS = ['layout', 'notTables', 'tables', 'checked'] as const satisfies ReadonlyArray<
  keyof TextState
>;

const PRINT = { name: 'Print', goodFor: 'The text on paper', act: () => window.print() };

/** The workspace of a saved text, which has no picture. A text with a reading has word positions and more functions. */
export function TextWorkspace(props: TextWorkspaceProps) {
  const { language, name, handle, onText, onOtherChange, onUpgrade, heading, actions, notice } = props;
  const [text] = useState(props.text);
  const [reading] = useState(props.reading);
  const extraction = useMemo(
    () => reading?.extraction ?? readingOfText(text, language),
    [reading, text, language],
  );
  const [earlierWork] = useState(() => (reading ? fromSavedWork(reading, text) : null));
  const document = useTextDocument({ extraction, earlierWork, onWork: nothing });
  const [showsHidden, setShowsHidden] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const focus = useWordFocus(document, area);
  const { state, pieces, rewrite } = document;
  const doubtful = document.doubtful.length;
  useImperativeHandle(
    handle,
    () => ({ rewrite, workToSave: () => (reading ? { work: toSavedWork(state), doubtful } : null) }),
    [rewrite, reading, state, doubtful],
  );

  const reportText = useEffectEvent(onText);
  const reportOtherChange = useEffectEvent(onOtherChange);
  const reported = useRef<{ text: string; state: TextState } | null>(null);
  useEffect(() => {
    const textNow = textInLines(state, { pieces, image: extraction.image });
    const before = reported.current;
    reported.current = { text: textNow, state };
    if (before === null) return;
    if (textNow !== before.text) reportText(textNow);
    else if (reading && SAVED_PARTS.some((part) => state[part] !== before.state[part])) reportOtherChange();
  }, [state, pieces, extraction, reading]);

  const now = () => document.mapped;
  const exported = (): ExportSource =>
    reading
      ? { name, ...document.exportSource(), picture: null }
      : {
          extraction: emptyReading(language),
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
            hasWordBoxes={reading !== undefined}
            isNarrow={false}
          />
        </div>
        {TablePanel && (
          <TablePanel
            tables={tables}
            tablesNow={tablesNow}
            onCell={correctCell}
            onEdit={editTable}
            onHighlight={nothing}
            onReject={rejectTable}
            heading="h2"
          />
        )}
      </Card>
      <PrintSheet name={name} currentText={() => now().text} picture={null} />
    </TooltipGroup>
  );
}
