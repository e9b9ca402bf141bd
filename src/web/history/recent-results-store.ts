import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Extraction } from '#contract/extraction';
import { RECENT_RESULTS_LIMITS } from '#contract/product';
import type { MappedText } from '#formats/pieces';
import { deletionCount, RECENT_RESULTS, type StorageState } from '../session/browser-data.ts';
import { createStore } from '../state/create-store.ts';
import type { Attempt, Reading } from '../workspace/reading.ts';
import { startHistory, type TextState, type TextWork } from '../workspace/text/text-history.ts';

/*
 * Recent results in IndexedDB. Every function rejects if the browser has no database, denies it (private windows), or is full;
 * callers then continue without.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const EXCERPT_LENGTH = 160;

export interface RecentResult {
  id: string;
  /** A username; empty if it was read while signed out. Not shown to others. */
  owner: string;
  name: string;
  /** Milliseconds since 1970, by this device's clock. */
  readAt: number;
  wordCount: number;
  beginning: string;
  edited: boolean;
  bytes: number;
  thumbnail: Blob | null;
}

interface Content {
  id: string;
  file: File;
  attempt: Attempt;
  extraction: Extraction;
}

/** Stored form, without the undo history. */
interface StoredWork extends Omit<TextState, 'mapped'> {
  id: string;
  present: MappedText;
}

/** The list of a batch, see `batch-store.ts`. */
export interface StoredBatch {
  id: string;
  owner: string;
  /** Milliseconds since 1970. */
  changedAt: number;
  /** In order. `result`: the id of the result; null while it waits. */
  entries: readonly { id: string; name: string; result: string | null }[];
}

/** A picture of a batch that waits to be read, or a page with its own text (`own`). */
export interface WaitingPicture {
  id: string;
  job: string;
  file: File;
  own?: { attempt: Attempt; extraction: Extraction };
}

interface Schema extends DBSchema {
  entries: { key: string; value: RecentResult };
  contents: { key: string; value: Content };
  /** A separate store, so that an edit does not write the image again. */
  works: { key: string; value: StoredWork };
  jobs: { key: string; value: StoredBatch };
  /** Waiting images, separate from the list, which is written with every step. */
  waiting: { key: string; value: WaitingPicture };
}

/** Sets a marker for the first view, which does not open the database. */
export function rememberStorageState(keeping: StorageState): void {
  try {
    if (keeping === null) localStorage.removeItem(RECENT_RESULTS);
    else localStorage.setItem(RECENT_RESULTS, keeping);
  } catch {
    // Without localStorage there are no stored results either.
  }
}

/** The object stores of a result. */
const STORES = ['entries', 'contents', 'works'] as const;
/** By the database version that introduced them. */
const ADDED = [STORES, ['jobs', 'waiting']] as const;

let connection: Promise<IDBPDatabase<Schema>> | null = null;
/** The resolved connection, because a page that is being unloaded cannot wait for the promise. */
let connected: IDBPDatabase<Schema> | null = null;
const clearings = createStore(0);

/** One database for everything, so that it can be deleted as a whole. */
export async function connect(): Promise<IDBPDatabase<Schema>> {
  const before = deletionCount();
  connection ??= openDatabase();
  try {
    connected = await connection;
  } catch (error) {
    connection = null;
    throw error;
  }
  if (deletionCount() !== before) throw new Error('All results were deleted meanwhile');
  return connected;
}

async function openDatabase(): Promise<IDBPDatabase<Schema>> {
  let isNew = false;
  const db = await openDB<Schema>(RECENT_RESULTS, ADDED.length, {
    upgrade(db, from) {
      isNew = from === 0;
      for (const store of ADDED.slice(from).flat()) db.createObjectStore(store, { keyPath: 'id' });
    },
    // The database is being deleted, here or in another tab; an open connection would block that.
    blocking() {
      disconnect();
      clearings.set(clearings.get() + 1);
    },
    terminated: disconnect,
  });
  if (isNew) await requireFiles(db);
  return db;
}

/**
 * Rejects if the database cannot store files. In WebKit's private windows, a transaction with a file and other data never ends
 * and blocks all later ones; a transaction with only a file fails at once.
 */
