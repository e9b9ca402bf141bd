import type { ReactNode, Ref } from 'react';
import type { SavedReading } from '#contract/saved-text';
import type { Preview, Reading, ReadingOptions } from './reading.ts';
import type { TextWork } from './text/text-history.ts';

export interface ResultText {
  /** As it stands at the moment, edits included. */
  text: () => string;
  isEmpty: boolean;
  /** Codes joined by `+`. */
  language: string;
  fileName: string;
  /** The extraction and its edits; undefined if that is too much to be saved. */
  reading: () => Promise<SavedReading | undefined>;
  /** How many doubtful words are left. */
  doubtful: number;
}

export interface ResultHandle {
  /** Hides what the filter found to be no text, or brings all of it back. */
  setFiltering(useFiltering: boolean): void;
}

export interface ResultProps {
  reading: Reading;
  preview: Preview;
  /** For the filter switch above the result. */
  handle: Ref<ResultHandle>;
  onReset: () => void;
  onUpgrade: () => void;
  /** Reads the same picture again in these languages: codes, the main one first. */
  onReadIn: (languages: readonly string[]) => void;
  /** A part of the picture is to be read as a picture of its own; `how` where it is not as chosen above. */
  onReadPart: (part: File, how?: Partial<ReadingOptions>) => void;
  /** Called after every edit of the text. */
  onWork: (work: TextWork) => void;
  renderAction: ((result: Omit<ResultText, 'reading'>) => ReactNode) | undefined;
}
