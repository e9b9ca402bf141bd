import { RECENT_RESULTS_LIMITS } from '#contract/product';
import type { Reading } from '../workspace/reading.ts';
import {
  connect,
  open as openResult,
  rememberStorageState,
  type WaitingPicture,
} from './recent-results-store.ts';

/*
 * The parts of a batch that outlive the page: its order and the pictures that still wait, in the database of recent
 * results and deleted with them. What was read is among those results. Rejects as they do.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const lockOf = (id: string) => `job-${id}`;

/** A picture that waits, or what came of one. */
export type UnfinishedEntry = { id: string } & ({ file: File } | { reading: Reading });

/** A list that was not read to its end. */
export interface UnfinishedBatch {
  id: string;
  /** A single picture, not a list. */
  isPicture: boolean;
  entries: readonly UnfinishedEntry[];
}

/** Marks this batch as open for other tabs as long as the page is there. Returns an unlock function. */
export function lockBatch(id: string): () => void {
  let unlock = () => {};
  const held = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  void navigator.locks?.request(lockOf(id), () => held).catch(() => {});
  return unlock;
}

/** One picture of a stored list. `result`: the id of what came of it; null while it waits, or where the text is its own. */
export interface KeptItem extends Omit<WaitingPicture, 'job'> {
  result: string | null;
}

export interface KeptBatch {
  id: string;
  /** A username; empty while signed out. */
  owner: string;
  items: readonly KeptItem[];
}

/**
 * Stores a list in its order, with as many of the waiting pictures as there is room for, and deletes those that no longer
 * wait. A list without any is not stored.
 */
export async function saveBatch({ id, owner, items }: KeptBatch): Promise<void> {
  const waiting = items.filter(({ result }) => result === null);
  const db = await connect();
  const change = db.transaction(['jobs', 'waiting'], 'readwrite');
  const [lists, pictures] = [change.objectStore('jobs'), change.objectStore('waiting')];
  const kept = await pictures.getAll();
  const past = kept.filter(({ job, id: its }) => job === id && !waiting.some((item) => item.id === its));
  let room = RECENT_RESULTS_LIMITS.bytes - kept.reduce((sum, { file }) => sum + file.size, 0);
  const entries = items.map(({ id: its, file, result }) => ({ id: its, name: file.name, result }));
  await Promise.all([
    ...past.map(({ id: its }) => pictures.delete(its)),
    ...waiting.flatMap(({ result: _, ...picture }) => {
      const before = kept.find((other) => other.id === picture.id);
      if (before && !before.own === !picture.own) return [];
      if (!before) room -= picture.file.size;
      return room < 0 ? [] : [pictures.put({ ...picture, job: id })];
    }),
    waiting.length === 0 ? lists.delete(id) : lists.put({ id, owner, entries, changedAt: Date.now() }),
    change.done,
  ]);
  if (waiting.length > 0) rememberStorageState('some');
}

export async function deleteBatch(id: string): Promise<void> {
  await saveBatch({ id, owner: '', items: [] });
}

/** An unfinished batch that is not open, with the names of the pictures that wait. */
export interface Unfinished extends Omit<UnfinishedBatch, 'entries'> {
  names: readonly string[];
}

/** The last batch of this person with waiting pictures that is open in no tab; null if there is none. */
export async function findUnfinished(owner: string): Promise<Unfinished | null> {
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
  const left = jobs
    .filter((batch) => batch.owner === owner && batch.changedAt >= oldest && !held.has(lockOf(batch.id)))
    .toSorted((one, other) => other.changedAt - one.changedAt)
    .map(({ id, entries }) => ({
      id,
      isPicture: entries.length === 1 && entries[0]?.id === id,
      names: entries.flatMap((entry) => (unread.has(entry.id) ? [entry.name] : [])),
    }));
  return left.find(({ names }) => names.length > 0) ?? null;
}

/** A stored batch, in its order: waiting pictures in memory, and readings with their edits. */
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
  // With its edits, if it was ever on the screen.
  const kept = await openResult(own.attempt.extractionId);
  return { id, reading: kept ?? { picture: { file, number: 1 }, ...own, work: null } };
}
