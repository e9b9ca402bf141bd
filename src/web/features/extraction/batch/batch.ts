import { MAX_BATCH_IMAGES } from '#contract/product';
import type { UnfinishedBatch, UnfinishedEntry } from '../../../history/batch-store.ts';
import { storageState } from '../../../session/browser-data.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import type { Reading, ReadingOptions } from '../../../workspace/reading.ts';
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

/** How a run over the list ended: why it stopped, if it did, and the last failure. */
export interface RunEnd {
  halt: Halt | null;
  failure: ExtractionFailure | null;
}

export interface BatchDependencies {
  /** Resolves once the usage is up to date: false where the quota is used up. */
  isQuotaLeft: () => Promise<boolean>;
  /** Stores what was read, which is not on the screen. Rejects where that is not possible. */
  save: (reading: Reading) => Promise<unknown>;
  loadPageOpener: () => Promise<{
    openPagesOf: (batch: Batch, item: ListItem, from: number, leaving: AbortSignal) => Promise<string | null>;
  }>;
}

const LOOKING = { title: 'Looking at the file', description: 'One moment...' };
const OPENING = { title: 'Opening its pages', description: 'One moment...' };

/** An item's reading, without edits; null if it has none. */
export const readingIn = ({ state }: ListItem): Reading | null =>
  state.status === 'result' ? readingOf(state) : null;

// A text that exists was requested again, by its own button.
const isDue = ({ turn, state: { status } }: ListItem) =>
  turn === 'asked' && (status === 'selected' || status === 'failed' || status === 'result');
/** More may be due once it is open. */
const isToCome = (item: ListItem) => item.turn === 'asked' && isBeingOpened(item);

/** The batch: its items, and the run that reads them one after another in their current order. */
export class Batch {
  readonly items: Items;
  readonly #dependencies: BatchDependencies;
  #run: { reading: string | null } | null = null;
  /** One document at a time: each is in memory as a whole. */
  #opening: Promise<void> = Promise.resolve();
  #leaving = new AbortController();
  #wantsFocus = false;

  constructor(items: Items, dependencies: BatchDependencies) {
    this.items = items;
    this.#dependencies = dependencies;
  }

  /** The files of the list; none where there is no list. */
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
    this.items.setList({ id, items, isRunning: false, halt: null, said: '' });
  }

  /** Replaces a single image by a list of these files. */
  open(files: readonly File[]): void {
    this.#begin();
    this.addFiles(files);
    this.items.show({ type: 'reset' });
  }

  /** Lists the pages of a document. A picture that was chosen before joins them, and a text on the screen stays. */
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

  /** True once after pages were opened: the pressed button went with the toast, or the field with the drop zone. */
  takesFocus(): boolean {
    const wants = this.#wantsFocus;
    this.#wantsFocus = false;
    return wants;
  }

  /** Goes on with a list of an earlier visit. */
  goOn({ id, entries }: UnfinishedBatch): void {
    this.#begin(entries.map(leftItem), id);
    this.items.show({ type: 'reset' });
  }

  /** Gives the list up. */
  close(): void {
    this.leave();
    this.#leaving.abort();
    this.#leaving = new AbortController();
    this.items.setList(null);
  }

  /** An item that was removed, also if it was the last and the list was closed. */
  bringBack(item: ListItem, at: number): void {
    if (!this.items.state().list) this.#begin();
    this.dispatch({ type: 'added', items: [item], at });
  }

  /** Adds files, explains those that are not images, and opens documents. */
  addFiles(files: readonly File[]): void {
    const room = Math.max(0, MAX_BATCH_IMAGES - this.list().length);
    if (files.length > room) {
      toast({
        title: `${MAX_BATCH_IMAGES} pictures at a time`,
        description: `The list takes no more: ${files.length - room} of those that you chose are left out.`,
        variant: 'destructive',
      });
    }
    const items = files.slice(0, room).map((file) => listItemOf(file, rejectionOf(file) && LOOKING));
    this.dispatch({ type: 'added', items });
    for (const item of items) {
      this.items.inspect(item.file).then((problem) => {
        const now = this.item(item.id);
        // An item that is being read is left alone; its pages are offered instead.
        if (problem?.remedy?.kind === 'open-pages' && now && !isBeingRead(now) && !isRead(now))
          this.#openPages(item, 1);
        else if (problem) this.#show(item.id, problem);
      });
    }
  }

  #openPages(item: ListItem, from: number): void {
    const remedy = { kind: 'open-pages', file: item.file, label: '', underWay: 'One moment...' } as const;
    this.#show(item.id, { ...OPENING, remedy });
    const { signal } = this.#leaving;
    const open = async () => {
      try {
        const { openPagesOf } = await this.#dependencies.loadPageOpener();
        const said = await openPagesOf(this, item, from, signal);
        if (said) this.dispatch({ type: 'changed', said });
      } catch {
        const again = { ...remedy, label: 'Try again', underWay: null, from };
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
    this.items.tell(id, { type: 'rejected', problem });
  }

  remove(id: string): void {
    this.#leaveItem(id);
    this.dispatch({ type: 'removed', id });
  }

  /** Reads no more, or not this one. */
  stop(id?: string): void {
    const reading = this.#run?.reading;
    if (reading && (id === undefined || id === reading)) this.#leaveItem(reading);
    this.dispatch({ type: 'stopped', id });
  }

  #leaveItem(id: string): void {
    if (this.#run?.reading === id) this.#run.reading = null;
    this.items.leave(id);
  }

  /** Stops without a report: the page or the list is left. */
  leave(): void {
    this.stop();
    this.#run = null;
    this.dispatch({ type: 'changed', isRunning: false });
  }

  /**
   * Reads all waiting pictures, or one of them. Resolves at the end of the run; null if it joined one that is under way,
   * or was left.
   */
  async read(options: ReadingOptions, id?: string): Promise<RunEnd | null> {
    this.dispatch({ type: 'asked', id });
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
        if (!this.list().some(isToCome)) break;
        await this.#change();
        continue;
      }
      run.reading = next.id;
      const answer = await this.items.read(next.id, next.file, attemptFor(next.state, options));
      // Stopped alone, it was left before; another may be read by now.
      if (run.reading === next.id) this.#leaveItem(next.id);
      failure = answer && !answer.ok ? answer.failure : null;
      const halt = failure && haltOf(failure);
      // The refusal concerned the user and not the picture, which waits as before.
      if (halt === 'limit' || halt === 'person') this.items.tell(next.id, { type: 'person-changed' });
      if (halt) return { halt, failure };
      if (
        answer?.ok &&
        !(await this.#finish(next.id)) &&
        this.list().some((each) => isDue(each) || isToCome(each))
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
    // If nothing can be stored, the list continues without.
    if (lines.length + hidden.length > 0 && storageState() !== 'off')
      this.#dependencies.save(reading).catch(() => {});
    return this.#dependencies.isQuotaLeft();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const unsubscribe = this.items.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });
  }
}

function leftItem(left: UnfinishedEntry): ListItem {
  if ('file' in left) return { ...listItemOf(left.file, null), id: left.id };
  const { reading } = left;
  const state = extractionReducer(initialState, { type: 'opened', reading });
  return { id: left.id, file: reading.picture.file, state, turn: 'none' };
}

function haltOf({ limit, person, status }: ExtractionFailure): Halt | null {
  if (limit) return 'limit';
  if (person) return 'person';
  if (status === null) return 'no-answer';
  return status === 429 || status === 503 ? 'busy' : null;
}
