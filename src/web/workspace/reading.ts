import type { Extraction } from '#contract/extraction';
import type { PictureEdit } from './image/redraw-picture.ts';
import type { TextState, TextWork } from './text/text-history.ts';

export interface ReadingOptions {
  useFiltering: boolean;
  /** Codes, the main one first; none for English alone. */
  languages: readonly string[];
  /** They are where to begin: a text in another language is read again in that. */
  findsLanguage?: boolean;
}

/** One press of the button. Trying again after a lost connection keeps both ids, so that it is paid for once. */
export interface Attempt extends ReadingOptions {
  /** Names the run towards the server's progress reports. */
  extractionId: string;
  idempotencyKey: string;
  /** The text is the PDF's own: nothing was sent. */
  fromDocument?: boolean;
  /** The text was recorded with the page: nothing was sent, and its picture is not read again. */
  isSample?: boolean;
  /** It was read on this device: nothing was sent. */
  onDevice?: boolean;
}

/** A chosen picture; a new number for every choice, even of the same file. */
export interface ChosenPicture {
  file: File;
  number: number;
  /** The changes before it is read. */
  edit?: PictureEdit;
}

export interface Reading {
  picture: ChosenPicture;
  attempt: Attempt;
  extraction: Extraction;
  /** The edits of the text when it was shown before; null for one that has just been read. */
  work: TextWork | null;
}

/** The codes of the language that was found by itself, the main one first; none if it was chosen, or is not sure. */
export const foundLanguages = ({ attempt, extraction }: Pick<Reading, 'attempt' | 'extraction'>): string[] =>
  attempt.findsLanguage && extraction.wordCount > 0 && !extraction.likelyLanguage
    ? extraction.language.split('+')
    : [];

/** A reading with the tables as a person left them; undefined if they were not changed. */
export const withTables = (extraction: Extraction, tables: TextState['tables']): Extraction =>
  tables && extraction.layout
    ? { ...extraction, layout: { ...extraction.layout, tables: [...tables] } }
    : extraction;

/**
 * An address that shows a picture, `loading` while it is made, or `none` if it cannot be drawn. `ownFile`: it is the
 * file itself, which this browser draws.
 */
export type Preview =
  | { status: 'loading' }
  | { status: 'ready'; url: string; ownFile: boolean }
  | { status: 'none' };

/** Whether the preview is the file itself, so that it can be redrawn. */
export const isOwnFile = (preview: Preview) => preview.status === 'ready' && preview.ownFile;
