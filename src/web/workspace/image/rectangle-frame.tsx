import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Box } from '#contract/extraction';
import { type Handle, moved, resized } from './rectangle.ts';
import './rectangle-frame.css';

interface RectangleFrameProps {
  box: Box;
  /** The outer bounds of the box, in the same unit. */
  frame: { width: number; height: number };
  /** CSS pixels for one of that unit. */
  scale: number;
  label: string;
  onChange: (box: Box) => void;
}

const CORNERS: ReadonlyArray<Handle & { name: string }> = [
  { x: -1, y: -1, name: 'Top left corner' },
  { x: 1, y: -1, name: 'Top right corner' },
  { x: -1, y: 1, name: 'Bottom left corner' },
  { x: 1, y: 1, name: 'Bottom right corner' },
];
const EDGES: readonly Handle[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
];
const MIDDLE: Handle = { x: 0, y: 0 };

/** CSS pixels: no side can be made shorter. */
const LEAST_PX = 12;
/** How much of the frame an arrow key moves by; with Shift ten times as much. */
const STEP = 0.01;

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * A rectangle over a picture that is moved by its middle and made larger and smaller by its corners and edges: by mouse,
 * by finger, and by arrow keys, for which the middle and each corner are buttons. Fills what it is put into.
 */
export function RectangleFrame({ box, frame, scale, label, onChange }: RectangleFrameProps) {
  const held = useRef<{ x: number; y: number; box: Box } | null>(null);
  const change = (from: Box, handle: Handle, by: { x: number; y: number }) =>
    onChange(
      handle.x === 0 && handle.y === 0
        ? moved(from, by, frame)
        : resized(from, handle, by, frame, LEAST_PX / scale),
    );
  const listeners = (handle: Handle) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !event.isPrimary) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { x: event.clientX, y: event.clientY, box };
    },
    onPointerMove: (event: PointerEvent) => {
      const from = held.current;
      if (!from) return;
      event.stopPropagation();
      change(from.box, handle, { x: (event.clientX - from.x) / scale, y: (event.clientY - from.y) / scale });
    },
    onPointerUp: (event: PointerEvent) => {
      if (held.current) event.stopPropagation();
      held.current = null;
    },
    onPointerCancel: () => {
      held.current = null;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const arrow = ARROWS[event.key];
      if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const step = STEP * (event.shiftKey ? 10 : 1);
      change(box, handle, { x: arrow.x * frame.width * step, y: arrow.y * frame.height * step });
    },
  });
  const place: CSSProperties = {
    left: box.x * scale,
    top: box.y * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
  return (
    <div className="absolute inset-0">
      <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden">
        <div className="rectangle-shade" style={place} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend of its own */}
      <div role="group" aria-label={label} className="rectangle-frame" style={place}>
        <button
          type="button"
          aria-label={`${label}. Arrow keys move it.`}
          className="rectangle-middle"
          {...listeners(MIDDLE)}
        />
        {EDGES.map((edge) => (
          <span
            key={`${edge.x} ${edge.y}`}
            aria-hidden="true"
            data-edge={nameOf(edge)}
            {...listeners(edge)}
          />
        ))}
        {CORNERS.map((corner) => (
          <button
            key={corner.name}
            type="button"
            aria-label={`${corner.name}. Arrow keys move it.`}
            data-corner={nameOf(corner)}
            {...listeners(corner)}
          />
        ))}
      </div>
    </div>
  );
}

const nameOf = ({ x, y }: Handle) =>
  [['top', '', 'bottom'][y + 1], ['left', '', 'right'][x + 1]].filter(Boolean).join('-');
