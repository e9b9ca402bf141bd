/** Observer of one picture's reading: it receives the result of each step. Without one, nothing is computed for it. */
import type { Filtered } from './layout/filter.ts';
import type { ReadFragment } from './layout/place.ts';
import type { TextRegion } from './page/detect.ts';
import type { Orientation } from './page/orient.ts';
import type { Picture } from './picture/picture.ts';
import type { WordStory } from './reading/fuse.ts';
import type { LineReadings } from './reading/recognize.ts';
import type { PageReader } from './reading/recognizer.ts';
import type { Layout, Line } from './types.ts';

/** In the order in which they are called; `chose` once for each word, `placed` once for each line with words. */
export interface Trace {
  decoded(picture: Picture): void;
  /** Angles within 45 degrees of horizontal. */
  found(regions: readonly TextRegion[]): void;
  oriented(page: Orientation<TextRegion>): void;
  read(reader: PageReader, lines: readonly LineReadings[]): void;
  chose(line: LineReadings, word: WordStory): void;
  placed(line: LineReadings, fragment: ReadFragment): void;
  /** Contains the word objects of `placed`. */
  ordered(lines: readonly Line[]): void;
  filtered(result: Filtered): void;
  laidOut(layout: Layout): void;
}
