import type { Jpeg } from './jpeg.ts';
import type { PngPixels } from './png.ts';
import type { PositionedText } from './positioned-text.ts';
import type { Table } from './tables.ts';

/** The input of a writer for one page. */
export interface WriterInput {
  positionedText: PositionedText;
  tables: readonly Table[];
  /** For formats that embed the picture; null for the others. */
  picture: Jpeg | PngPixels | null;
}
