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
type SentUploads = Pick<Uploads, 'read' | 'resend' | 'discard'> & {
  prepare: (id: string, file: File) => unknown;
};

/** Functions that load code when it is needed. */
export interface ItemsDependencies {
  /** Loads the code that prepares and sends pictures. */
  loadUpload: () => Promise<{
    Uploads: new (notify: (id: string, event: ExtractionEvent) => void) => SentUploads;
    loadCall: () => Promise<unknown>;
  }>;
  /** Loads the code that inspects and repairs files. */
  loadFileProblems: () => Promise<Pick<FileProblems, 'inspect' | 'applyRemedy'>>;
  /** Loads the code that shows a result. */
  loadWorkspace: () => Promise<unknown>;
  /** Loads the code that stores waiting files, and starts it. */
  startStoring: (items: Items) => Promise<unknown>;
}

/** Ignores the failure of a preload: it occurs again, and is reported, when the code is needed. */
const preload = (loading: Promise<unknown>) => void loading.catch(() => {});

export const newAttempt = ({ useFiltering, languages, findsLanguage = false }: ReadingOptions): Attempt => ({
  extractionId: crypto.randomUUID(),
  idempotencyKey: crypto.randomUUID(),
  useFiltering,
  languages,
  findsLanguage,
});

/** After a lost connection the same attempt, so that it is counted once; otherwise a new attempt. */
export const attemptFor = (state: ExtractionState, options: ReadingOptions): Attempt =>
  state.status === 'failed' && state.failure.status === null ? state.attempt : newAttempt(options);

/** Whether a sample is shown, which cannot be extracted. */
const isSample = (shown: ExtractionState) => shown.status === 'result' && shown.attempt.isSample;

/**
 * The pictures of the tool, the shown one and those of a list, and the actions on them. All pictures go through the same
 * phases and are sent in the same way; `Batch` decides when the pictures of a list are sent.
 */
export class Items {
  readonly #store = createStore<ItemsState>(initialItems);
  readonly #dependencies: ItemsDependencies;
  /** The abort controllers of running readings by the ids of their items. */
  readonly #runs = new Map<string, AbortController>();
  #uploads: SentUploads | null = null;
  #latestFile: File | null = null;
  #isStoring = false;
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

  notify(id: string, event: ExtractionEvent): void {
    this.#dispatch({ type: 'event', id, event });
  }

  setList(list: List | null): void {
    this.#dispatch({ type: 'listed', list });
    this.#startStoring();
  }

  setFiltering(useFiltering: boolean): void {
    this.#dispatch({ type: 'filtered', useFiltering });
  }

  /** Clears quota and session errors if the user has changed, because they concerned the previous user. */
  setPerson(person: string | null | undefined): void {
    if (person === this.#person) return;
    this.#person = person;
    this.#dispatch({ type: 'person-changed' });
  }

  /** Sends a picture and reports its progress. Resolves with the outcome, or with null if it was cancelled. Never rejects. */
  async read(id: string, file: File, attempt: Attempt, part?: File): Promise<ExtractionAnswer | null> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#runs.get(id)?.abort();
    this.#runs.set(id, controller);
    this.notify(id, { type: 'started', attempt, part });
    const ticks = setInterval(() => this.notify(id, { type: 'ticked' }), PROGRESS_INTERVAL_MS);
    signal.addEventListener('abort', () => clearInterval(ticks));
    try {
      const uploads = await this.#loadUploads();
      return signal.aborted ? null : await uploads.read(id, file, attempt, controller);
    } catch {
      if (signal.aborted) return null;
      controller.abort();
      this.notify(id, { type: 'failed', failure: connectionLost });
      return { ok: false, failure: connectionLost };
    }
  }

  async #loadUploads(): Promise<SentUploads> {
    const { Uploads } = await this.#dependencies.loadUpload();
    this.#uploads ??= new Uploads((id, event) => this.notify(id, event));
    return this.#uploads;
  }

  /** Sends the request again in parallel with the pending one. */
  resend(id = SHOWN): void {
    this.#uploads?.resend(id);
  }

  /** Aborts the running request and discards the prepared picture. */
  cancel(id: string): void {
    this.#runs.get(id)?.abort();
    this.#uploads?.discard(id);
  }

  /** Cancels everything, because the user has left the page. A picture that was being read waits again. */
  pause(): void {
    for (const id of [SHOWN, ...this.#runs.keys()]) this.cancel(id);
    this.notify(SHOWN, { type: 'cancelled' });
    const { shown } = this.state();
    if (shown.status === 'result') this.setFiltering(shown.attempt.useFiltering);
  }

  /** The problem of a refused file, or a warning about an accepted one, with a remedy if there is one; null for an image. */
  async inspect(file: File): Promise<Rejection | null> {
    const refused = rejectionOf(file);
    return this.#dependencies.loadFileProblems().then(
      ({ inspect }) => inspect(file, refused),
      () => refused,
    );
  }

  /** Applies the remedy of a refused file. Returns the repaired file, or null after reporting a failure. */
  async repair(id: string, problem: Rejection, remedy: Remedy): Promise<File | null> {
    const busy = { ...problem, remedy: { ...remedy, busyLabel: 'One moment...' } };
    this.notify(id, { type: 'rejected', problem: busy });
    const repaired = await (await this.#dependencies.loadFileProblems()).applyRemedy(remedy);
    if (repaired instanceof File) return repaired;
    this.notify(id, { type: 'explained', problem: busy, more: { remedy, ...repaired } });
    return null;
  }

  reject(problem: Rejection): void {
    this.notify(SHOWN, { type: 'rejected', problem });
    const { title, description } = problem;
    toast({ title, description, variant: 'destructive' });
  }

  /** Chooses a file. Resolves with the file if it is a document whose pages should be opened; with null otherwise. */
  async choose(file: File): Promise<File | null> {
    this.#latestFile = file;
    // A document is refused as an image, but its pages can be read. So no message is shown before the file is inspected.
    const isRefused = rejectionOf(file) !== null;
    if (!isRefused) {
      dismiss();
      this.show({ type: 'chosen', file });
      this.#startStoring();
      preload(
        this.#loadUploads().then((uploads) => this.#latestFile === file && uploads.prepare(SHOWN, file)),
      );
      preload(this.#dependencies.loadUpload().then(({ loadCall }) => loadCall()));
      preload(this.#dependencies.loadWorkspace());
    }
    const problem = await this.inspect(file);
    if (!problem || this.#latestFile !== file) return null;
    // If the picture is being read already, its pages are only offered.
    const isStarted = !isRefused && this.state().shown.status !== 'selected';
    if (problem.remedy?.kind === 'open-pages' && !isStarted) return file;
    // For an accepted file this is only a warning: the server decides what it can read.
    if (isRefused) this.reject(problem);
    else this.notify(SHOWN, { type: 'rejected', problem });
    return null;
  }

  /** @param part a crop of the shown picture, read as a separate picture; the result stays until there is a new one */
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
    // The toast of the last click is outdated.
    dismiss();
    return this.read(SHOWN, file, attempt, part);
  }

  /** Changes what is shown, and aborts the reading of the shown picture. */
  show(event: Extract<ExtractionEvent, { type: 'chosen' | 'cancelled' | 'reset' | 'opened' }>): void {
    this.#runs.get(SHOWN)?.abort();
    this.notify(SHOWN, event);
  }

  #startStoring(): void {
    if (this.#isStoring) return;
    this.#isStoring = true;
    this.#dependencies.startStoring(this).catch(() => {
      this.#isStoring = false;
    });
  }
}
