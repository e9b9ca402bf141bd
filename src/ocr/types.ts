/** What goes into the engine and what comes out of it. */

/** Pixels of the picture as a person sees it (EXIF orientation applied), origin at the top left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Word {
  text: string;
  /** 0 to 1: the chance that the word is right. */
  confidence: number;
  box: Box;
  /** What else it could say, spelled as the text is: at most three, the likelier ones first. Absent where there is none. */
  readings?: string[];
}

export interface Line {
  text: string;
  /** 0 to 1: the expected share of the line's words that are right. */
  confidence: number;
  box: Box;
  /** Lines of one paragraph share its number; numbers rise in reading order. */
  paragraph: number;
  words: Word[];
}

/** Text that filtering left out. `at` says where it belongs, as the contract's `hiddenTextSchema` does. */
export interface HiddenText {
  text: string;
  confidence: number;
  box: Box;
  reason: 'interface' | 'icon' | 'noise';
  at: { line: number; word: number | null };
}

/** Words of one line of `Recognition.lines`, from the one at `from` up to the one before `to`. */
export interface WordRun {
  line: number;
  from: number;
  to: number;
}

/** A place of a table: it begins in this row and column, counted from 0, and takes up so many of each. */
export interface LayoutCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** Around the cell, not the words in it: neighbours touch. */
  box: Box;
  /** 0 to 1: the chance that its words are right and stand in the right place; of an empty one, that it is empty. */
  confidence: number;
  /** In the order of reading; none in a cell that is empty. */
  words: WordRun[];
}

export interface LayoutTable {
  box: Box;
  /** 0 to 1: the expected share of its cells that are right. */
  confidence: number;
  rows: number;
  /** Counted in the direction of reading: from the right where the text runs from right to left. */
  columns: number;
  /** Rows at its top that say what the columns hold. */
  headerRows: number;
  /** Row by row; together they fill the table, and none lies on another. */
  cells: LayoutCell[];
}

/** Lines one after another: from the one at `from` up to the one before `to`. */
export interface LineRun {
  from: number;
  to: number;
}

export interface LayoutHeading {
  /** 1 for the topmost; at most 6. */
  level: number;
  lines: LineRun;
  box: Box;
  /** 0 to 1. */
  confidence: number;
}

export interface LayoutListItem {
  /** 1 for an item of the outermost list. */
  level: number;
  /** What opens it, as it was read: a bullet, a number, a letter. It is the first word of its first line. */
  mark: string;
  lines: LineRun;
  box: Box;
  confidence: number;
}

/** What a form asks for, and what stands there. */
export interface LayoutField {
  label: WordRun[];
  /** None where nothing was filled in. */
  value: WordRun[];
  box: Box;
  confidence: number;
}

/** How the text lies on the page. All is told of `Recognition.lines`; a page without it has empty lists. */
export interface Layout {
  tables: LayoutTable[];
  headings: LayoutHeading[];
  listItems: LayoutListItem[];
  fields: LayoutField[];
  /** Lines that begin further in than the others around them, in steps; those that do not are left out. */
  indents: { line: number; steps: number }[];
}

/** A place with text that was not read. */
export interface UnreadRegion {
  /** Whole pixels of the picture as it came. */
  box: Box;
  /** `other_script`: its letters are none that the text was read in; `no_reading`: nothing came of it. */
  why: 'other_script' | 'no_reading';
  /** The English name of its script, such as `Chinese`, where that is the reason. */
  script?: string;
}

export type NoticeCode =
  | 'no_text'
  | 'turned'
  | 'straightened'
  | 'scaled_down'
  | 'incomplete'
  | 'too_small'
  | 'blurred'
  | 'first_frame'
  | 'other_language'
  | 'unread';

export interface Notice {
  code: NoticeCode;
  /** One line, ready to show a person. */
  message: string;
}

export interface Recognition {
  /** Lines in reading order, joined by line breaks; an empty line stands between paragraphs. */
  text: string;
  /** 0 to 1: the expected share of the words that are right; 0 when there are none. */
  confidence: number;
  lines: Line[];
  hidden: HiddenText[];
  /** Places with text that was not read. */
  unread: UnreadRegion[];
  layout: Layout;
  image: {
    /** Pixels, EXIF orientation applied. */
    width: number;
    height: number;
    /** Degrees clockwise by which the picture was turned to read it. */
    rotation: number;
  };
  /** Tesseract language codes joined by `+`, such as `eng` or `deu+eng`. */
  language: string;
  /** The language that the text looks to be in, where that is none of those it was read in: a code of that kind. */
  likelyLanguage?: string;
  notices: Notice[];
  durationMs: number;
}

export type Stage =
  | { name: 'queued' }
  /** The data of a language is on its way here, for the first picture that asks for it. Bytes, of those of its package. */
  | { name: 'fetching-language'; language: string; received: number; of: number }
  | { name: 'decoding' }
  | { name: 'finding-lines' }
  | { name: 'reading'; line: number; of: number }
  | { name: 'ordering' };

/** Milliseconds that a picture spent in each stage of its reading, as far as it came. */
export type StageTimes = Partial<Record<Exclude<Stage['name'], 'queued' | 'fetching-language'>, number>>;

/** Whose picture it is, for whoever watches over the work: named in reports, and handed on as it is. */
export interface Origin {
  /** Of the request that brought it. */
  requestId: string;
  /** W3C trace context of the work that it is a part of. */
  traceparent?: string | undefined;
}

/** What became of a picture inside, for the operator's eyes: never its text. */
export interface PictureReport {
  /** Until it was last taken up; undefined if it never was. Milliseconds. */
  waitedMs: number | undefined;
  /** From then to its answer; undefined also where another machine worked on it. Milliseconds. */
  workedMs: number | undefined;
  stages: StageTimes;
  /** Of the process that worked on it last, if that runs on this machine. */
  pid: number | undefined;
}

