import {
  type KeyboardEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Box, Extraction } from '#contract/extraction';
import { languageTags } from '#formats/transcript';
import { quarterTurns } from '#formats/upright';
import { ResponsiveAdSlot } from '../ui/basics/ad-slot.tsx';
import { Card } from '../ui/basics/card.tsx';
import { useEventCallback } from '../ui/basics/use-event-callback.ts';
import { Tabs } from '../ui/tabs.tsx';
import { toast } from '../ui/toast/toast-store.ts';
import { TooltipGroup } from '../ui/tooltip.tsx';
import { StartOver } from './export/result-actions.tsx';
import { FoundOnPicture } from './findings/found-on-picture.tsx';
import { type Found, useFindings } from './findings/use-findings.ts';
import { poseOf } from './image/picture-pose.ts';
import { PictureView } from './image/picture-view.tsx';
import { redrawn } from './image/redraw-picture.ts';
import { foundLanguages, isOwnFile, type ReadingOptions } from './reading.ts';
import { ResultHeader } from './result-header.tsx';
import { ResultNotices } from './result-notices.tsx';
import type { ResultProps } from './result-props.ts';
import { DoubtDock } from './review/doubt-bar.tsx';
import { useWordFocus } from './review/use-word-focus.ts';
import { useTables } from './tables/use-tables.ts';
import { TextPane } from './text/text-pane.tsx';
import { EditTools } from './text/text-tools.tsx';
import { useTextDocument } from './text/use-text-document.ts';
import { useScrollTogether } from './use-scroll-together.ts';
import './workspace.css';

// Loading the font lays out the whole page again: better now, while there is little of it, than under the text.
void document.fonts.load('1rem "IBM Plex Mono"').catch(() => {});

/** One empty list for every render: a new one would redraw all boxes of the picture. */
const NONE: readonly number[] = [];
const NOWHERE: NonNullable<Extraction['unread']> = [];

const WIDE = '(min-width: 64rem)';

/** To make a query has the browser lay the page out, and this is asked with every letter that is typed. */
const wide = matchMedia(WIDE);

function watchWidth(changed: () => void) {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
}

const useIsWide = (): boolean => useSyncExternalStore(watchWidth, () => wide.matches);

/**
 * The picture and its text side by side, each word tied to its place. On small screens one at a time, text first. Long
 * because it connects the parts of the workspace, each of which has a folder of its own.
 */