async function requireFiles(db: IDBPDatabase<Schema>): Promise<void> {
  const trial = { id: 'trial', job: '', file: new File(['trial'], 'trial') };
  const { store, done } = db.transaction('waiting', 'readwrite');
  done.catch(() => {});
  try {
    // Only once it is on disk: later writes wait for this.
    store.delete(await store.put(trial)).catch(() => {});
  } catch (error) {
    db.close();
    // So that the next connection finds a new one, and tries again.
    await deleteDB(RECENT_RESULTS);
    throw error;
  }
}

/** After pending work. The back/forward cache takes a page only without an open connection. */
export function disconnect(): void {
  connected?.close();
  connected = null;
  connection = null;
}

/** Subscribes to the deletion of everything. Returns an unsubscribe function. */
export const subscribeCleared = clearings.subscribe;

/** Results over the limits of number and size. `all` is sorted by time, newest first. */
export function surplusOf<T extends { bytes: number }>(newestFirst: readonly T[]): T[] {
  let bytes = 0;
  return newestFirst.filter((result, index) => {
    bytes += result.bytes;
    return index > 0 && (index >= RECENT_RESULTS_LIMITS.most || bytes > RECENT_RESULTS_LIMITS.bytes);
  });
}

const newestFirst = (results: readonly RecentResult[]) =>
  results.toSorted((one, other) => other.readAt - one.readAt);

const excerptOf = (text: string) =>
  text
    .slice(0, 2 * EXCERPT_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT_LENGTH);

/** Stores a new result, and deletes the oldest ones over the limits. */
export async function save({ picture, attempt, extraction }: Reading, owner: string): Promise<void> {
  const id = attempt.extractionId;
  const entry: RecentResult = {
    id,
    owner,
    name: picture.file.name,
    readAt: Date.now(),
    wordCount: extraction.wordCount,
    beginning: excerptOf(extraction.extractedText),
    edited: false,
    bytes: picture.file.size + JSON.stringify(extraction).length,
    thumbnail: null,
  };
  const content: Content = { id, file: picture.file, attempt, extraction };
  try {
    await put(entry, content);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
    await makeRoom(entry.bytes);
    await put(entry, content);
  }
}

/** With an open connection, the transaction is started synchronously, so that edits can follow at once. */
async function put(entry: RecentResult, content: Content): Promise<void> {
  const db = connected ?? (await connect());
  const change = db.transaction(['entries', 'contents'], 'readwrite');
  const written = [
    change.objectStore('entries').add(entry),
    change.objectStore('contents').put(content),
    change.done,
  ];
  change.commit();
  try {
    await Promise.all(written);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'ConstraintError') return;
    throw error;
  }
  await removeSurplus(db);
}

async function removeSurplus(db: IDBPDatabase<Schema>): Promise<void> {
  const surplus = surplusOf(newestFirst(await db.getAll('entries')));
  await removeResults(
    db,
    surplus.map(({ id }) => id),
  );
}

/** Deletes the oldest results until about this many bytes are free. */
async function makeRoom(bytes: number): Promise<void> {
  const db = await connect();
  let free = 0;
  for (const result of newestFirst(await db.getAll('entries')).toReversed()) {
    if (free >= bytes) return;
    await removeResults(db, [result.id]);
    free += result.bytes;
  }
}

async function removeResults(db: IDBPDatabase<Schema>, ids: readonly string[]): Promise<void> {
  const change = db.transaction(STORES, 'readwrite');
  await Promise.all([
    ...ids.flatMap((id) => STORES.map((store) => change.objectStore(store).delete(id))),
    change.done,
  ]);
}

/** Does not restore an entry that was deleted meanwhile. */
async function updateEntry(
  db: IDBPDatabase<Schema>,
  id: string,
  change: (entry: RecentResult) => RecentResult,
): Promise<void> {
  const { store, done } = db.transaction('entries', 'readwrite');
  const entry = await store.get(id);
  if (entry) await store.put(change(entry));
  await done;
}

/**
 * Stores edits of a text. With an open connection, the write is started synchronously, so that it also works while the page is
 * being unloaded.
 */
export async function saveWork(id: string, { history }: TextWork): Promise<void> {
  const { mapped, ...state } = history.present;
  const db = connected ?? (await connect());
  const change = db.transaction('works', 'readwrite');
  const written = change.store.put({ id, present: mapped, ...state });
  change.commit();
  const beginning = excerptOf(mapped.text);
  await Promise.all([
    written,
    change.done,
    updateEntry(db, id, (entry) => ({ ...entry, beginning, edited: true })),
  ]);
}

