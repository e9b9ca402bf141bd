import { RECENT_RESULTS_KEPT } from '#contract/product';
import type { Reading } from '../workspace/reading.ts';
import {
  connect,
  open as openResult,
  rememberStorageState,
  type StoredBatch,
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

/** An unfinished batch: how many pictures wait, and their names. */
export interface UnfinishedBatch {
  id: string;
  names: readonly string[];
  /** It was no list but a picture that was chosen alone. */
  picture: boolean;
}

/** Marks this batch as open for other tabs as long as the page is there. Returns an unlock function. */
export function lockBatch(id: string): () => void {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void navigator.locks?.request(lockOf(id), () => held).catch(() => {});
  return letGo;
}

/** Stores the list, and deletes pictures that no longer wait. */
export async function saveBatch(batch: Omit<StoredBatch, 'changedAt'>): Promise<void> {
  const db = await connect();
  const change = db.transaction(['jobs', 'waiting'], 'readwrite');
  const waiting = new Set(batch.entries.flatMap(({ id, result }) => (result === null ? [id] : [])));
  const pictures = change.objectStore('waiting');
  const kept = await pictures.getAll();
  const past = kept.filter((picture) => picture.job === batch.id && !waiting.has(picture.id));
  await Promise.all([
    ...past.map(({ id }) => pictures.delete(id)),
    waiting.size === 0
      ? change.objectStore('jobs').delete(batch.id)
      : change.objectStore('jobs').put({ ...batch, changedAt: Date.now() }),
    change.done,
  ]);
  if (waiting.size > 0) rememberStorageState('some');
}

/** Keeps pictures until they are read, as many as there is room for. */
export async function saveWaiting(
  batch: string,
  pictures: readonly Omit<WaitingPicture, 'job'>[],
): Promise<void> {
  const db = await connect();
  const change = db.transaction('waiting', 'readwrite');
  const others = await change.store.getAll();
  let room = RECENT_RESULTS_KEPT.bytes - others.reduce((sum, { file }) => sum + file.size, 0);
  await Promise.all([
    ...pictures.flatMap((picture) => {
      const before = others.find((other) => other.id === picture.id);
      if (before && !before.own === !picture.own) return [];
      if (!before) room -= picture.file.size;
      return room < 0 ? [] : [change.store.put({ ...picture, job: batch })];
    }),
    change.done,
  ]);
}

export async function deleteBatch(id: string): Promise<void> {
  await saveBatch({ id, owner: '', entries: [] });
}

/** The last batch of this person with waiting pictures that is open in no tab; null if there is none. */
export async function findUnfinished(owner: string): Promise<UnfinishedBatch | null> {
  const db = await connect();
  const [jobs, pictures, locks] = await Promise.all([
    db.getAll('jobs'),
    db.getAll('waiting'),
    navigator.locks?.query(),
  ]);
  const oldest = Date.now() - RECENT_RESULTS_KEPT.days * DAY_MS;
  await Promise.all(jobs.filter(({ changedAt }) => changedAt < oldest).map(({ id }) => deleteBatch(id)));
  const unread = new Set(pictures.flatMap(({ id, own }) => (own ? [] : [id])));
  const held = new Set(locks?.held?.map(({ name }) => name));
  const left = jobs
    .filter((batch) => batch.owner === owner && batch.changedAt >= oldest && !held.has(lockOf(batch.id)))
    .toSorted((one, other) => other.changedAt - one.changedAt)
    .map(({ id, entries }) => ({
      id,
      picture: entries.length === 1 && entries[0]?.id === id,
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
