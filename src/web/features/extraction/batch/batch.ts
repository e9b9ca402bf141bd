import { MAX_BATCH_IMAGES } from '#contract/product';
import type { UnfinishedBatch, UnfinishedEntry } from '../../../history/batch-store.ts';
import { storageState } from '../../../session/browser-data.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import type { ReadingOptions, RecognitionResult } from '../../../workspace/reading.ts';
import {
  type ExtractionFailure,
  extractionReducer,
  initialState,
  readingOf,
} from '../tool/extraction-state.ts';
import { PAGES_NOT_LOADED, type Rejection, type Remedy, rejectionOf } from '../tool/image-file.ts';
import { attemptFor, type Items } from '../tool/items.ts';
import type { Halt, ListItem } from '../tool/items-state.ts';
import { isBeingOpened, isBeingRead, isRead, type ListEvent, listItemOf, listReducer } from './list-state.ts';

/** The end of a run: why it stopped before the end of the list, if it did, and the last failure. */
export interface RunEnd {
  halt: Halt | null;
  failure: ExtractionFailure | null;
}

export interface BatchDependencies {
  /** Fetches the usage. Resolves to false if the quota is used up. */
  isQuotaLeft: () => Promise<boolean>;
  /** Stores a result that is not on the screen. Rejects if that is not possible. */
  save: (reading: RecognitionResult) => Promise<unknown>;
  loadPageOpener: () => Promise<{
    openPagesOf: (batch: Batch, item: ListItem, from: number, signal: AbortSignal) => Promise<string | null>;
  }>;
}

const INSPECTING = { title: 'Looking at the file', description: 'One moment...' };
const OPENING = { title: 'Opening its pages', description: 'One moment...' };

/** An item's result, without edits; null if it has none. */
export const readingIn = ({ state }: ListItem): RecognitionResult | null =>
  state.status === 'result' ? readingOf(state) : null;

/** Whether an item is the next to read. An item with a result is queued if the user reads it again. */
const isDue = ({ queueState, state: { status } }: ListItem) =>
  queueState === 'queued' && (status === 'selected' || status === 'failed' || status === 'result');
/** Whether an item is a queued document whose pages are still being opened. */
const isPendingDocument = (item: ListItem) => item.queueState === 'queued' && isBeingOpened(item);

/** Reads the items of the list one after another in their current order. */
export class Batch {
  readonly items: Items;
  readonly #dependencies: BatchDependencies;
  #run: { reading: string | null } | null = null;
  /** Documents are opened one at a time, because each is completely in memory. */
  #opening: Promise<void> = Promise.resolve();
  #openingAbort = new AbortController();
  #wantsFocus = false;

  constructor(items: Items, dependencies: BatchDependencies) {
    this.items = items;
    this.#dependencies = dependencies;
  }

  /** The items of the list; empty without a list. */
  list(): readonly ListItem[] {
    return this.items.state().list?.items ?? [];
  }

  item(id: string): ListItem | undefined {
    return this.list().find((item) => item.id === id);
  }

  dispatch(event: ListEvent): void {
    const { list } = this.items.state();
    if (list) this.items.setList(listReducer(list, event));
  }

