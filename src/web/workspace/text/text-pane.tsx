import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { Extraction } from '#contract/extraction';
import { lazyComponent } from '../../hydration/lazy.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { useEventCallback } from '../../ui/basics/events.ts';
import { revealIn } from '../../ui/reveal.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { ReviewBar, ReviewPanel } from '../review/review-bar.tsx';
import { UnreadPanel, type UnreadRegions } from '../review/unread-panel.tsx';
import type { WordFocus } from '../review/use-word-focus.ts';
import { canTranslate } from '../spoken/translator.ts';
import { canSpeak } from '../spoken/use-voice.ts';
import { FindBar } from './find-bar.tsx';
import { HiddenPieces } from './hidden-pieces.tsx';
import { TextEditor } from './text-editor.tsx';
import { EditTools, editActionsOf, TextViews } from './text-tools.tsx';
import type { TextDocument } from './use-text-document.ts';

/** One constant empty list, which does not cause re-renders. */
const NO_PIECES: readonly number[] = [];

/** Narrow buttons, so that these and the edit tools fit into one row. */
const TOGGLE_PROPS = { variant: 'ghost', size: 'small', className: 'px-2! aria-pressed:bg-sunk' } as const;

const ReadAloud = lazyComponent(async () => (await import('../spoken/read-aloud.tsx')).ReadAloud);
const Translation = lazyComponent(async () => (await import('../spoken/translation.tsx')).Translation);

interface TextPaneProps {
  document: TextDocument;
  focus: WordFocus;
  area: RefObject<HTMLTextAreaElement | null>;
  /** The scroll container. */
  scroller: RefObject<HTMLDivElement | null>;
  /** The switch of synchronized scrolling; null if the picture is not beside the text. */
  together: { isOn: boolean; toggle: () => void } | null;
  showsHidden: boolean;
  onShowsHiddenChange: (shows: boolean) => void;
  /** The picture of the text; null for a saved text. `url`: null if it cannot be shown. */
  picture: { url: string | null; unread: UnreadRegions } | null;
  /** Size and rotation of the recognized picture, also if it is not available; null for a text without a reading. */
  image: Extraction['image'] | null;
  /** The panel of tables, which may replace the text; null without tables. */
  tables: { panel: ReactNode; isShown: boolean; show: (shows: boolean) => void } | null;
  /** A BCP 47 tag; undefined for an unknown language. */
  lang: string | undefined;
  /** Whether the words have positions on a page. */
  hasWordBoxes: boolean;
  /** Whether picture and text are in tabs instead of side by side. */
  isNarrow: boolean;
}

