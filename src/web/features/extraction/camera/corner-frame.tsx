import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Corners, Point } from './perspective.ts';

interface CornerFrameProps {
  corners: Corners;
  /** Size of the picture. The corners are in its pixels. */
  size: { width: number; height: number };
  onChange: (corners: Corners) => void;
}

const NAMES = ['Top left corner', 'Top right corner', 'Bottom right corner', 'Bottom left corner'] as const;

/** The step of an arrow key as a share of the picture's longer side; Shift makes it ten times as large. */
const STEP = 0.005;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The outline of a sheet over its picture. Mouse, finger and arrow keys move the handles at its corners. */
export function CornerFrame({ corners, size, onChange }: CornerFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  /** The offset of the pointer from the corner in CSS pixels, so that the corner does not jump. */
  const grabOffset = useRef<Point>(null);
  const moveCorner = (at: number, { x, y }: Point) => {
    const within = { x: Math.min(Math.max(x, 0), size.width), y: Math.min(Math.max(y, 0), size.height) };
    onChange(corners.map((corner, index) => (index === at ? within : corner)) as unknown as Corners);
  };
  const positionOf = ({ x, y }: Point) => ({
    left: `${(100 * x) / size.width}%`,
    top: `${(100 * y) / size.height}%`,
  });
  const listeners = (at: number, corner: Point) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
      grabOffset.current = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
    },
    onPointerMove: (event: PointerEvent) => {
      const box = frame.current?.getBoundingClientRect();
      if (!grabOffset.current || !box) return;
      moveCorner(at, {
        x: ((event.clientX - grabOffset.current.x - box.left) / box.width) * size.width,
        y: ((event.clientY - grabOffset.current.y - box.top) / box.height) * size.height,
      });
    },
    onPointerUp: () => {
      grabOffset.current = null;
    },
    onPointerCancel: () => {
      grabOffset.current = null;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const arrow = ARROWS[event.key];
      if (!arrow) return;
      event.preventDefault();
      const step = STEP * (event.shiftKey ? 10 : 1) * Math.max(size.width, size.height);
      moveCorner(at, { x: corner.x + arrow.x * step, y: corner.y + arrow.y * step });
    },
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend
    <div ref={frame} role="group" aria-label="Corners of the sheet" className="absolute inset-0">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        <polygon
          points={corners.map(({ x, y }) => `${x},${y}`).join(' ')}
          vectorEffect="non-scaling-stroke"
          className="fill-marker/20 stroke-marker stroke-[3px]"
        />
      </svg>
      {corners.map((corner, at) => (
        <button
          key={NAMES[at]}
          type="button"
          aria-label={`${NAMES[at]}. Arrow keys move it.`}
          style={positionOf(corner)}
          className="absolute size-11 -translate-1/2 touch-none rounded-full border-2 border-ink bg-marker/30 hover:bg-marker/60"
          {...listeners(at, corner)}
        />
      ))}
    </div>
  );
}
