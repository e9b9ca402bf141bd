import { PROGRESS_INTERVAL_MS } from '#contract/product';
import { createStore } from '../../../state/create-store.ts';
import { dismiss, toast } from '../../../ui/toast/toast-store.ts';
import type { Attempt, ReadingOptions } from '../../../workspace/reading.ts';
import type { Uploads } from '../upload/image-upload.ts';
import {
  connectionLost,
  type ExtractionAnswer,
  type ExtractionEvent,
  type ExtractionState,
} from './extraction-state.ts';
import { NO_FILE, type Rejection, type Remedy, rejectionOf } from './image-file.ts';
import {
  type ItemsEvent,
  type ItemsState,
  initialItems,
  itemsReducer,
  type List,
  SHOWN,
} from './items-state.ts';

type FileProblems = typeof import('../choose/file-problems.ts');
type SentUploads = Pick<Uploads, 'read' | 'again' | 'leave'> & {
  prepare: (id: string, file: File) => unknown;
};

/** Code that is loaded when it is needed. */
export interface ItemsDependencies {
  /** Prepares and sends pictures. */
  loadUpload: () => Promise<{
    Uploads: new (tell: (id: string, event: ExtractionEvent) => void) => SentUploads;
    loadCall: () => Promise<unknown>;
  }>;
  /** Inspects files and repairs them. */
  loadFileProblems: () => Promise<Pick<FileProblems, 'inspect' | 'applyRemedy'>>;
  /** Shows a result. */
  loadWorkspace: () => Promise<unknown>;
  /** Stores what waits, from now on. */
  keep: (items: Items) => Promise<unknown>;
}

/** Code that is loaded ahead of need: a failure occurs again, and is reported, when it is needed. */
const aheadOfNeed = (loading: Promise<unknown>) => void loading.catch(() => {});

export const newAttempt = ({ useFiltering, languages, findsLanguage = false }: ReadingOptions): Attempt => ({
  extractionId: crypto.randomUUID(),
  idempotencyKey: crypto.randomUUID(),
  useFiltering,
  languages,
  findsLanguage,
});

/** After a lost connection the same attempt again, so that it is counted once; otherwise a new one. */
export const attemptFor = (state: ExtractionState, options: ReadingOptions): Attempt =>
  state.status === 'failed' && state.failure.status === null ? state.attempt : newAttempt(options);

/** A sample is no picture of the visitor's. */
const isSample = (shown: ExtractionState) => shown.status === 'result' && shown.attempt.isSample;

/**
 * All pictures of the tool, and what can be done with them: the one that is shown, and those of a list. Each picture
 * goes through the same phases and is sent in the same way; `Batch` decides when it is the turn of one in a list.
 */
export class Items {
  readonly #store = createStore<ItemsState>(initialItems);
  readonly #dependencies: ItemsDependencies;
  /** What aborts the reading of an item, by its id. */
  readonly #runs = new Map<string, AbortController>();
  #uploads: SentUploads | null = null;
  #latestFile: File | null = null;
  #isKept = false;
  #person: string | null | undefined;

  constructor(dependencies: ItemsDependencies) {
    this.#dependencies = dependencies;
  }

  readonly state = this.#store.get;
  readonly subscribe = this.#store.subscribe;
  readonly observe = this.#store.observe;

