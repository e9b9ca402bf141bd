import {
  type KeyboardEvent,
  type ReactNode,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Box, Extraction } from '#contract/extraction';
import { languageTags } from '#formats/positioned-text';
import { quarterTurns } from '#formats/upright';
import { ResponsiveAdSlot } from '../ui/basics/ad-slot.tsx';
import { Card } from '../ui/basics/display.tsx';
import { useEventCallback } from '../ui/basics/events.ts';
import { Tabs } from '../ui/tabs.tsx';
import { toast } from '../ui/toast/toast-store.ts';
import { TooltipGroup } from '../ui/tooltip.tsx';
import { StartOver } from './export/result-actions.tsx';
import { FoundOnPicture } from './findings/found-on-picture.tsx';
import { type Finding, type Findings, useFindings } from './findings/use-findings.ts';
import { poseOf } from './image/picture-pose.ts';
import { PictureView } from './image/picture-view.tsx';
import { redrawPicture } from './image/redraw-picture.ts';
import {
  detectedLanguages,
  isOwnFile,
  type Preview,
  type ReadingOptions,
  type RecognitionResult,
} from './reading.ts';
import { ResultHeader } from './result-header.tsx';
import { ResultNotices } from './result-notices.tsx';
import type { ResultProps } from './result-props.ts';
import { ReviewSheet } from './review/review-bar.tsx';
import type { UnreadRegions } from './review/unread-panel.tsx';
import { useWordFocus, type WordFocus } from './review/use-word-focus.ts';
import { useTables } from './tables/use-tables.ts';
import { TextPane } from './text/text-pane.tsx';
import { EditTools, editActionsOf } from './text/text-tools.tsx';
import { type TextDocument, useTextDocument } from './text/use-text-document.ts';
import { useScrollTogether } from './use-scroll-together.ts';
import './workspace.css';

// A loaded font causes a new layout of the whole page. It is loaded now, before a long text is on the page.
void document.fonts.load('1rem "IBM Plex Mono"').catch(() => {});

/** One constant empty list: a new list in every render would re-render all boxes of the picture. */
const NO_PIECES: readonly number[] = [];
const NO_REGIONS: NonNullable<Extraction['unread']> = [];

const WIDE = '(min-width: 64rem)';

/** Created once, because `matchMedia` forces a layout and `useIsWide` runs with every keystroke. */
const wideQuery = matchMedia(WIDE);

function watchWidth(changed: () => void) {
  wideQuery.addEventListener('change', changed);
  return () => wideQuery.removeEventListener('change', changed);
}

const useIsWide = (): boolean => useSyncExternalStore(watchWidth, () => wideQuery.matches);

