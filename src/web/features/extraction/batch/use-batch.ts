import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MOST_PICTURES_AT_ONCE } from '#contract/product';
import * as store from '../../../history/batch-store.ts';
import * as results from '../../../history/recent-results-store.ts';
import { storageState } from '../../../session/browser-data.ts';
import { useEventCallback } from '../../../ui/basics/use-event-callback.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import type { Reading } from '../../../workspace/reading.ts';
import { extractionReducer, initialState, readingOf } from '../tool/extraction-state.ts';
import { PAGES_NOT_LOADED, type Rejection, type Remedy, rejectionOf } from '../tool/image-file.ts';
import { inspectFile, newAttempt, repairFile, useProgressTicks } from '../tool/picture-actions.ts';
import { createImageUpload, loadCall } from '../upload/image-upload.ts';
import { type Batch, createBatch } from './batch.ts';
import { type BatchEntry, entryOf, isBeingRead, isRead } from './batch-state.ts';
import { useThumbnails } from './use-thumbnails.ts';

/** The input of a batch: files, or an unfinished batch of an earlier visit. */
export type BatchInput =
  /** `pagesOf`: one more, a document whose pages are to be opened. */
  { files: readonly File[]; pagesOf?: File } | { left: string };

interface UseBatchOptions {
  given: BatchInput;
  /** A username; empty while signed out. */
  person: string;
  /** A picture was read. Resolves once the usage is up to date: false where the quota is used up. */
  onCounted: () => Promise<boolean>;
  onRest: Parameters<typeof createBatch>[0]['onRest'];
  /** Pages of a document were opened, or not: in words for a person. */
  onPages: (outcome: string) => void;
}

/** If nothing can be stored, the batch goes on without. */
const ifStorable = (done: () => Promise<unknown>) => {
  if (storageState() !== 'off') void done().catch(() => {});
};

/** An entry's reading, without edits; null if it has none. */
export const readingIn = ({ state }: BatchEntry): Reading | null =>
  state.status === 'result' ? readingOf(state) : null;

/** The text is the document's own: it cost nothing, and must not push out a result that did. */
const isOwnText = (entry: BatchEntry) => readingIn(entry)?.attempt.fromDocument === true;

const hasText = ({ extraction: { lines, hidden } }: Reading) => lines.length + hidden.length > 0;

/** The files of a batch, their progress and what can be done with them; waiting ones outlive the page. */
export function useBatch(options: UseBatchOptions) {
  const onCounted = useEventCallback(options.onCounted);
  const onRest = useEventCallback(options.onRest);
  const onPages = useEventCallback(options.onPages);
  const saveResult = useEventCallback((entry: string, reading: Reading) =>
    ifStorable(() => results.saveInBackground(reading, options.person, thumbnails.get(entry)?.blob ?? null)),
  );
  const [id, setId] = useState(() => crypto.randomUUID() as string);
  const [batch] = useState(() =>
    createBatch({
      readerOf: createImageUpload,
      newAttempt,
      async onRead(entry) {
        const reading = readingIn(entry);
        if (reading && hasText(reading)) saveResult(entry.id, reading);
        return onCounted();
      },
      onRest,
    }),
  );
  const state = useSyncExternalStore(batch.subscribe, batch.state);
  const { entries, isRunning } = state;
  const thumbnails = useThumbnails(entries);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  /** One document at a time: each is in memory as a whole. */
  const opening = useRef(Promise.resolve());
  const openPages = useEventCallback((entry: BatchEntry, from: number) => {
    const remedy = { kind: 'open-pages', file: entry.file, label: '', underWay: 'One moment...' } as const;
    batch.tell(entry.id, { type: 'rejected', problem: { ...OPENING, remedy } });
    const open = async () => {
      try {
        const { openPagesOf } = await import('./open-pages.ts');
        const outcome = await openPagesOf(batch, entry, from, leaving.current.signal);
        if (outcome) onPages(outcome);
      } catch {
        const again = { ...remedy, label: 'Try again', underWay: null, from };
        batch.tell(entry.id, { type: 'rejected', problem: { ...PAGES_NOT_LOADED, remedy: again } });
      }
    };
    opening.current = opening.current.then(open);
  });
  useProgressTicks(isRunning, batch.tick);
  useEffect(() => batch.leave, [batch]);
  useEffect(() => store.lockBatch(id), [id]);

  const taken = useRef<BatchInput | null>(null);
  const { given } = options;
  useEffect(() => {
    if (taken.current === given) return;
    taken.current = given;
    // Ahead of need: a failure occurs again, and is reported, when the call is made.
    loadCall().catch(() => {});
    if ('files' in given) {
      addFiles(batch, given.files, openPages);
      if (given.pagesOf) {
        const entry = entryOf(given.pagesOf, OPENING);
        batch.add([entry]);
        openPages(entry, 1);
      }
      return;
    }
    setId(given.left);
    store.loadBatch(given.left).then(
      (left) => batch.add(left.map(leftEntry)),
      () => {},
    );
  }, [given, batch, openPages]);

  const forget = usePersistedBatch(id, options.person, entries);

  const remedy = async (entry: BatchEntry, problem: Rejection, step: Remedy) => {
    if (step.kind === 'open-pages') return openPages(entry, step.from ?? 1);
    const repaired = await repairFile(problem, step, (event) => batch.tell(entry.id, event));
    if (repaired) batch.replace(entry.id, repaired);
  };

  return { ...state, batch, thumbnails, remedy, forget };
}

