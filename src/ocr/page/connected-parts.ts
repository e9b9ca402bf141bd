/** A connected part of the ink of an image, in pixels; `right` and `bottom` are excluded. */
export interface InkPart {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Number of its ink pixels. */
  pixels: number;
}

/**
 * The 8-connected components of a binary image, in the order of their first pixels, row by row.
 * @param ink one byte a pixel, 0 where there is no ink
 */
export function connectedParts(ink: Uint8Array, width: number, height: number): InkPart[] {
  const seen = new Uint8Array(ink.length);
  const stack: number[] = [];
  const parts: InkPart[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (!ink[start] || seen[start]) continue;
    const part = { left: width, right: 0, top: height, bottom: 0, pixels: 0 };
    stack.push(start);
    seen[start] = 1;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const y = Math.floor(at / width);
      const x = at - y * width;
      part.pixels++;
      part.left = Math.min(part.left, x);
      part.right = Math.max(part.right, x + 1);
      part.top = Math.min(part.top, y);
      part.bottom = Math.max(part.bottom, y + 1);
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const next = row * width + column;
          if (!ink[next] || seen[next]) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    parts.push(part);
  }
  return parts;
}
