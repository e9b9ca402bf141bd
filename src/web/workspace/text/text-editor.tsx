import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import type { MappedText } from '#formats/pieces';
import { isRightToLeft } from '#formats/positioned-text';
import { useDerivedState } from '../use-derived.ts';
import { type MarkedLine, markedLines, type WordState } from './marked-lines.ts';
import { type TypedEdit, typedEdit } from './text-history.ts';
import { wordAtPoint } from './word-at-point.ts';

interface TextEditorProps {
  label: string;
  /** A BCP 47 tag; undefined for an unknown language. */
  lang: string | undefined;
  /** Whether the text is in Layout view, in which lines never wrap. */
  isPage: boolean;
  mapped: MappedText;
  doubtful: readonly number[];
  uncertain: readonly number[];
  active: readonly number[];
  hovered: number | null;
  area: RefObject<HTMLTextAreaElement | null>;
  onType: (edit: TypedEdit) => void;
  onSelection: (start: number, end: number) => void;
  onHover: (piece: number | null) => void;
  onUndo: () => void;
  onRedo: () => void;
}

/**
 * A text area over a copy of its text, in which words are highlighted. Copy and text area share one grid cell and thus one
 * height: neither scrolls, so they are always aligned.
 */
export function TextEditor(props: TextEditorProps) {
  const { mapped, doubtful, uncertain, active, hovered, area, onType, onSelection, onHover, onUndo, onRedo } =
    props;

  const { text } = mapped;
  useLayoutEffect(() => setValue(area.current, text), [area, text]);

  // The browser's undo would lose the marks. Its menu and gestures send only native events.
  const undo = useEffectEvent(onUndo);
  const redo = useEffectEvent(onRedo);
  useEffect(() => {
    const element = area.current;
    const beforeInput = (event: InputEvent) => {
      if (event.inputType === 'historyUndo') undo();
      else if (event.inputType === 'historyRedo') redo();
      else return;
      event.preventDefault();
    };
    element?.addEventListener('beforeinput', beforeInput);
    return () => element?.removeEventListener('beforeinput', beforeInput);
  }, [area]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey);
    if (!isRedo && key !== 'z') return;
    event.preventDefault();
    if (isRedo) onRedo();
    else onUndo();
  };
  const direction = !props.isPage ? 'auto' : isRightToLeft(mapped.text) ? 'rtl' : 'ltr';
  const lines = useMarkedLines({ mapped, doubtful, uncertain, active, hovered });
  const copy = useRef<HTMLDivElement>(null);
  const onPointerMove = ({ pointerType, buttons, clientX: x, clientY: y }: PointerEvent) => {
    if (pointerType !== 'mouse' || buttons !== 0 || !copy.current) return;
    onHover(wordAtPoint({ x, y }, copy.current, lines));
  };

  return (
    <div className="text-editor min-h-full" data-page={props.isPage || undefined}>
      <div ref={copy} data-lines aria-hidden="true" dir={direction}>
        {lines.map((line) => (
          <CopyLine key={line.key} line={line} />
        ))}
      </div>
      <textarea
        ref={area}
        aria-label={props.label}
        dir={direction}
        lang={props.lang}
        // The spell checker would underline most of code and tables.
        spellCheck={!props.isPage}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target, nativeEvent }) => {
          onType(typedEdit(target, nativeEvent));
          // Reported with the keystroke, because a later `select` event would cause a second render.
          onSelection(target.selectionStart, target.selectionEnd);
        }}
        onSelect={({ currentTarget }) =>
          onSelection(currentTarget.selectionStart, currentTarget.selectionEnd)
        }
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onHover(null)}
      />
    </div>
  );
}

/** Sets the value directly, because React would also write the whole text into the DOM on every keystroke. */
function setValue(area: HTMLTextAreaElement | null, text: string): void {
  if (area && area.value !== text) area.value = text;
}

type MarkedLinesOptions = Pick<TextEditorProps, 'mapped' | 'doubtful' | 'uncertain' | 'active' | 'hovered'>;

function useMarkedLines({
  mapped,
  doubtful,
  uncertain,
  active,
  hovered,
}: MarkedLinesOptions): readonly MarkedLine[] {
  const doubts = useMemo(() => new Set(doubtful), [doubtful]);
  const uncertainPieces = useMemo(() => new Set(uncertain), [uncertain]);
  const input = useMemo(
    () => ({ mapped, doubts, uncertainPieces, active, hovered }),
    [mapped, doubts, uncertainPieces, active, hovered],
  );
  return useDerivedState<typeof input, readonly MarkedLine[]>(input, (now, before) => {
    const activePieces = new Set(now.active);
    const stateOf = (piece: number): WordState => {
      if (activePieces.has(piece)) return 'active';
      if (now.hovered === piece) return 'hovered';
      if (now.doubts.has(piece)) return 'doubtful';
      return now.uncertainPieces.has(piece) ? 'uncertain' : undefined;
    };
    return markedLines(now.mapped, stateOf, before ?? []);
  });
}

/** Memoized by its line. The hundreds of words without a state are plain text nodes. */
const CopyLine = memo(function CopyLine({ line: { text, words } }: { line: MarkedLine }) {
  const shown = words.filter(({ state }) => state !== undefined);
  return (
    <div>
      {shown.map(({ piece, start, end, state }, index) => [
        text.slice(shown[index - 1]?.end ?? 0, start),
        <span key={start} data-word={piece} data-state={state}>
          {text.slice(start, end)}
        </span>,
      ])}
      {text.slice(shown.at(-1)?.end ?? 0)}
      {/* An empty line needs a character for its height. */}
      {text === '' && '\u200b'}
    </div>
  );
});
