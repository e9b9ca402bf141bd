import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Box } from '#contract/extraction';
import { type Handle, moved, resized } from './rectangle.ts';
import './rectangle-frame.css';

interface RectangleFrameProps {
  box: Box;
  /** The outer bounds of the box, in the same unit. */
  bounds: { width: number; height: number };
  /** CSS pixels per unit of `box`. */
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
const CENTER: Handle = { x: 0, y: 0 };

/** Minimal length of a side in CSS pixels. */
const MIN_PX = 12;
/** The step of an arrow key, as a fraction of the bounds; ten times as much with Shift. */
const STEP = 0.01;

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * A rectangle over a picture. Its center moves it, its corners and edges resize it, by mouse, touch and arrow keys. The
 * center and the corners are focusable buttons. Fills its container.
 */
export function RectangleFrame({ label, ...rest }: RectangleFrameProps) {
  const { box, scale } = rest;
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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has default borders and a legend */}
      <div role="group" aria-label={label} className="rectangle-frame" style={place}>
        <Grip {...rest} handle={CENTER} name={label} className="rectangle-middle" />
        {EDGES.map((edge) => (
          <Grip key={`${edge.x} ${edge.y}`} {...rest} handle={edge} data-edge={nameOf(edge)} />
        ))}
        {CORNERS.map((corner) => (
          <Grip key={corner.name} {...rest} handle={corner} name={corner.name} data-corner={nameOf(corner)} />
        ))}
      </div>
    </div>
  );
}

interface GripProps extends Omit<RectangleFrameProps, 'label'> {
  handle: Handle;
  /** The label of a button. Without it, the grip is for pointers only. */
  name?: string;
  className?: string;
  'data-edge'?: string;
  'data-corner'?: string;
}

function Grip({ box, bounds, scale, onChange, handle, name, ...attributes }: GripProps) {
  const held = useRef<{ x: number; y: number; box: Box } | null>(null);
  const change = (from: Box, by: { x: number; y: number }) =>
    onChange(handle === CENTER ? moved(from, by, bounds) : resized(from, handle, by, bounds, MIN_PX / scale));
  const listeners = {
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
      change(from.box, { x: (event.clientX - from.x) / scale, y: (event.clientY - from.y) / scale });
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
      change(box, { x: arrow.x * bounds.width * step, y: arrow.y * bounds.height * step });
    },
  };
  if (name === undefined) return <span aria-hidden="true" {...attributes} {...listeners} />;
  return <button type="button" aria-label={`${name}. Arrow keys move it.`} {...attributes} {...listeners} />;
}

const nameOf = ({ x, y }: Handle) =>
  [['top', '', 'bottom'][y + 1], ['left', '', 'right'][x + 1]].filter(Boolean).join('-');