/** Higher numbers run first; `job`: nobody waits in front of a page for it. */
export const PRIORITY = { job: -20, preview: -10, free: 0, premium: 10 } as const;

export interface RecogniseOptions {
  /**
   * Which page of a document is read, counted from 1. Whoever names one may hand in a PDF, or any page of a TIFF; without it a
   * PDF is refused as `unsupported`, and of a TIFF its first page is read. A picture has one page.
   */
  page?: number;
  /**
   * Codes of `Engine.languages()`; default `['eng']`, at most five. With several, such as `['deu', 'eng']`, each line is
   * read in whichever fits it best; the first one weighs most, and each further one makes reading slower.
   */
  languages?: readonly string[];
  /** Hide interface elements and noise; default true. */
  filter?: boolean;
  /** Read lines with a doubtful word once more, in several views, where the script has two recognizers; default false. */
  thorough?: boolean;
  priority?: number;
  /** Whose picture it is: where the pictures of many machines wait in one queue, senders take turns. */
  sender?: string;
  signal?: AbortSignal;
  onStage?: (stage: Stage) => void;
  origin?: Origin;
  /** Told once, just before the answer, of every picture that was not refused at the door. */
  onReport?: (report: PictureReport) => void;
}

/** `idle` before the first start, `pausing` between failures and the next start. */
export type EngineState = 'idle' | 'starting' | 'ready' | 'pausing' | 'closing';

/**
 * Walls around the process that decodes and recognises: no network; no files but its own; no sight of other processes and
 * what they were told; no privileges; a user of its own; a limit to its memory.
 */
export type ConfinementWall = 'network' | 'files' | 'processes' | 'privileges' | 'user' | 'memory';

export interface ConfinementReport {
  on: ConfinementWall[];
  /** With the reason, for the operator's eyes. */
  off: Partial<Record<ConfinementWall, string>>;
}

/** What an operator's health page and a test may know of a running engine. */
export interface EngineStatus {
  state: EngineState;
  /** Of the recognising process; undefined while there is none. */
  pid: number | undefined;
  /** Pictures that are not in work yet. */
  waiting: number;
  /** The same by priority. */
  waitingBy: Readonly<Record<keyof typeof PRIORITY, number>>;
  /** Undefined until the first start. */
  confinement: ConfinementReport | undefined;
}

/** A language, or all languages of one script. */
export interface Language {
  /** Tesseract's name for it, such as `deu` or `chi_sim`: what `RecogniseOptions.languages` takes. */
  code: string;
  /** In English, such as `German`; the code where nothing better is known. */
  name: string;
  /** In the language itself, such as `Deutsch`. */
  nativeName: string;
  /** BCP 47, for `lang` attributes and `Intl`: `de`, `zh-Hans`; `und-Cyrl` for all languages of a script. */
  tag: string;
  /** ISO 15924, such as `Latn`; `Zyyy` where it is not known. */
  script: string;
  direction: 'ltr' | 'rtl';
  /** Read in columns that run downwards, the first one on the right. */
  vertical: boolean;
  /** Its data is not here, and is fetched when it is first asked for. */
  onDemand?: true;
}

export interface PreviewOptions {
  /** As `RecogniseOptions` has it. */
  page?: number;
  /** As `RecogniseOptions` has it. */
  sender?: string;
  signal?: AbortSignal;
  /**
   * Told once how many milliseconds were worked on the picture, when it is let go of: before the answer, or after it
   * where the picture was given up. Not told of a picture that was never begun.
   */
  onWorked?: (milliseconds: number) => void;
  origin?: Origin;
  /** As `RecogniseOptions` has it. */
  onReport?: (report: PictureReport) => void;
}

/** One page of a document, upright. */
export interface PageSize {
  width: number;
  height: number;
  /** Whether it holds text besides pixels, as a PDF that was written or read before does. */
  hasText: boolean;
}

export interface PageList {
  /** What sizes are told in: points of a PDF (72 an inch), pixels of a picture. */
  unit: 'point' | 'pixel';
  /** At least one. */
  pages: PageSize[];
}

export type PagesOptions = Pick<RecogniseOptions, 'priority' | 'sender' | 'signal' | 'origin' | 'onReport'> &
  Pick<PreviewOptions, 'onWorked'>;

export interface Engine {
  /**
   * Reads one encoded picture. Its bytes are handed over: the buffer must not be used afterwards.
   * @throws {OcrError} with a code of `OCR_ERRORS`; never resolves to an empty result on failure.
   */
  recognise(picture: Uint8Array, options?: RecogniseOptions): Promise<Recognition>;
  /**
   * A PNG of the picture, upright and at most `maxSide` pixels on its longer side, for formats a browser cannot show.
   * It comes after every picture that is to be read, and may take less time.
   * @throws {OcrError}
   */
  preview(picture: Uint8Array, maxSide: number, options?: PreviewOptions): Promise<Uint8Array>;
  /**
   * What pages a document has: a PDF, a TIFF, or a picture, which has one. Nothing is decoded but what tells.
   * @throws {OcrError} among others `encrypted`, `too_many_pages`
   */
  pages(document: Uint8Array, options?: PagesOptions): Promise<PageList>;
  /** What pictures can be read in now, by English name; the folders are looked at anew on each call. */
  languages(): Promise<Language[]>;
  /** Resolves once a picture can be read; rejects with `OcrError` when the engine cannot come up. */
  ready(): Promise<void>;
  /** How it is at this moment. Looking costs nothing and starts nothing. */
  status(): EngineStatus;
  /** Lets running pictures finish, refuses new ones with `stopping`, and ends the process. */
  close(): Promise<void>;
}