  #begin(items: readonly ListItem[] = [], id: string = crypto.randomUUID()): void {
    this.items.setList({ id, items, isRunning: false, halt: null, announcement: '' });
  }

  /** Replaces a single image by a list of these files. */
  open(files: readonly File[]): void {
    this.#begin();
    this.addFiles(files);
    this.items.show({ type: 'reset' });
  }

  /** Lists the pages of a document. A picture that was chosen before is added to the list; a shown result stays. */
  openPages(file: File): void {
    const { shown } = this.items.state();
    this.#begin();
    if (shown.status !== 'idle' && shown.status !== 'result' && shown.picture.file !== file)
      this.addFiles([shown.picture.file]);
    const item = listItemOf(file, OPENING);
    this.dispatch({ type: 'added', items: [item] });
    this.#openPages(item, 1);
    if (shown.status !== 'result') this.items.show({ type: 'reset' });
    this.#wantsFocus = true;
  }

  /** True once after pages were opened, because the focused button or field has disappeared. */
  consumeFocusRequest(): boolean {
    const isRequested = this.#wantsFocus;
    this.#wantsFocus = false;
    return isRequested;
  }

  /** Opens an unfinished list of an earlier visit. */
  resume({ id, entries }: UnfinishedBatch): void {
    this.#begin(entries.map(resumedItem), id);
    this.items.show({ type: 'reset' });
  }

  /** Closes the list. */
  close(): void {
    this.abandon();
    this.#openingAbort.abort();
    this.#openingAbort = new AbortController();
    this.items.setList(null);
  }

  /** Restores a removed item. If it was the last one, this opens the list again. */
  restore(item: ListItem, at: number): void {
    if (!this.items.state().list) this.#begin();
    this.dispatch({ type: 'added', items: [item], at });
  }

  /** Adds files, explains those that are not images, and opens documents. */
  addFiles(files: readonly File[]): void {
    const room = Math.max(0, MAX_BATCH_IMAGES - this.list().length);
    if (files.length > room) {
      toast({
        title: `${MAX_BATCH_IMAGES} pictures at a time`,
        description: `The list is full: ${files.length - room} of the chosen files were not added.`,
        variant: 'destructive',
      });
    }
    const items = files.slice(0, room).map((file) => listItemOf(file, rejectionOf(file) && INSPECTING));
    this.dispatch({ type: 'added', items });
    for (const item of items) {
      this.items.inspect(item.file).then((problem) => {
        const now = this.item(item.id);
        // If the item is being read already, its pages are only offered.
        if (problem?.remedy?.kind === 'open-pages' && now && !isBeingRead(now) && !isRead(now))
          this.#openPages(item, 1);
        else if (problem) this.#show(item.id, problem);
      });
    }
  }

  #openPages(item: ListItem, from: number): void {
    const remedy = { kind: 'open-pages', file: item.file, label: '', busyLabel: 'One moment...' } as const;
    this.#show(item.id, { ...OPENING, remedy });
    const { signal } = this.#openingAbort;
    const open = async () => {
      try {
        const { openPagesOf } = await this.#dependencies.loadPageOpener();
        const announcement = await openPagesOf(this, item, from, signal);
        if (announcement) this.dispatch({ type: 'changed', announcement });
      } catch {
        const again = { ...remedy, label: 'Try again', busyLabel: null, from };
        this.#show(item.id, { ...PAGES_NOT_LOADED, remedy: again });
      }
    };
    this.#opening = this.#opening.then(open);
  }

  async remedy(item: ListItem, problem: Rejection, step: Remedy): Promise<void> {
    if (step.kind === 'open-pages') return this.#openPages(item, step.from ?? 1);
    const repaired = await this.items.repair(item.id, problem, step);
    if (repaired) this.dispatch({ type: 'replaced', id: item.id, file: repaired });
  }

  #show(id: string, problem: Rejection): void {
    this.items.notify(id, { type: 'rejected', problem });
  }

  remove(id: string): void {
    this.#cancelItem(id);
    this.dispatch({ type: 'removed', id });
  }

  /** Stops the run, or the reading of one item. */
  stop(id?: string): void {
    const reading = this.#run?.reading;
    if (reading && (id === undefined || id === reading)) this.#cancelItem(reading);
    this.dispatch({ type: 'stopped', id });
  }

  #cancelItem(id: string): void {
    if (this.#run?.reading === id) this.#run.reading = null;
    this.items.cancel(id);
  }

  /** Stops the run without a report, because the user has left the page or closed the list. */
  abandon(): void {
    this.stop();
    this.#run = null;
    this.dispatch({ type: 'changed', isRunning: false });
  }

  /**
   * Reads all waiting pictures, or one of them. Resolves at the end of the run; to null if the pictures were added to a run in
   * progress, or if the run was abandoned.
   */
  async read(options: ReadingOptions, id?: string): Promise<RunEnd | null> {
    this.dispatch({ type: 'queued', id });
    if (this.#run) return null;
    const run = { reading: null };
    this.#run = run;
    this.dispatch({ type: 'changed', isRunning: true, halt: null });
    const end = await this.#readAll(options, run);
    if (this.#run !== run) return null;
    this.#run = null;
    this.dispatch({ type: 'stopped' });
    this.dispatch({ type: 'changed', isRunning: false, halt: end.halt });
    return end;
  }

  async #readAll(options: ReadingOptions, run: { reading: string | null }): Promise<RunEnd> {
    let failure: ExtractionFailure | null = null;
    while (this.#run === run) {
      const next = this.list().find(isDue);
      if (!next) {
        if (!this.list().some(isPendingDocument)) break;
        await this.#nextChange();
        continue;
      }
      run.reading = next.id;
      const answer = await this.items.read(next.id, next.file, attemptFor(next.state, options));
      // If the item was stopped, it was cancelled before, and another item may be running now.
      if (run.reading === next.id) this.#cancelItem(next.id);
      failure = answer && !answer.ok ? answer.failure : null;
      const halt = failure && haltOf(failure);
      // The error concerned the user and not the picture, so the picture waits again.
      if (halt === 'limit' || halt === 'person') this.items.notify(next.id, { type: 'person-changed' });
      if (halt) return { halt, failure };
      if (
        answer?.ok &&
        !(await this.#finish(next.id)) &&
        this.list().some((each) => isDue(each) || isPendingDocument(each))
      )
        return { halt: 'limit', failure };
    }
    return { halt: null, failure };
  }

  /** Stores the result. False if the quota is used up. */
  async #finish(id: string): Promise<boolean> {
    const item = this.item(id);
    const reading = item && readingIn(item);
    if (!reading) return true;
    const { lines, hidden } = reading.extraction;
    // If the browser cannot store the result, the list continues.
    if (lines.length + hidden.length > 0 && storageState() !== 'off')
      this.#dependencies.save(reading).catch(() => {});
    return this.#dependencies.isQuotaLeft();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const unsubscribe = this.items.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }
}

function resumedItem(left: UnfinishedEntry): ListItem {
  if ('file' in left) return { ...listItemOf(left.file, null), id: left.id };
  const { reading } = left;
  const state = extractionReducer(initialState, { type: 'opened', reading });
  return { id: left.id, file: reading.picture.file, state, queueState: 'none' };
}

function haltOf({ limit, person, status }: ExtractionFailure): Halt | null {
  if (limit) return 'limit';
  if (person) return 'person';
  if (status === null) return 'no-answer';
  return status === 429 || status === 503 ? 'busy' : null;
}