export function ResultWorkspace(props: ResultProps) {
  const { reading, preview, handle, onReset, onUpgrade, onReadIn, onReadPart, onWork, renderAction } = props;
  const { picture: chosen, attempt, extraction, work } = reading;
  const document = useTextDocument({ extraction, earlierWork: work, onWork });
  useImperativeHandle(handle, () => ({ setFiltering: document.setFiltering }), [document.setFiltering]);
  const area = useRef<HTMLTextAreaElement>(null);
  const focus = useWordFocus(document, area);
  const isWide = useIsWide();
  const [tab, setTab] = useState<'text' | 'picture'>('text');
  const [showsHidden, setShowsHidden] = useState(false);
  const url = preview.status === 'ready' ? preview.url : null;
  const findings = useFindings({ document, extraction, url, file: isOwnFile(preview) ? chosen.file : null });
  const { found } = findings;
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const chosenFound = found.find(({ key }) => key === chosenKey) ?? null;
  const [shownTimes, setShownTimes] = useState(0);
  const showFound = useEventCallback(() => {
    if (!isWide) setTab('picture');
    setShownTimes(shownTimes + 1);
  });
  const chooseFound = useEventCallback((item: Found | null) => setChosenKey(item?.key ?? null));
  const headingId = useId();
  const readPart = useEventCallback(async (crop: Box, angle: number, how?: Partial<ReadingOptions>) => {
    const { image } = extraction;
    const edit = { original: chosen.file, turns: quarterTurns(image), crop };
    try {
      const part = await redrawn(edit, { within: poseOf(image, angle), angle, suffix: '-part' });
      // Too short to tell its language by itself: it is expected to be in that of the page.
      const found = foundLanguages(reading);
      onReadPart(part, how ?? (found.length > 0 ? { languages: found } : undefined));
    } catch {
      toast({
        title: 'The part could not be cut out',
        description: 'This browser could not draw it. Nothing was counted.',
        variant: 'destructive',
      });
    }
  });
  const canReadPart = isOwnFile(preview) && !attempt.isSample;
  const unread = extraction.unread ?? NOWHERE;
  const [unreadAt, setUnreadAt] = useState<number | null>(null);
  const pick = useEventCallback((piece: number, pointer: string) => {
    focus.pick(piece, pointer);
    const item = found.find(({ pieces }) => pieces.includes(piece));
    if (item) chooseFound(item);
  });
  const showInText = useEventCallback((start: number, end: number) => {
    if (!isWide) flushSync(() => setTab('text'));
    focus.selectRange(start, end);
  });

  const { tables, tablesNow, TablePanel, correctCell, editTable, rejectTable } = useTables(
    document,
    chosen.file.name,
  );
  const [wantsTables, setShowsTables] = useState(false);
  const showsTables = wantsTables && tables.length > 0;
  const [tableLookedAt, setTableLookedAt] = useState<number | null>(null);
  const lookAtCell = useEventCallback(
    (index: number | null, place: { row: number; column: number } | null) => {
      setTableLookedAt(index);
      if (index === null || !place) return;
      const { table, piecesOf } = tables[index]!;
      const cell = table.cells.find(({ row, column }) => row === place.row && column === place.column);
      if (cell) focus.lookAt(piecesOf.get(cell) ?? []);
    },
  );

  const [lang] = languageTags(extraction.language);
  const now = useEventCallback(() => document.mapped);
  const viewport = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const together = useScrollTogether({ picture: viewport, text: scroller, now, isDue: isWide });
  const inReadingOrder = useEventCallback(() => document.taken());

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
      unread={unread}
      unreadAt={unreadAt}
      pieces={document.pieces}
      now={now}
      placed={document.placed}
      doubtful={document.doubtful}
      leftOut={showsHidden ? document.stillHidden : NONE}
      active={focus.active}
      examined={focus.doubt.examined}
      hovered={focus.hovered}
      onHover={focus.hover}
      onPick={pick}
      found={found}
      chosen={chosenFound}
      shownTimes={shownTimes}
      onFound={chooseFound}
      onShowInText={showInText}
      outlined={tableLookedAt === null ? null : (tables[tableLookedAt]?.table.box ?? null)}
      onReadPart={canReadPart ? readPart : null}
    />
  );
  const tablePanel = TablePanel && (
    <TablePanel
      tables={tables}
      tablesNow={tablesNow}
      onCell={correctCell}
      onEdit={editTable}
      onLook={lookAtCell}
      onNoTable={rejectTable}
    />
  );
  const text = (
    <TextPane
      document={document}
      focus={focus}
      area={area}
      scroller={scroller}
      together={isWide ? together : null}
      showsHidden={showsHidden}
      onShowsHiddenChange={setShowsHidden}
      picture={{
        url,
        unread: {
          places: unread,
          at: unreadAt,
          onLook: setUnreadAt,
          onReadPart: canReadPart
            ? (part, languages) => readPart(part, 0, languages && { languages, findsLanguage: false })
            : null,
        },
      }}
      image={extraction.image}
      tables={
        tables.length > 0 && tablePanel
          ? { panel: tablePanel, isShown: showsTables, show: setShowsTables }
          : null
      }
      lang={lang}
      hasPlaces
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
            now={now}
            inReadingOrder={inReadingOrder}
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
            <Tabs
              flush
              label="Result"
              value={tab}
              onValueChange={setTab}
              aside={
                tab === 'text' && (
                  <EditTools
                    edited={document.edited}
                    canUndo={document.canUndo}
                    canRedo={document.canRedo}
                    resetEdits={document.resetEdits}
                    undo={focus.doubt.undo}
                    redo={document.redo}
                  />
                )
              }
              tabs={[
                { value: 'text', label: 'Text', content: text },
                { value: 'picture', label: 'Picture', content: <div className="h-[70vh]">{picture}</div> },
              ]}
            />
          )}
          {!showsTables && tablePanel}
          <FoundOnPicture {...findings} chosen={chosenFound} onChoose={chooseFound} onShow={showFound} />
          {!isWide && (
            <div className="flex flex-wrap gap-2 border-t border-rule px-5 py-3 md:px-6">
              {renderAction?.({
                text: () => now().text,
                isEmpty: document.mapped.text === '',
                language: extraction.language,
                fileName: chosen.file.name,
              })}
              <StartOver onReset={onReset} />
            </div>
          )}
        </Card>
        {!isWide && focus.doubt.examined !== null && (
          <DoubtDock
            document={document}
            focus={focus.doubt}
            index={focus.doubt.examined}
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
