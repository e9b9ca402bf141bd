import { RECENT_RESULTS_LIMITS } from '#contract/product';
import type { RecognitionResult } from '../workspace/reading.ts';
import {
  connect,
  open as openResult,
  rememberStorageState,
  type WaitingPicture,
} from './recent-results-store.ts';

/*
 * Unfinished batches in the database of recent results: the order of the list and its waiting pictures. The finished
 * readings are stored as recent results. The functions reject under the same conditions as `recent-results-store.ts`.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const lockName = (id: string) => `job-${id}`;

/** A waiting picture, or a finished reading. */
export type UnfinishedEntry = { id: string } & ({ file: File } | { reading: RecognitionResult });

/** A batch in which some pictures were not read. */
export interface UnfinishedBatch {
  id: string;
  /** Whether it is a single picture and not a list. */
  isPicture: boolean;
  entries: readonly UnfinishedEntry[];
}

/** Tells other tabs that this batch is open, until the page is closed. Returns an unlock function. */
export function lockBatch(id: string): () => void {
  let unlock = () => {};
  const released = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  void navigator.locks?.request(lockName(id), () => released).catch(() => {});
  return unlock;
}

/** One picture of a batch. `result`: the ID of its stored result; null if it waits or has `own` text. */
export interface StoredItem extends Omit<WaitingPicture, 'job'> {
  result: string | null;
}

export interface BatchToStore {
  id: string;
  /** A username; empty while signed out. */
  owner: string;
  items: readonly StoredItem[];
}

/**
 * Stores the order of a batch and as many of its waiting pictures as the size limit allows. Deletes stored pictures that no
 * longer wait, and the whole batch if none waits.
 */
export async function saveBatch({ id, owner, items }: BatchToStore): Promise<void> {
  const waiting = items.filter(({ result }) => result === null);
  const db = await connect();
  const transaction = db.transaction(['jobs', 'waiting'], 'readwrite');
  const [lists, pictures] = [transaction.objectStore('jobs'), transaction.objectStore('waiting')];
  const stored = await pictures.getAll();
  const outdated = stored.filter(
    ({ job, id: its }) => job === id && !waiting.some((item) => item.id === its),
  );
  let freeBytes = RECENT_RESULTS_LIMITS.bytes - stored.reduce((sum, { file }) => sum + file.size, 0);
  const entries = items.map(({ id: its, file, result }) => ({ id: its, name: file.name, result }));
  await Promise.all([
    ...outdated.map(({ id: its }) => pictures.delete(its)),
    ...waiting.flatMap(({ result: _, ...picture }) => {
      const storedPicture = stored.find((other) => other.id === picture.id);
      if (storedPicture && !storedPicture.own === !picture.own) return [];
      if (!storedPicture) freeBytes -= picture.file.size;
      return freeBytes < 0 ? [] : [pictures.put({ ...picture, job: id })];
    }),
    waiting.length === 0 ? lists.delete(id) : lists.put({ id, owner, entries, changedAt: Date.now() }),
    transaction.done,
  ]);
  if (waiting.length > 0) rememberStorageState('some');
}

export async function deleteBatch(id: string): Promise<void> {
  await saveBatch({ id, owner: '', items: [] });
}

/** An unfinished batch that no tab has open. `names`: the file names of its waiting pictures. */
export interface UnfinishedSummary extends Omit<UnfinishedBatch, 'entries'> {
  names: readonly string[];
}

/**
 * The owner's most recent batch with waiting pictures that no tab has open; null if there is none. Deletes batches that
 * are too old.
 */
export async function findUnfinished(owner: string): Promise<UnfinishedSummary | null> {
  const db = await connect();
  const [jobs, pictures, locks] = await Promise.all([
    db.getAll('jobs'),
    db.getAll('waiting'),
    navigator.locks?.query(),
  ]);
  const oldest = Date.now() - RECENT_RESULTS_LIMITS.days * DAY_MS;
  await Promise.all(jobs.filter(({ changedAt }) => changedAt < oldest).map(({ id }) => deleteBatch(id)));
  const unread = new Set(pictures.flatMap(({ id, own }) => (own ? [] : [id])));
  const held = new Set(locks?.held?.map(({ name }) => name));
  const unfinished = jobs
    .filter((batch) => batch.owner === owner && batch.changedAt >= oldest && !held.has(lockName(batch.id)))
    .toSorted((one, other) => other.changedAt - one.changedAt)
    .map(({ id, entries }) => ({
      id,
      isPicture: entries.length === 1 && entries[0]?.id === id,
      names: entries.flatMap((entry) => (unread.has(entry.id) ? [entry.name] : [])),
    }));
  return unfinished.find(({ names }) => names.length > 0) ?? null;
}

/** The entries of a stored batch in their order: waiting pictures, and readings with their edits. */
export async function loadBatch(id: string): Promise<UnfinishedEntry[]> {
  const db = await connect();
  const batch = await db.get('jobs', id);
  const entries = await Promise.all(
    (batch?.entries ?? []).map(async (entry): Promise<UnfinishedEntry | null> => {
      if (entry.result === null) {
        const picture = await db.get('waiting', entry.id);
        return picture ? loadPicture(picture) : null;
      }
      const reading = await openResult(entry.result);
      return reading && { id: entry.id, reading };
    }),
  );
  return entries.filter((entry) => entry !== null);
}

async function loadPicture({ id, file, own }: WaitingPicture): Promise<UnfinishedEntry> {
  if (!own) return { id, file };
  // It is a stored result, with edits, if the page has shown it.
  const kept = await openResult(own.attempt.extractionId);
  return { id, reading: kept ?? { picture: { file, number: 1 }, ...own, work: null } };
}
