/** Input and output types of the engine. */

/** Pixels of the picture after its EXIF orientation, origin at the top left. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A point in the same pixels. */
export interface Point {
  x: number;
  y: number;
}

export interface Word {
  text: string;
  /** 0 to 1: the calibrated probability that the word is correct. */
  confidence: number;
  box: Box;
  /**
   * Its four corners in reading direction, clockwise from the top left, in whole pixels. Absent for a horizontal word,
   * whose corners are those of the box.
   */
  polygon?: Point[];
  /** Other readings, corrected like the text: at most three, the likeliest first. Absent if there is none. */
  readings?: string[];
  /** Ruby in the order of the text, which has it in brackets after the annotated part: "猫（ねこ）". */
  ruby?: Ruby[];
}

/** The pronunciation of a part of a word, printed small above it or, in vertical text, to its right. */
export interface Ruby {
  text: string;
  /** 0 to 1: the probability that it is correct. */
  confidence: number;
  /** The annotated part of the word's text, in UTF-16 units. */
  from: number;
  to: number;
}

export interface Line {
  text: string;
  /** 0 to 1: the expected share of the line's words that are correct. */
  confidence: number;
  box: Box;
  /** Lines of one paragraph share its number; numbers rise in reading order. */
  paragraph: number;
  words: Word[];
}

/** Text that filtering hid. `at` gives its place, as the contract's `hiddenTextSchema` does. */
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

/** A cell of a table: its first row and column, counted from 0, and its span in each. */
export interface LayoutCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** Around the cell, not around its words: neighbors touch. */
  box: Box;
  /** 0 to 1: the probability that its words are correct and in this cell; for an empty cell, that it is empty. */
  confidence: number;
  /** In reading order; empty in an empty cell. */
  words: WordRun[];
}

export interface LayoutTable {
  box: Box;
  /** 0 to 1: the expected share of its cells that are correct. */
  confidence: number;
  rows: number;
  /** Counted in reading direction: from the right where the text runs from right to left. */
  columns: number;
  /** Rows at its top with column titles. */
  headerRows: number;
  /** Row by row; together they fill the table, and none overlaps another. */
  cells: LayoutCell[];
}

/** Consecutive lines: from the one at `from` up to the one before `to`. */
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
  /** Its marker as read: a bullet, a number or a letter. It is the first word of its first line. */
  mark: string;
  lines: LineRun;
  box: Box;
  confidence: number;
}

/** A form field: its label and its value. */
export interface LayoutField {
  label: WordRun[];
  /** Empty if the field was not filled in. */
  value: WordRun[];
  box: Box;
  confidence: number;
}

/** The layout of the page. It refers to `Recognition.lines`; a page without layout has empty lists. */
export interface Layout {
  tables: LayoutTable[];
  headings: LayoutHeading[];
  listItems: LayoutListItem[];
  fields: LayoutField[];
  /** Lines indented from the others around them, in steps; lines without indentation are left out. */
  indents: { line: number; steps: number }[];
}

/** A region with text that was not read. */
export interface UnreadRegion {
  /** Whole pixels of the original picture. */
  box: Box;
  /** `other_script`: the script is not among those of the chosen languages; `no_reading`: no word was recognized. */
  why: 'other_script' | 'no_reading';
  /** The English name of its script, such as `Chinese`, if that is the reason. */
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
  /** One line, ready to show to a user. */
  message: string;
}

export interface Recognition {
  /** Lines in reading order, joined by line breaks, with an empty line between paragraphs. */
  text: string;
  /** 0 to 1: the expected share of the words that are correct; 0 without words. */
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
    /** Degrees clockwise by which the picture was rotated for recognition. */
    rotation: number;
  };
  /** Tesseract language codes joined by `+`, such as `eng` or `deu+eng`. */
  language: string;
  /** The likely language of the text if it is none of the chosen ones: a code of the same kind. */
  likelyLanguage?: string;
  notices: Notice[];
  durationMs: number;
}

export type Stage =
  | { name: 'queued' }
  /**
   * The data of a language is being fetched, for the first picture that needs it. Received and total bytes of its package.
   */
  | { name: 'fetching-language'; language: string; received: number; of: number }
  | { name: 'decoding' }
  | { name: 'finding-lines' }
  | { name: 'reading'; line: number; of: number }
  | { name: 'ordering' };

/** Milliseconds of a picture in each stage of its reading, up to its end or failure. */
export type StageTimes = Partial<Record<Exclude<Stage['name'], 'queued' | 'fetching-language'>, number>>;

/** The origin of a picture, for monitoring: named in reports, and passed on unchanged. */
export interface Origin {
  /** Of the request that brought it. */
  requestId: string;
  /** W3C trace context of the surrounding operation. */
  traceparent?: string | undefined;
}

/** Internal figures of a picture, for the operator: never its text. */
export interface PictureReport {
  /** Until it was last started; undefined if it never was. Milliseconds. */
  waitedMs: number | undefined;
  /** From its start to its answer; undefined also where another machine worked on it. Milliseconds. */
  workedMs: number | undefined;
  stages: StageTimes;
  /** Id of the last process that worked on it, if that runs on this machine. */
  pid: number | undefined;
}

/** Higher numbers run first; `job`: no user waits for a page of it. */
export const PRIORITY = { job: -20, preview: -10, free: 0, premium: 10 } as const;

