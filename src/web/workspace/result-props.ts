import type { ReactNode, Ref } from 'react';
import type { SavedReading } from '#contract/saved-text';
import type { Preview, ReadingOptions, RecognitionResult } from './reading.ts';
import type { TextWork } from './text/text-history.ts';

export interface ResultText {
  /** The current text with its edits. */
  text: () => string;
  isEmpty: boolean;
  /** Codes joined by `+`. */
  language: string;
  fileName: string;
  /** The extraction and its edits; undefined if they exceed the size limit. */
  reading: () => Promise<SavedReading | undefined>;
  /** Number of unchecked doubtful words. */
  doubtful: number;
}

export interface ResultHandle {
  /** Hides the lines that the filter rejected, or shows them. */
  setFiltering(useFiltering: boolean): void;
}

export interface ResultProps {
  reading: RecognitionResult;
  preview: Preview;
  /** Used by the filter switch above the result. */
  handle: Ref<ResultHandle>;
  onReset: () => void;
  onUpgrade: () => void;
  /** Reads the same picture again. `languages`: codes, main language first. */
  onReadIn: (languages: readonly string[]) => void;
  /** Reads a part of the picture as a separate picture. `how` overrides the chosen options. */
  onReadPart: (part: File, how?: Partial<ReadingOptions>) => void;
  /** Called after every edit of the text. */
  onWork: (work: TextWork) => void;
  renderAction: ((result: Omit<ResultText, 'reading'>) => ReactNode) | undefined;
}
