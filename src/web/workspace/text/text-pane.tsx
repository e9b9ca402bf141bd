import { type RefObject, useEffect, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { revealIn } from '../../ui/reveal.ts';
import { DoubtBar } from '../review/doubt-bar.tsx';
import type { WordFocus } from '../review/use-word-focus.ts';
import { HiddenPieces } from './hidden-pieces.tsx';
import { TextEditor } from './text-editor.tsx';
import { TextTools } from './text-tools.tsx';
import type { TextDocument } from './use-text-document.ts';

/** The very same list every time. */
const NONE: readonly number[] = [];

interface TextPaneProps {
  document: TextDocument;
  focus: WordFocus;
  area: RefObject<HTMLTextAreaElement | null>;
  showsHidden: boolean;
  onShowsHiddenChange: (shows: boolean) => void;
  /** The source of the text, to check it against; null for a text alone. `url`: null if it cannot be shown. */
  picture: { url: string | null; image: Extraction['image']; unread: number } | null;
  /** It is known where on a page the words stood. */
  hasPlaces: boolean;
  /** Picture and text do not stand side by side. */
  isNarrow: boolean;
}

/** The text with its tools: how it is laid out, what is doubtful in it, what is hidden from it. */
export function TextPane(props: TextPaneProps) {
  const { document, focus, area, showsHidden, onShowsHiddenChange, picture, hasPlaces, isNarrow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // Words light up for the sake of their places in the picture.
  const active = picture ? focus.active : NONE;
  const lookedAt = active[0];

  useEffect(() => {
    const word = lookedAt === undefined ? null : scroller.current?.querySelector(`[data-word="${lookedAt}"]`);
    if (word && scroller.current) revealIn(scroller.current, word);
  }, [lookedAt]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <TextTools
        layout={document.layout}
        edited={document.edited}
        canUndo={document.canUndo}
        canRedo={document.canRedo}
        everUnsure={document.everUnsure}
        layOut={document.layOut}
        resetEdits={document.resetEdits}
        undo={focus.doubt.undo}
        redo={document.redo}
        hasPlaces={hasPlaces}
        hasEditTools={!picture || !isNarrow}
      />
      {picture && (document.placed.length > 0 || document.everDoubtful) && (
        <DoubtBar
          pieces={document.pieces}
          doubtful={document.doubtful}
          everDoubtful={document.everDoubtful}
          focus={focus.doubt}
          url={picture.url}
          image={picture.image}
          unread={picture.unread}
          isDocked={isNarrow}
        />
      )}
      <div ref={scroller} className="text-scroller min-h-56 flex-1 overflow-y-auto max-lg:max-h-[70vh]">
        <TextEditor
          label="Extracted text"
          isPage={document.layout === 'page'}
          mapped={document.mapped}
          doubtful={document.doubtful}
          unsure={document.unsure}
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
        bringBack={document.bringBack}
        hideAgain={document.hideAgain}
        open={showsHidden}
        onOpenChange={onShowsHiddenChange}
        onHover={focus.hover}
      />
    </div>
  );
}