/** The picture and its text side by side, with each word linked to its box. On small screens in tabs, text first. */
export function ResultWorkspace(props: ResultProps) {
  const { reading, preview, handle, onReset, onUpgrade, onReadIn, onReadPart, onWork, renderAction } = props;
  const { picture: chosen, extraction, work } = reading;
  const document = useTextDocument({ extraction, earlierWork: work, onWork });
  useImperativeHandle(handle, () => ({ setFiltering: document.setFiltering }), [document.setFiltering]);
  const area = useRef<HTMLTextAreaElement>(null);
  const focus = useWordFocus(document, area);
  const isWide = useIsWide();
  const [tab, setTab] = useState<ResultTab>('text');
  const [showsHidden, setShowsHidden] = useState(false);
  const url = preview.status === 'ready' ? preview.url : null;
  const findings = useFindings({ document, extraction, url, file: isOwnFile(preview) ? chosen.file : null });
  const { chosen: chosenFound, choose, revealCount, reveal } = useChosenFinding(findings);
  const showFound = useEventCallback(() => {
    if (!isWide) setTab('picture');
    reveal();
  });
  const headingId = useId();
  const readPart = useReadPart(reading, preview, onReadPart);
  const unread = useUnread(extraction, readPart);
  const pick = useEventCallback((piece: number, pointer: string) => {
    focus.pick(piece, pointer);
    const item = findings.found.find(({ pieces }) => pieces.includes(piece));
    if (item) choose(item);
  });
  const showInText = useEventCallback((start: number, end: number) => {
    if (!isWide) flushSync(() => setTab('text'));
    focus.selectRange(start, end);
  });

  const tables = useTablePanel(document, focus, chosen.file.name);
  const [lang] = languageTags(extraction.language);
  const now = useEventCallback(() => document.mapped);
  const viewport = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const scrollTogether = useScrollTogether({
    picture: viewport,
    text: scroller,
    currentText: now,
    enabled: isWide,
  });
  const inReadingOrder = useEventCallback(() => document.exportSource());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') focus.doubt.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Enter' && event.altKey && focus.doubt.current !== null) focus.doubt.confirm();
    else return;
    event.preventDefault();
    if (!isWide) setTab('text');
  };

  const picture = (
    <PictureView
      viewport={viewport}
      url={url}
      name={chosen.file.name}
      image={extraction.image}
      unread={unread.regions}
      chosenUnread={unread.at}
      pieces={document.pieces}
      currentText={now}
      placed={document.placed}
      doubtful={document.doubtful}
      hiddenPieces={showsHidden ? document.stillHidden : NO_PIECES}
      active={focus.active}
      reviewedWord={focus.doubt.reviewedWord}
      hovered={focus.hovered}
      onHover={focus.hover}
      onPick={pick}
      found={findings.found}
      chosen={chosenFound}
      revealCount={revealCount}
      onFound={choose}
      onShowInText={showInText}
      outlined={tables.shownTable}
      onReadPart={readPart}
    />
  );
  const text = (
    <TextPane
      document={document}
      focus={focus}
      area={area}
      scroller={scroller}
      together={isWide ? scrollTogether : null}
      showsHidden={showsHidden}
      onShowsHiddenChange={setShowsHidden}
      picture={{ url, unread }}
      image={extraction.image}
      tables={tables.inPlace}
      lang={lang}
      hasWordBoxes
      isNarrow={!isWide}
    />
  );

  return (
    <TooltipGroup>
      <section aria-labelledby={headingId} onKeyDown={onKeyDown}>
        <Card className="overflow-hidden">
          <ResultHeader
            reading={reading}
            preview={preview}
            isEmpty={document.mapped.text === ''}
            doubtful={document.doubtful.length}
            now={now}
            exportSource={inReadingOrder}
            isPage={document.layout === 'page'}
            headingId={headingId}
            area={area}
            onReset={isWide ? onReset : undefined}
            onUpgrade={onUpgrade}
            renderAction={isWide ? renderAction : undefined}
          />
          <ResultNotices extraction={extraction} onUpgrade={onUpgrade} onReadIn={onReadIn} />
          {isWide ? (
            <div className="grid h-[clamp(30rem,78vh,52rem)] grid-cols-2">
              <div className="min-h-0 min-w-0 border-r border-rule">{picture}</div>
              <div className="min-h-0 min-w-0">{text}</div>
            </div>
          ) : (
            <ResultTabs {...{ document, focus, tab, text, picture }} onTab={setTab} />
          )}
          {tables.below}
          <FoundOnPicture {...findings} chosen={chosenFound} onChoose={choose} onShow={showFound} />
          {!isWide && (
            <div className="flex flex-wrap gap-2 border-t border-rule px-5 py-3 md:px-6">
              {renderAction?.({
                text: () => now().text,
                isEmpty: document.mapped.text === '',
                language: extraction.language,
                fileName: chosen.file.name,
                doubtful: document.doubtful.length,
              })}
              <StartOver onReset={onReset} />
            </div>
          )}
        </Card>
        {!isWide && focus.doubt.reviewedWord !== null && (
          <ReviewSheet
            document={document}
            focus={focus.doubt}
            index={focus.doubt.reviewedWord}
            lang={lang}
            url={url}
            image={extraction.image}
          />
        )}
        <ResponsiveAdSlot wide="banner" className="mt-6" />
      </section>
    </TooltipGroup>
  );
}

