/** The ink of a line in separate parts, side by side. */

import { gapsOf } from '../page/crop.ts';
import type { GrayImage } from '../picture/pixels.ts';

/** Darker levels of a cleaned crop are ink. */
export const INK = 128;

/** A part of a line with no ink beside it, in pixels of the crop; `to` and `bottom` are excluded. */
export interface InkBox {
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** Several rules look at the ink of the same line. */
const known = new WeakMap<GrayImage, readonly InkBox[]>();

/** Between the gaps of a crop, left to right. @param crop dark ink on light paper; it must not change afterwards */
export function inkBoxesOf(crop: GrayImage): readonly InkBox[] {
  const boxes = known.get(crop) ?? findInkBoxes(crop);
  known.set(crop, boxes);
  return boxes;
}

function findInkBoxes(crop: GrayImage): InkBox[] {
  const { gray, width, height } = crop;
  const gaps = gapsOf(crop);
  const edges = [{ from: 0, to: 0 }, ...gaps, { from: width, to: width }];
  return edges.slice(1).flatMap((gap, i) => {
    const [from, to] = [edges[i]!.to, gap.from];
    let top = height;
    let bottom = 0;
    for (let y = 0; y < height; y++) {
      for (let x = from; x < to; x++) {
        if (gray[y * width + x]! >= INK) continue;
        top = Math.min(top, y);
        bottom = y + 1;
        break;
      }
    }
    return bottom > top ? [{ from, to, top, bottom }] : [];
  });
}

/** The share of a box that is ink. */
export function inkShareIn({ gray, width }: GrayImage, { from, to, top, bottom }: InkBox): number {
  let ink = 0;
  for (let y = top; y < bottom; y++) for (let x = from; x < to; x++) if (gray[y * width + x]! < INK) ink++;
  return ink / ((to - from) * (bottom - top));
}