const backgroundSaves = createStore(0);

/** Subscribes to results that were saved while another was on the screen. Returns an unsubscribe function. */
export const subscribeSavedInBackground = backgroundSaves.subscribe;

/** Stores a result that is not shown; `thumbnail`: null without one. */
export async function saveInBackground(
  reading: Reading,
  owner: string,
  thumbnail: Blob | null,
): Promise<void> {
  await save(reading, owner);
  if (thumbnail) await saveThumbnail(reading.attempt.extractionId, thumbnail);
  backgroundSaves.set(backgroundSaves.get() + 1);
}

export async function saveThumbnail(id: string, thumbnail: Blob): Promise<void> {
  await updateEntry(await connect(), id, (entry) => ({ ...entry, thumbnail }));
}

/** Assigns a result without an owner; one that has an owner keeps it. */
export async function assignOwner(id: string, owner: string): Promise<void> {
  await updateEntry(await connect(), id, (entry) => (entry.owner === '' ? { ...entry, owner } : entry));
}

/**
 * The results of one person, the newest first, the ids of all results, and whether any pictures wait. Deletes results
 * that are too old.
 */
export async function list(
  owner: string,
): Promise<{ results: RecentResult[]; ids: string[]; somethingWaits: boolean }> {
  const db = await connect();
  const [entries, works, jobs] = await Promise.all([
    db.getAll('entries'),
    db.getAllKeys('works'),
    db.count('jobs'),
  ]);
  const oldest = Date.now() - RECENT_RESULTS_LIMITS.days * DAY_MS;
  const current = entries.filter(({ readAt }) => readAt > oldest);
  const isCurrent = (id: string) => current.some((entry) => entry.id === id);
  const gone = [...entries.map(({ id }) => id), ...works].filter((id) => !isCurrent(id));
  if (gone.length > 0) await removeResults(db, gone);
  return {
    results: newestFirst(current).filter((entry) => entry.owner === owner),
    ids: current.map(({ id }) => id),
    somethingWaits: jobs > 0,
  };
}

/** Image, text and edits; null if it was deleted. */
export async function open(id: string): Promise<Reading | null> {
  const db = await connect();
  const [content, work] = await Promise.all([db.get('contents', id), db.get('works', id)]);
  if (!content) return null;
  const { file, attempt, extraction } = content;
  return {
    picture: { file, number: 1 },
    attempt,
    extraction,
    work: work ? { history: startHistory(stateOf(work)) } : null,
  };
}

const stateOf = ({ id: _, present, ...state }: StoredWork): TextState => ({ mapped: present, ...state });

/** Removes one, and returns an undo function; null if it did not exist. */
export async function remove(id: string): Promise<(() => Promise<void>) | null> {
  const db = await connect();
  const [entry, content, work] = await Promise.all([
    db.get('entries', id),
    db.get('contents', id),
    db.get('works', id),
  ]);
  // In memory: the browser may discard a file once it is removed from the database.
  const file = content && (await inMemory(content.file));
  await removeResults(db, [id]);
  if (!entry || !content || !file) return null;
  return async () => {
    const again = await connect();
    const change = again.transaction(STORES, 'readwrite');
    await Promise.all([
      change.objectStore('entries').put(entry),
      change.objectStore('contents').put({ ...content, file }),
      work && change.objectStore('works').put(work),
      change.done,
    ]);
  };
}

async function inMemory(file: File): Promise<File> {
  return new File([await file.arrayBuffer()], file.name, {
    type: file.type,
    lastModified: file.lastModified,
  });
}

/** Results, and pictures that wait. */
export async function removeAllOfOwner(owner: string): Promise<void> {
  const { results } = await list(owner);
  const db = await connect();
  await removeResults(
    db,
    results.map(({ id }) => id),
  );
  const change = db.transaction(['jobs', 'waiting'], 'readwrite');
  const [jobs, waiting] = [change.objectStore('jobs'), change.objectStore('waiting')];
  const theirs = new Set((await jobs.getAll()).flatMap((job) => (job.owner === owner ? [job.id] : [])));
  const pictures = (await waiting.getAll()).filter(({ job }) => theirs.has(job));
  await Promise.all([
    ...[...theirs].map((id) => jobs.delete(id)),
    ...pictures.map(({ id }) => waiting.delete(id)),
    change.done,
  ]);
}
