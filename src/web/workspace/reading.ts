import type { Extraction } from '#contract/extraction';
import type { PictureEdit } from './image/redraw-picture.ts';
import type { TextState, TextWork } from './text/text-history.ts';

export interface ReadingOptions {
  useFiltering: boolean;
  /** Language codes, main language first. Empty for English. */
  languages: readonly string[];
  /** Whether to detect the language: a text in another language than `languages` is read again in that one. */
  findsLanguage?: boolean;
}

/** One press of the button. A retry after a lost connection keeps both IDs, so that it is counted once. */
export interface Attempt extends ReadingOptions {
  /** The ID of the server's progress events. */
  extractionId: string;
  idempotencyKey: string;
  /** The text is embedded in the PDF. Nothing was sent. */
  fromDocument?: boolean;
  /** A sample with a recorded text. Nothing was sent, and its picture is not read again. */
  isSample?: boolean;
  /** The picture was read on this device. Nothing was sent. */
  onDevice?: boolean;
}

/** A chosen picture. `number` is new for every choice, even of the same file. */
export interface ChosenPicture {
  file: File;
  number: number;
  /** Edits of the picture before it is read. */
  edit?: PictureEdit;
}

export interface RecognitionResult {
  picture: ChosenPicture;
  attempt: Attempt;
  extraction: Extraction;
  /** Earlier edits of the text; null for a new reading. */
  work: TextWork | null;
}

/**
 * The detected language codes, main language first. Empty if the user chose the language or the detection is not
 * certain.
 */
export const detectedLanguages = ({
  attempt,
  extraction,
}: Pick<RecognitionResult, 'attempt' | 'extraction'>): string[] =>
  attempt.findsLanguage && extraction.wordCount > 0 && !extraction.likelyLanguage
    ? extraction.language.split('+')
    : [];

/** The extraction with the edited tables; unchanged without any. */
export const withTables = (extraction: Extraction, tables: TextState['tables']): Extraction =>
  tables && extraction.layout
    ? { ...extraction, layout: { ...extraction.layout, tables: [...tables] } }
    : extraction;

/**
 * The preview of a picture: a URL, `loading`, or `none` if the browser cannot show it. `ownFile`: the URL is of the chosen
 * file itself.
 */
export type Preview =
  | { status: 'loading' }
  | { status: 'ready'; url: string; ownFile: boolean }
  | { status: 'none' };

/** Whether the preview is the chosen file itself, which can then be cropped and drawn. */
export const isOwnFile = (preview: Preview) => preview.status === 'ready' && preview.ownFile;