  #dispatch(event: ItemsEvent): void {
    this.#store.set(itemsReducer(this.state(), event));
  }

  tell(id: string, event: ExtractionEvent): void {
    this.#dispatch({ type: 'event', id, event });
  }

  setList(list: List | null): void {
    this.#dispatch({ type: 'listed', list });
    this.#keep();
  }

  setFiltering(useFiltering: boolean): void {
    this.#dispatch({ type: 'filtered', useFiltering });
  }

  /** Quota and session errors belong to the former user. */
  personIs(person: string | null | undefined): void {
    if (person === this.#person) return;
    this.#person = person;
    this.#dispatch({ type: 'person-changed' });
  }

  /** Sends a picture and reports its progress. Resolves with the answer; null if it was left before. Never rejects. */
  async read(id: string, file: File, attempt: Attempt, part?: File): Promise<ExtractionAnswer | null> {
    const leaving = new AbortController();
    const { signal } = leaving;
    this.#runs.get(id)?.abort();
    this.#runs.set(id, leaving);
    this.tell(id, { type: 'started', attempt, part });
    const ticks = setInterval(() => this.tell(id, { type: 'ticked' }), PROGRESS_INTERVAL_MS);
    signal.addEventListener('abort', () => clearInterval(ticks));
    try {
      const uploads = await this.#loadUploads();
      return signal.aborted ? null : await uploads.read(id, file, attempt, leaving);
    } catch {
      if (signal.aborted) return null;
      leaving.abort();
      this.tell(id, { type: 'failed', failure: connectionLost });
      return { ok: false, failure: connectionLost };
    }
  }

  async #loadUploads(): Promise<SentUploads> {
    const { Uploads } = await this.#dependencies.loadUpload();
    this.#uploads ??= new Uploads((id, event) => this.tell(id, event));
    return this.#uploads;
  }

  /** Sends it again in parallel with the pending request. */
  again(id = SHOWN): void {
    this.#uploads?.again(id);
  }

  /** Aborts what is under way, and frees what was prepared. */
  leave(id: string): void {
    this.#runs.get(id)?.abort();
    this.#uploads?.leave(id);
  }

  /** The page is left: nothing is sent in the background. A picture that was being read waits again. */
  pause(): void {
    for (const id of [SHOWN, ...this.#runs.keys()]) this.leave(id);
    this.tell(SHOWN, { type: 'cancelled' });
    const { shown } = this.state();
    if (shown.status === 'result') this.setFiltering(shown.attempt.useFiltering);
  }

  /** What is wrong with a file, or worth knowing about it, with a remedy if there is one; null for an image. */
  async inspect(file: File): Promise<Rejection | null> {
    const refused = rejectionOf(file);
    return this.#dependencies.loadFileProblems().then(
      ({ inspect }) => inspect(file, refused),
      () => refused,
    );
  }

  /** Applies the remedy of a refused file. Returns the repaired file; null if that failed, which is reported. */
  async repair(id: string, problem: Rejection, remedy: Remedy): Promise<File | null> {
    const busy = { ...problem, remedy: { ...remedy, underWay: 'One moment...' } };
    this.tell(id, { type: 'rejected', problem: busy });
    const made = await (await this.#dependencies.loadFileProblems()).applyRemedy(remedy);
    if (made instanceof File) return made;
    this.tell(id, { type: 'explained', problem: busy, more: { remedy, ...made } });
    return null;
  }

  reject(problem: Rejection): void {
    this.tell(SHOWN, { type: 'rejected', problem });
    const { title, description } = problem;
    toast({ title, description, variant: 'destructive' });
  }

  /** Resolves with the file itself if it is a document whose pages are to be opened instead. */
  async choose(file: File): Promise<File | null> {
    this.#latestFile = file;
    // A document is no image, but its pages can be read: no message before that is known.
    const isRefused = rejectionOf(file) !== null;
    if (!isRefused) {
      dismiss();
      this.show({ type: 'chosen', file });
      this.#keep();
      aheadOfNeed(
        this.#loadUploads().then((uploads) => this.#latestFile === file && uploads.prepare(SHOWN, file)),
      );
      aheadOfNeed(this.#dependencies.loadUpload().then(({ loadCall }) => loadCall()));
      aheadOfNeed(this.#dependencies.loadWorkspace());
    }
    const problem = await this.inspect(file);
    if (!problem || this.#latestFile !== file) return null;
    // A picture that is being read is left alone; its pages are offered instead.
    const isStarted = !isRefused && this.state().shown.status !== 'selected';
    if (problem.remedy?.kind === 'open-pages' && !isStarted) return file;
    // Only a warning where the file is accepted: the server decides what it reads.
    if (isRefused) this.reject(problem);
    else this.tell(SHOWN, { type: 'rejected', problem });
    return null;
  }

  /** @param part of the shown picture, read as a picture of its own; the text stays until there is another */
  async extract(options: ReadingOptions, part?: File): Promise<ExtractionAnswer | null> {
    const { shown } = this.state();
    if (shown.status === 'idle' || isSample(shown)) this.reject(NO_FILE);
    else if (shown.status !== 'processing')
      return this.#readShown(part ?? shown.picture.file, newAttempt(options), part);
    return null;
  }

  async retry(): Promise<ExtractionAnswer | null> {
    const { shown } = this.state();
    if (shown.status !== 'failed') return null;
    return this.#readShown(shown.picture.file, attemptFor(shown, shown.attempt));
  }

  #readShown(file: File, attempt: Attempt, part?: File): Promise<ExtractionAnswer | null> {
    // The message about the last press is out of date.
    dismiss();
    return this.read(SHOWN, file, attempt, part);
  }

  /** Something else is shown: what was being read for it is left. */
  show(event: Extract<ExtractionEvent, { type: 'chosen' | 'cancelled' | 'reset' | 'opened' }>): void {
    this.#runs.get(SHOWN)?.abort();
    this.tell(SHOWN, event);
  }

  #keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    this.#dependencies.keep(this).catch(() => {
      this.#isKept = false;
    });
  }
}