/** The text with its layout views, the review of doubtful words, hidden pieces and other tools. */
export function TextPane(props: TextPaneProps) {
  const {
    document,
    focus,
    area,
    scroller,
    showsHidden,
    onShowsHiddenChange,
    picture,
    image,
    tables,
    lang,
    hasWordBoxes,
    isNarrow,
  } = props;
  // Only words with positions are highlighted.
  const active = image ? focus.active : NO_PIECES;
  const firstActive = active[0];

  useEffect(() => {
    const word =
      firstActive === undefined ? null : scroller.current?.querySelector(`[data-word="${firstActive}"]`);
    if (word && scroller.current) revealIn(scroller.current, word);
  }, [firstActive, scroller]);

  const unread = picture?.unread;
  const toggleUnread = useEventCallback(() => unread?.onChoose(unread.at === null ? 0 : null));
  /** The open panel above the text. Only one is open, because both highlight ranges of the text. */
  const [above, setAbove] = useState<OpenPanel>(null);
  const isFinding = above === 'find';
  const [isTranslating, setIsTranslating] = useState(false);
  // Ctrl+F stays the browser's search, which searches the whole page.
  const onKeyDown = (event: KeyboardEvent) => {
    const isFind = event.key.toLowerCase() === 'f' && event.shiftKey && (event.ctrlKey || event.metaKey);
    if (!isFind || event.altKey) return;
    event.preventDefault();
    setAbove('find');
  };
  // Review and search need the text, so they hide the table.
  const isTable = Boolean(tables?.isShown) && focus.doubt.reviewedWord === null && above === null;
  const showTables = useEventCallback((shows: boolean) => tables?.show(shows));
  const places = unread?.regions.length ?? 0;
  const hasDoubts = image !== null && (document.placed.length > 0 || document.hadDoubtful || places > 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for a button in it
    <div className="flex h-full min-h-0 flex-col" onKeyDown={onKeyDown}>
      {/* The same height as the picture's toolbar. */}
      <div className="flex flex-wrap items-center justify-between gap-x-3 border-b border-rule px-4 lg:min-h-[3.5625rem]">
        <TextViews
          layout={document.layout}
          layOut={document.layOut}
          hasWordBoxes={hasWordBoxes}
          showsTables={tables ? isTable : undefined}
          onShowsTables={showTables}
        />
        {hasDoubts && (
          <ReviewBar
            pieces={document.pieces}
            doubtful={document.doubtful}
            hadDoubtful={document.hadDoubtful}
            slightCount={document.uncertain.length - document.doubtful.length}
            focus={focus.doubt}
            unread={places}
            showsUnread={(unread?.at ?? null) !== null}
            onUnread={toggleUnread}
            isDocked={isNarrow}
          />
        )}
      </div>
      {hasDoubts && !isNarrow && focus.doubt.reviewedWord !== null && (
        <ReviewPanel
          document={document}
          focus={focus.doubt}
          index={focus.doubt.reviewedWord}
          lang={lang}
          url={picture?.url ?? null}
          image={image}
        />
      )}
      {isFinding && (
        <FindBar
          document={document}
          focus={focus}
          pane={scroller}
          area={area}
          lang={lang}
          onClose={() => setAbove(null)}
        />
      )}
      {above === 'aloud' && (
        <ReadAloud
          text={document.mapped.text}
          lang={lang}
          pane={scroller}
          area={area}
          onClose={() => setAbove(null)}
        />
      )}
      {picture && image && <UnreadPanel {...picture.unread} url={picture.url} image={image} />}
      {isTable && <div className="table-view min-h-56 flex-1 overflow-y-auto bg-paper">{tables?.panel}</div>}
      <div
        ref={scroller}
        hidden={isTable}
        className="text-scroller min-h-56 flex-1 overflow-y-auto max-lg:max-h-[70vh]"
      >
        <TextEditor
          label="Extracted text"
          lang={lang}
          isPage={document.layout === 'page'}
          mapped={document.mapped}
          doubtful={document.doubtful}
          uncertain={document.uncertain}
          active={active}
          hovered={picture && focus.hovered}
          area={area}
          onType={document.type}
          onSelection={focus.onSelection}
          onHover={focus.hover}
          onUndo={document.undo}
          onRedo={document.redo}
        />
      </div>
      <HiddenPieces
        pieces={document.pieces}
        hidden={document.hidden}
        stillHidden={document.stillHidden}
        restoreHidden={document.restoreHidden}
        hideRestored={document.hideRestored}
        open={showsHidden}
        onOpenChange={onShowsHiddenChange}
        onHover={focus.hover}
      />
      {isTranslating && lang && (
        <Translation text={document.mapped.text} lang={lang} onClose={() => setIsTranslating(false)} />
      )}
      <PaneTools
        {...props}
        above={above}
        onAbove={setAbove}
        isTranslating={isTranslating}
        onTranslating={setIsTranslating}
      />
    </div>
  );
}

type OpenPanel = 'find' | 'aloud' | null;

interface PaneToolsProps
  extends Pick<TextPaneProps, 'document' | 'focus' | 'together' | 'picture' | 'lang' | 'isNarrow'> {
  above: OpenPanel;
  onAbove: (above: OpenPanel) => void;
  isTranslating: boolean;
  onTranslating: (isTranslating: boolean) => void;
}

/** The buttons below the text. */
function PaneTools(props: PaneToolsProps) {
  const { document, focus, together, picture, lang, isNarrow } = props;
  const { above, onAbove, isTranslating, onTranslating } = props;
  return (
    <div className="flex flex-wrap items-center border-t border-rule px-1 py-1.5">
      <Tooltip label="Ctrl+Shift+F">
        <Button
          {...TOGGLE_PROPS}
          aria-pressed={above === 'find'}
          onClick={() => onAbove(above === 'find' ? null : 'find')}
        >
          Find and replace
        </Button>
      </Tooltip>
      {together && (
        <Button {...TOGGLE_PROPS} aria-pressed={together.isOn} onClick={together.toggle}>
          Scroll together
        </Button>
      )}
      {canSpeak() && (
        <Button
          {...TOGGLE_PROPS}
          aria-pressed={above === 'aloud'}
          onClick={() => onAbove(above === 'aloud' ? null : 'aloud')}
        >
          Read aloud
        </Button>
      )}
      {canTranslate() && lang && (
        <Button {...TOGGLE_PROPS} aria-pressed={isTranslating} onClick={() => onTranslating(!isTranslating)}>
          Translate
        </Button>
      )}
      {!(picture && isNarrow) && <EditTools {...editActionsOf(document, focus)} className="ml-auto" />}
    </div>
  );
}
