import { type RefObject, useEffect, useRef } from 'react';
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
}

/** The text with its tools: how it is laid out, what is doubtful in it, what is hidden from it. */
export function TextPane({ document, focus, area, showsHidden, onShowsHiddenChange }: TextPaneProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lookedAt = focus.active[0];

  useEffect(() => {
    const word = lookedAt === undefined ? null : scroller.current?.querySelector(`[data-word="${lookedAt}"]`);
    if (word && scroller.current) revealIn(scroller.current, word);
  }, [lookedAt]);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <TextTools document={document} />
      {document.everDoubtful && (
        <DoubtBar
          count={document.doubtful.length}
          current={focus.currentDoubt === null ? null : (document.pieces[focus.currentDoubt] ?? null)}
          onStep={focus.step}
          onConfirm={focus.confirm}
        />
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
