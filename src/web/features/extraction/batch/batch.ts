import { createStore } from '../../../state/create-store.ts';
import type { Attempt, ReadingOptions } from '../../../workspace/reading.ts';
import type { ExtractionFailure } from '../tool/extraction-failure.ts';
import type { ExtractionEvent } from '../tool/extraction-state.ts';
import { attemptFor } from '../tool/picture-actions.ts';
import type { ImageUpload } from '../upload/image-upload.ts';
import {
  type BatchEntry,
  type BatchEvent,
  batchReducer,
  isBeingOpened,
  isBeingRead,
  isRead,
} from './batch-state.ts';

export type Halt = 'limit' | 'person' | 'no-answer' | 'busy';

export interface BatchState {
  entries: readonly BatchEntry[];
  isRunning: boolean;
  /** Why it stopped, until it goes on. */
  halt: Halt | null;
}

interface BatchOptions {
  /** Reads one picture at a time and reports its steps. */
  readerOf: (tell: (event: ExtractionEvent) => void) => ImageUpload;
  newAttempt: (options: ReadingOptions) => Attempt;
  /** A picture was read. Resolves once the usage is up to date: false where the quota is used up. */
  onRead: (entry: BatchEntry) => Promise<boolean>;
  onRest: (halt: Halt | null, failure: ExtractionFailure | null) => void;
}

/** Reads the pictures of a list one after another, in its current order. One closure around one store and one run. */
export function createBatch({ readerOf, newAttempt, onRead, onRest }: BatchOptions) {
  const store = createStore<BatchState>({ entries: [], isRunning: false, halt: null });
  let current: { id: string; reader: ImageUpload; leaving: AbortController } | null = null;

  const set = (next: Partial<BatchState>) => store.set({ ...store.get(), ...next });
  const dispatch = (event: BatchEvent) => set({ entries: batchReducer(store.get().entries, event) });
  const entryOfId = (id: string) => store.get().entries.find((entry) => entry.id === id);
  const leaveCurrent = () => {
    current?.leaving.abort();
    current?.reader.giveUp();
    current = null;
  };

  /** The failure; null where it was read or stopped. */
  async function readOne(entry: BatchEntry, options: ReadingOptions): Promise<ExtractionFailure | null> {
    const { id, file } = entry;
    const reader = readerOf((event) => dispatch({ type: 'told', id, event }));
    const leaving = new AbortController();
    const attempt = attemptFor(entry.state, options, newAttempt);
    current = { id, reader, leaving };
    dispatch({ type: 'told', id, event: { type: 'started', attempt } });
    const answer = await reader.read(file, attempt, leaving);
    if (current?.reader === reader) leaveCurrent();
    return answer && !answer.ok ? answer.failure : null;
  }

  // A text that exists was requested again, by its own button.
  const isDue = ({ turn, state: { status } }: BatchEntry) =>
    turn === 'asked' && (status === 'selected' || status === 'failed' || status === 'result');
  /** More may be due once it is open. */
  const isToCome = (entry: BatchEntry) => entry.turn === 'asked' && isBeingOpened(entry);
  const changed = () =>
    new Promise<void>((resolve) => {
      const unsubscribe = store.subscribe(() => {
        unsubscribe();
        resolve();
      });
    });

  async function run(options: ReadingOptions): Promise<void> {
    if (store.get().isRunning) return;
    set({ isRunning: true, halt: null });
    let halt: Halt | null = null;
    let failure: ExtractionFailure | null = null;
    for (;;) {
      const next = store.get().entries.find(isDue);
      if (!next) {
        if (!store.get().entries.some(isToCome)) break;
        await changed();
        continue;
      }
      failure = await readOne(next, options);
      halt = failure && haltOf(failure);
      // The refusal concerned the user and not the picture, which waits as before.
      if (halt === 'limit' || halt === 'person')
        dispatch({ type: 'told', id: next.id, event: { type: 'person-changed' } });
      if (halt) break;
      const now = entryOfId(next.id);
      const hasNext = () => store.get().entries.some((each) => isDue(each) || isToCome(each));
      if (now && isRead(now) && !(await onRead(now)) && hasNext()) {
        halt = 'limit';
        break;
      }
    }
    dispatch({ type: 'stopped' });
    set({ isRunning: false, halt });
    onRest(halt, failure);
  }

  return {
    subscribe: store.subscribe,
    state: store.get,
    add: (entries: readonly BatchEntry[], at?: number) =>
      dispatch({ type: 'added', entries, ...(at !== undefined && { at }) }),
    tell: (id: string, event: ExtractionEvent) => dispatch({ type: 'told', id, event }),
    replace: (id: string, file: File) => dispatch({ type: 'replaced', id, file }),
    move: (id: string, to: number) => dispatch({ type: 'moved', id, to }),
    /** Reads all waiting pictures, or one of them; a running one continues. */
    read(options: ReadingOptions, id?: string) {
      dispatch({ type: 'asked', ...(id !== undefined && { id }) });
      void run(options);
    },
    /** Retries the picture that is being read, in parallel with the pending request. */
    again: () => current?.reader.again(),
    stop(id?: string) {
      if (id === undefined || current?.id === id) leaveCurrent();
      dispatch({ type: 'stopped', ...(id !== undefined && { id }) });
    },
    remove(id: string) {
      if (current?.id === id) leaveCurrent();
      dispatch({ type: 'removed', id });
    },
    /** Somebody else uses the page now, or on another plan. */
    personChanged: () => set({ halt: null }),
    tick() {
      const entry = store.get().entries.find(isBeingRead);
      if (entry) dispatch({ type: 'told', id: entry.id, event: { type: 'ticked' } });
    },
    /** Stops reading, including the next picture. */
    leave() {
      leaveCurrent();
      dispatch({ type: 'stopped' });
    },
  };
}

export type Batch = ReturnType<typeof createBatch>;

function haltOf({ limit, person, status }: ExtractionFailure): Halt | null {
  if (limit) return 'limit';
  if (person) return 'person';
  if (status === null) return 'no-answer';
  return status === 429 || status === 503 ? 'busy' : null;
}
