/*
 * Types of the API's responses. `tests/package/typescript-client.test.ts` has the compiler compare these with the contract.
 * Boxes are in pixels of the upright image; confidences are percents, 0 to 100.
 */

export type Format = 'json' | 'text' | 'markdown' | 'hocr' | 'alto' | 'pdf' | 'csv' | 'xlsx' | 'docx';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Word {
  text: string;
  confidence: number;
  box: Box;
  /** The four corners of a rotated word, clockwise from the top left in reading direction. */
  polygon?: Point[] | undefined;
  /** Of a doubtful word: other readings, the likelier ones first. */
  readings?: string[] | undefined;
  /** Small pronunciation above ideographs; `text` has it in brackets: "猫（ねこ）". */
  ruby?: Ruby[] | undefined;
}

/** The pronunciation of a part of a word, `[from, to)` in UTF-16 units of its text. */
export interface Ruby {
  text: string;
  confidence: number;
  from: number;
  to: number;
}

export interface Line {
  text: string;
  confidence: number;
  box: Box;
  /** Lines of one paragraph share its number. */
  paragraph: number;
  words: Word[];
}

export interface HiddenText {
  text: string;
  confidence: number;
  box: Box;
  reason: 'interface' | 'icon' | 'noise';
  at: { line: number; word: number | null };
}

/** Words of a line, from `from` up to the one before `to`. */
export interface WordRun {
  line: number;
  from: number;
  to: number;
}

/** Lines, from `from` up to the one before `to`. */
export interface LineRun {
  from: number;
  to: number;
}

export interface Table {
  box: Box;
  confidence: number;
  rows: number;
  columns: number;
  headerRows: number;
  cells: {
    row: number;
    column: number;
    rowSpan: number;
    columnSpan: number;
    box: Box;
    confidence: number;
    words: WordRun[];
  }[];
}

export interface Layout {
  tables: Table[];
  headings: { level: number; lines: LineRun; box: Box; confidence: number }[];
  listItems: { level: number; mark: string; lines: LineRun; box: Box; confidence: number }[];
  fields: { label: WordRun[]; value: WordRun[]; box: Box; confidence: number }[];
  indents: { line: number; steps: number }[];
}

export interface Notice {
  code:
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
  message: string;
}

export interface Extraction {
  extractedText: string;
  wordCount: number;
  confidence: number;
  lines: Line[];
  hidden: HiddenText[];
  unread?: { box: Box; why: 'other_script' | 'no_reading'; script?: string | undefined }[] | undefined;
  layout?: Layout | undefined;
  image: { width: number; height: number; rotation: number };
  language: string;
  likelyLanguage?: { code: string; name: string } | undefined;
  durationMs: number;
  notices: Notice[];
}

export interface Language {
  code: string;
  name: string;
  allowed: boolean;
  installed: boolean;
}

export interface Usage {
  imageCount: number;
  dailyLimit: number;
  period: 'day' | 'month';
  resetsAt: string;
}

export type State = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

export interface Counts {
  total: number;
  queued: number;
  running: number;
  done: number;
  failed: number;
  cancelled: number;
}

export interface JobSummary {
  id: string;
  state: State;
  error?: string | undefined;
  createdAt: string;
  endedAt: string | null;
  resultUntil: string | null;
  files: number;
  counts: Counts;
}

export interface JobPage {
  number: number;
  file: number;
  page: number;
  state: State;
  error?: string | undefined;
}

export interface Delivery {
  url: string;
  state: 'waiting' | 'delivered' | 'given_up';
  tries: number;
  lastTryAt: string | null;
  lastStatus: number | null;
  lastError:
    | 'address_refused'
    | 'unreachable'
    | 'timed_out'
    | 'redirected'
    | 'refused'
    | 'secret_missing'
    | null;
  nextTryAt: string | null;
}

export interface Job extends JobSummary {
  pages: JobPage[];
  webhook: Delivery | null;
}

export interface JobResult {
  id: string;
  pages: { number: number; file: number; page: number; result: Extraction }[];
}

export interface WebhookEvent {
  type: 'job.done' | 'job.failed';
  timestamp: string;
  data: { id: string; state: 'done' | 'failed'; error?: string | undefined; counts: Counts; url: string };
}