const LOOKING = { title: 'Looking at the file', description: 'One moment...' };
const OPENING = { title: 'Opening its pages', description: 'One moment...' };

/** Adds files to the list, explains those that are not images, and opens documents. */
function addFiles(
  batch: Batch,
  files: readonly File[],
  openPages: (entry: BatchEntry, from: number) => void,
): void {
  const room = MOST_PICTURES_AT_ONCE - batch.state().entries.length;
  if (files.length > room) {
    toast({
      title: `${MOST_PICTURES_AT_ONCE} pictures at a time`,
      description: `The list takes no more: ${files.length - Math.max(0, room)} of those that you chose are left out.`,
      variant: 'destructive',
    });
  }
  const entries = files
    .slice(0, Math.max(0, room))
    .map((file) => entryOf(file, rejectionOf(file) && LOOKING));
  batch.add(entries);
  for (const entry of entries) {
    inspectFile(entry.file).then((problem) => {
      const now = batch.state().entries.find(({ id }) => id === entry.id);
      // An entry that is being read is left alone; its pages are offered instead.
      if (problem?.remedy?.kind === 'open-pages' && now && !isBeingRead(now) && !isRead(now))
        openPages(entry, 1);
      else if (problem) batch.tell(entry.id, { type: 'rejected', problem });
    });
  }
}

function leftEntry(left: store.UnfinishedEntry): BatchEntry {
  if ('file' in left) return { ...entryOf(left.file, null), id: left.id };
  const { reading } = left;
  const state = extractionReducer(initialState, { type: 'opened', reading });
  return { id: left.id, file: reading.picture.file, state, turn: 'none' };
}

/**
 * Stores the waiting pictures, in their order, whenever the list changes, but not with every step of a reading. Returns
 * a function that deletes them.
 */
function usePersistedBatch(id: string, person: string, entries: readonly BatchEntry[]): () => void {
  const pictures = entries.filter(({ state }) => state.status !== 'idle');
  const listed = pictures.map((entry) => ({
    id: entry.id,
    name: entry.file.name,
    result: isOwnText(entry) ? null : (readingIn(entry)?.attempt.extractionId ?? null),
  }));
  const written = JSON.stringify([person, listed]);
  const latest = useRef({ listed, pictures, written });
  useEffect(() => {
    latest.current = { listed, pictures, written };
  });
  /** One at a time: writing an older list would delete pictures that it does not contain. */
  const writing = useRef(Promise.resolve());
  useEffect(() => {
    const now = latest.current;
    const waiting = now.pictures.flatMap((entry) => {
      const { id: its, file } = entry;
      const own = isOwnText(entry) && readingIn(entry);
      if (own) return [{ id: its, file, own: { attempt: own.attempt, extraction: own.extraction } }];
      return isRead(entry) ? [] : [{ id: its, file }];
    });
    const write = async () => {
      if (latest.current.written !== written) return;
      await store.saveWaiting(id, waiting);
      await store.saveBatch({ id, owner: person, entries: now.listed });
    };
    ifStorable(() => {
      writing.current = writing.current.then(write, write);
      return writing.current;
    });
  }, [id, person, written]);
  return () => {
    latest.current = { ...latest.current, written: '' };
    const forget = () => store.deleteBatch(id);
    writing.current = writing.current.then(forget, forget);
    writing.current.catch(() => {});
  };
}
