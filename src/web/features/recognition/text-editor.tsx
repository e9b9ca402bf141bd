import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import type { MappedText } from '#formats/pieces';
import type { TypedEdit } from './text-history.ts';

interface TextEditorProps {
  label: string;
  mapped: MappedText;
  doubtful: readonly number[];
  unsure: readonly number[];
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
 * A real text area over a copy of its text, in which words can be marked. Copy and area share one grid cell,
 * so the copy's height is the area's: nothing scrolls inside, and the two can never slip against each other.
 */
export function TextEditor(props: TextEditorProps) {
  const { mapped, doubtful, unsure, active, hovered, area, onType, onSelection, onHover, onUndo, onRedo } =
    props;

  // The browser's own undo would not know of marks. Its menu and gestures arrive only as native events.
  const history = useRef({ onUndo, onRedo });
  useEffect(() => {
    history.current = { onUndo, onRedo };
  });
  useEffect(() => {
    const element = area.current;
    const beforeInput = (event: InputEvent) => {
      if (event.inputType === 'historyUndo') history.current.onUndo();
      else if (event.inputType === 'historyRedo') history.current.onRedo();
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
  // The area lies on top, so the word under the pointer has to be looked for beneath it.
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
    const word = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => element.hasAttribute('data-word'));
    onHover(word ? Number(word.getAttribute('data-word')) : null);
  };

  return (
    <div className="text-editor min-h-full">
      <MarkedCopy mapped={mapped} doubtful={doubtful} unsure={unsure} active={active} hovered={hovered} />
      <textarea
        ref={area}
        value={mapped.text}
        aria-label={props.label}
        dir="auto"
        // A checker would mark every name and price, and some of them send the text to a server.
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target }) =>
          onType({ text: target.value, caret: target.selectionEnd, time: performance.now() })
        }
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

type MarkedCopyProps = Pick<TextEditorProps, 'mapped' | 'doubtful' | 'unsure' | 'active' | 'hovered'>;

const MarkedCopy = memo(function MarkedCopy({ mapped, doubtful, unsure, active, hovered }: MarkedCopyProps) {
  const doubts = useMemo(() => new Set(doubtful), [doubtful]);
  const glances = useMemo(() => new Set(unsure), [unsure]);
  const lit = useMemo(() => new Set(active), [active]);
  const { text, marks } = mapped;
  const stateOf = (piece: number): WordState => {
    if (lit.has(piece)) return 'active';
    if (hovered === piece) return 'hovered';
    if (doubts.has(piece)) return 'doubtful';
    return glances.has(piece) ? 'glance' : undefined;
  };
  return (
    <div aria-hidden="true" dir="auto">
      {marks.map(({ piece, start, end }, index) => [
        text.slice(marks[index - 1]?.end ?? 0, start),
        <MarkedWord key={piece} piece={piece} text={text.slice(start, end)} state={stateOf(piece)} />,
      ])}
      {text.slice(marks.at(-1)?.end ?? 0)}
      {/* A last empty line has no height without something in it. */}
      {'\u200b'}
    </div>
  );
});

type WordState = 'active' | 'hovered' | 'doubtful' | 'glance' | undefined;

const MarkedWord = memo(function MarkedWord(props: { piece: number; text: string; state: WordState }) {
  return (
    <span data-word={props.piece} data-state={props.state}>
      {props.text}
    </span>
  );
});
