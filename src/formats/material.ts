import type { Jpeg } from './jpeg.ts';
import type { PngPixels } from './png.ts';
import type { Table } from './tables.ts';
import type { Transcript } from './transcript.ts';

/** The input of a writer for one page. */
export interface Material {
  transcript: Transcript;
  tables: readonly Table[];
  /** For formats that hold the picture itself; null for the others. */
  picture: Jpeg | PngPixels | null;
}