/** The chosen finding, and the number of requests to show it on the picture. */
function useChosenFinding({ found }: Findings) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const [revealCount, setRevealCount] = useState(0);
  return {
    chosen: found.find(({ key }) => key === chosenKey) ?? null,
    choose: useEventCallback((item: Finding | null) => setChosenKey(item?.key ?? null)),
    revealCount,
    reveal: () => setRevealCount(revealCount + 1),
  };
}

/** The unread regions of the picture, and the chosen one. */
function useUnread(
  { unread = NO_REGIONS }: Extraction,
  readPart: ReturnType<typeof useReadPart>,
): UnreadRegions {
  const [at, onChoose] = useState<number | null>(null);
  return {
    regions: unread,
    at,
    onChoose,
    onReadPart:
      readPart && ((part, languages) => readPart(part, 0, languages && { languages, findsLanguage: false })),
  };
}

type ResultTab = 'text' | 'picture';

interface ResultTabsProps {
  document: TextDocument;
  focus: WordFocus;
  tab: ResultTab;
  onTab: (tab: ResultTab) => void;
  text: ReactNode;
  picture: ReactNode;
}

/** Text and picture in tabs, for narrow screens. */
function ResultTabs({ document, focus, tab, onTab, text, picture }: ResultTabsProps) {
  return (
    <Tabs
      flush
      label="Result"
      value={tab}
      onValueChange={onTab}
      aside={tab === 'text' && <EditTools {...editActionsOf(document, focus)} />}
      tabs={[
        { value: 'text', label: 'Text', content: text },
        { value: 'picture', label: 'Picture', content: <div className="h-[70vh]">{picture}</div> },
      ]}
    />
  );
}

/** Returns a function that reads a part of the picture as a separate picture; null if the picture cannot be cropped. */
function useReadPart(reading: RecognitionResult, preview: Preview, onReadPart: ResultProps['onReadPart']) {
  const readPart = useEventCallback(async (crop: Box, angle: number, how?: Partial<ReadingOptions>) => {
    const { image } = reading.extraction;
    const edit = { original: reading.picture.file, turns: quarterTurns(image), crop };
    try {
      const part = await redrawPicture(edit, { within: poseOf(image, angle), angle, suffix: '-part' });
      // The part may be too short for language detection, so it is read in the detected language of the page.
      const found = detectedLanguages(reading);
      onReadPart(part, how ?? (found.length > 0 ? { languages: found } : undefined));
    } catch {
      toast({
        title: 'The part could not be cut out',
        description: 'This browser could not draw it. Nothing was counted.',
        variant: 'destructive',
      });
    }
  });
  return isOwnFile(preview) && !reading.attempt.isSample ? readPart : null;
}

/** The panel of the text's tables: in place of the text if the user chose that, otherwise below the workspace. */
function useTablePanel(document: TextDocument, focus: WordFocus, name: string) {
  const { tables, tablesNow, TablePanel, correctCell, editTable, rejectTable } = useTables(document, name);
  const [showsTables, setShowsTables] = useState(false);
  const [lookedAt, setShownTable] = useState<number | null>(null);
  const showCell = useEventCallback((index: number | null, place: { row: number; column: number } | null) => {
    setShownTable(index);
    const looked = index === null ? undefined : tables[index];
    if (!looked || !place) return;
    const cell = looked.table.cells.find(({ row, column }) => row === place.row && column === place.column);
    if (cell) focus.selectPieces(looked.piecesOf.get(cell) ?? []);
  });
  const isShown = showsTables && tables.length > 0;
  const panel = TablePanel && (
    <TablePanel
      tables={tables}
      tablesNow={tablesNow}
      onCell={correctCell}
      onEdit={editTable}
      onHighlight={showCell}
      onReject={rejectTable}
    />
  );
  return {
    inPlace: tables.length > 0 && panel ? { panel, isShown, show: setShowsTables } : null,
    below: !isShown && panel,
    /** The box of the table with the focused cell. */
    shownTable: lookedAt === null ? null : (tables[lookedAt]?.table.box ?? null),
  };
}