export interface RecognizeOptions {
  /**
   * Page of a document to read, counted from 1. With a page number, PDFs and all pages of TIFFs are accepted; without one, a
   * PDF is refused as `unsupported`, and of a TIFF the first page is read. A picture has one page.
   */
  page?: number;
  /**
   * Codes of `Engine.languages()`; default `['eng']`, at most five. With several, such as `['deu', 'eng']`, each line is read
   * in the language that fits best; the first one has the highest weight, and each further one makes reading slower.
   */
  languages?: readonly string[];
  /** Hide interface elements and noise; default true. */
  filter?: boolean;
  /** Read lines with a doubtful word once more, in several views, if the script has two recognizers; default false. */
  thorough?: boolean;
  priority?: number;
  /** Owner of the picture: in a queue that several machines share, senders take turns. */
  sender?: string;
  signal?: AbortSignal;
  onStage?: (stage: Stage) => void;
  origin?: Origin;
  /** Called once, just before the answer, for every picture that was not refused on arrival. */
  onReport?: (report: PictureReport) => void;
}

/** `idle` before the first start, `pausing` between failures and the next start. */
export type EngineState = 'idle' | 'starting' | 'ready' | 'pausing' | 'closing';

/**
 * Layers of the sandbox of the recognition process: no network; no other files; no access to other processes and their
 * environments; no privileges; a separate user; a memory limit.
 */
export type ConfinementLayer = 'network' | 'files' | 'processes' | 'privileges' | 'user' | 'memory';

export interface ConfinementReport {
  on: ConfinementLayer[];
  /** With the reason, for the operator. */
  off: Partial<Record<ConfinementLayer, string>>;
}

/** Status of a running engine, for health checks and tests. */
export interface EngineStatus {
  state: EngineState;
  /** Of the recognition process; undefined while there is none. */
  pid: number | undefined;
  /** Pictures that are not in progress yet. */
  waiting: number;
  /** The same by priority. */
  waitingBy: Readonly<Record<keyof typeof PRIORITY, number>>;
  /** Undefined until the first start. */
  confinement: ConfinementReport | undefined;
}

/** A language, or all languages of one script. */
export interface Language {
  /** Tesseract's name for it, such as `deu` or `chi_sim`, as `RecognizeOptions.languages` takes it. */
  code: string;
  /** In English, such as `German`; the code where no name is known. */
  name: string;
  /** In the language itself, such as `Deutsch`. */
  nativeName: string;
  /** BCP 47, for `lang` attributes and `Intl`: `de`, `zh-Hans`; `und-Cyrl` for all languages of a script. */
  tag: string;
  /** ISO 15924, such as `Latn`; `Zyyy` if it is unknown. */
  script: string;
  direction: 'ltr' | 'rtl';
  /** Vertical text in columns, the first one on the right. */
  vertical: boolean;
  /** Its data is not installed, and is fetched on first use. */
  onDemand?: true;
}

export interface PreviewOptions {
  /** See `RecognizeOptions`. */
  page?: number;
  /** As `RecognizeOptions` has it. */
  sender?: string;
  signal?: AbortSignal;
  /**
   * Called once with the milliseconds of work on the picture, when the work ends: before the answer, or after it on an abort.
   * Not called for a picture that never started.
   */
  onWorked?: (milliseconds: number) => void;
  origin?: Origin;
  /** As `RecognizeOptions` has it. */
  onReport?: (report: PictureReport) => void;
}

/** One page of a document, upright. */
export interface PageSize {
  width: number;
  height: number;
  /** Whether it contains text besides pixels, like a PDF from a program or with a text layer. */
  hasText: boolean;
}

export interface PageList {
  /** Unit of the sizes: points of a PDF (72 per inch), pixels of a picture. */
  unit: 'point' | 'pixel';
  /** At least one. */
  pages: PageSize[];
}

export type PagesOptions = Pick<RecognizeOptions, 'priority' | 'sender' | 'signal' | 'origin' | 'onReport'> &
  Pick<PreviewOptions, 'onWorked'>;

export interface Engine {
  /**
   * Reads one encoded picture. The buffer is transferred and must not be used afterwards.
   * @throws {OcrError} with a code of `OCR_ERRORS`; never resolves to an empty result on failure.
   */
  recognize(picture: Uint8Array, options?: RecognizeOptions): Promise<Recognition>;
  /**
   * A PNG of the picture, upright and at most `maxSide` pixels on its longer side, for formats a browser cannot show. It runs
   * after every picture that is to be read, and has a shorter time limit.
   * @throws {OcrError}
   */
  preview(picture: Uint8Array, maxSide: number, options?: PreviewOptions): Promise<Uint8Array>;
  /**
   * The pages of a document: a PDF, a TIFF, or a picture, which has one. Only headers are decoded.
   * @throws {OcrError} among others `encrypted`, `too_many_pages`
   */
  pages(document: Uint8Array, options?: PagesOptions): Promise<PageList>;
  /** The languages that pictures can be read in now, by English name; the folders are read on each call. */
  languages(): Promise<Language[]>;
  /** Resolves once a picture can be read; rejects with `OcrError` when the engine cannot start. */
  ready(): Promise<void>;
  /** The current status. Reading it costs nothing and starts nothing. */
  status(): EngineStatus;
  /** Lets pictures in progress finish, refuses new ones with `stopping`, and ends the process. */
  close(): Promise<void>;
}
