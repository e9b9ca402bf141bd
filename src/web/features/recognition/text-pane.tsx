import { type RefObject, useEffect, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { DoubtBar } from './doubt-bar.tsx';
import { HiddenPieces } from './hidden-pieces.tsx';
import { revealIn } from './reveal.ts';
import { TextEditor } from './text-editor.tsx';
import { TextTools } from './text-tools.tsx';
import type { TextDocument } from './use-text-document.ts';
import type { WordFocus } from './use-word-focus.ts';

interface TextPaneProps {
  document: TextDocument;
  focus: WordFocus;
  area: RefObject<HTMLTextAreaElement | null>;
  showsHidden: boolean;
  onShowsHiddenChange: (shows: boolean) => void;
  /** Where the picture is shown from; null when it cannot be shown. */
  url: string | null;
  image: Extraction['image'];
  /** Picture and text do not stand side by side. */
  isNarrow: boolean;
}

/** The text with its tools: how it is laid out, what is doubtful in it, what is hidden from it. */
export function TextPane(props: TextPaneProps) {
  const { document, focus, area, showsHidden, onShowsHiddenChange, url, image, isNarrow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const lookedAt = focus.active[0];

  useEffect(() => {
    const word = lookedAt === undefined ? null : scroller.current?.querySelector(`[data-word="${lookedAt}"]`);
    if (word && scroller.current) revealIn(scroller.current, word);
  }, [lookedAt]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <TextTools document={document} onUndo={focus.examined === null ? document.undo : focus.undo} />
      {(document.placed.length > 0 || document.everDoubtful) && (
        <DoubtBar document={document} focus={focus} url={url} image={image} isDocked={isNarrow} />
      )}
      <div ref={scroller} className="text-scroller min-h-56 flex-1 overflow-y-auto max-lg:max-h-[70vh]">
        <TextEditor
          label="Extracted text"
          mapped={document.mapped}
          doubtful={document.doubtful}
          unsure={document.unsure}
          active={focus.active}
          hovered={focus.hovered}
          area={area}
          onType={document.type}
          onSelection={focus.onSelection}
          onHover={focus.hover}
          onUndo={document.undo}
          onRedo={document.redo}
        />
      </div>
      <HiddenPieces
        document={document}
        open={showsHidden}
        onOpenChange={onShowsHiddenChange}
        onHover={focus.hover}
      />
    </div>
  );
}
