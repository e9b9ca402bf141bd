import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Extraction } from '#contract/extraction';
import { RECENT_RESULTS_LIMITS } from '#contract/product';
import type { MappedText } from '#formats/pieces';
import { deletionCount, RECENT_RESULTS, type StorageState } from '../session/browser-data.ts';
import { createStore } from '../state/create-store.ts';
import type { Attempt, RecognitionResult } from '../workspace/reading.ts';
import { startHistory, type TextState, type TextWork } from '../workspace/text/text-history.ts';

/*
 * Recent results in IndexedDB. Every function rejects if the browser has no database, denies access (private windows), or
 * its disk is full. Callers then continue without stored results.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const EXCERPT_LENGTH = 160;

export interface RecentResult {
  id: string;
  /** A username; empty if the picture was read while signed out. Other users of the browser do not see the result. */
  owner: string;
  name: string;
  /** Milliseconds since 1970 by this device's clock. */
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

/** An unfinished batch, see `batch-store.ts`. */
export interface StoredBatch {
  id: string;
  owner: string;
  /** Milliseconds since 1970. */
  changedAt: number;
  /** In their order. `result`: the ID of the stored result; null while the picture waits. */
  entries: readonly { id: string; name: string; result: string | null }[];
}

/** A picture of a batch that waits to be read, or a document page with an embedded text (`own`). */
export interface WaitingPicture {
  id: string;
  job: string;
  file: File;
  own?: { attempt: Attempt; extraction: Extraction };
}

interface Schema extends DBSchema {
  entries: { key: string; value: RecentResult };
  contents: { key: string; value: Content };
  /** Edits are in a separate store, so that an edit does not write the image again. */
  works: { key: string; value: StoredWork };
  jobs: { key: string; value: StoredBatch };
  /** Waiting pictures are separate from `jobs`, which is written after every picture. */
  waiting: { key: string; value: WaitingPicture };
}

/** Stores the state in localStorage, for the first view, which does not open the database. */
export function rememberStorageState(state: StorageState): void {
  try {
    if (state === null) localStorage.removeItem(RECENT_RESULTS);
    else localStorage.setItem(RECENT_RESULTS, state);
  } catch {
    // Without localStorage there are no stored results either.
  }
}

/** The object stores of a result. */
const STORES = ['entries', 'contents', 'works'] as const;
/** The object stores that each database version added. */
const STORES_BY_VERSION = [STORES, ['jobs', 'waiting']] as const;

let connection: Promise<IDBPDatabase<Schema>> | null = null;
/** The resolved connection, because a page that is being unloaded cannot wait for the promise. */
let connected: IDBPDatabase<Schema> | null = null;
const deletionEvents = createStore(0);

/** Opens the database. One database has everything, so that it can be deleted as a whole. */
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
  const db = await openDB<Schema>(RECENT_RESULTS, STORES_BY_VERSION.length, {
    upgrade(db, from) {
      isNew = from === 0;
      for (const store of STORES_BY_VERSION.slice(from).flat())
        db.createObjectStore(store, { keyPath: 'id' });
    },
    // This or another tab deletes the database; an open connection would block the deletion.
    blocking() {
      disconnect();
      deletionEvents.set(deletionEvents.get() + 1);
    },
    terminated: disconnect,
  });
  if (isNew) await requireFileStorage(db);
  return db;
}

/**
 * Rejects if the database cannot store files. In private windows of WebKit, a transaction with a file and other data never
 * ends and blocks all later ones; a transaction with only a file fails immediately.
 */
async function requireFileStorage(db: IDBPDatabase<Schema>): Promise<void> {
  const probe = { id: 'trial', job: '', file: new File(['trial'], 'trial') };
  const { store, done } = db.transaction('waiting', 'readwrite');
  done.catch(() => {});
  try {
    // Deleted once the put has succeeded. Later transactions wait for this one.
    store.delete(await store.put(probe)).catch(() => {});
  } catch (error) {
    db.close();
    // The next connection then creates a new database and tests it again.
    await deleteDB(RECENT_RESULTS);
    throw error;
  }
}

/** Closes the connection after pending transactions: pages with an open one are excluded from the back/forward cache. */
export function disconnect(): void {
  connected?.close();
  connected = null;
  connection = null;
}

/** Subscribes to the deletion of the database. Returns an unsubscribe function. */
export const subscribeDeletedAll = deletionEvents.subscribe;

/** Results over the limits of number and total size. The newest is never among them. */
export function overLimits<T extends { bytes: number }>(newestFirst: readonly T[]): T[] {
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
export async function save(
  { picture, attempt, extraction }: RecognitionResult,
  owner: string,
): Promise<void> {
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
    await freeBytes(entry.bytes);
    await put(entry, content);
  }
}

/** With an open connection, the transaction starts synchronously, so that edits are written after it. */
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
  await removeOverLimits(db);
}

async function removeOverLimits(db: IDBPDatabase<Schema>): Promise<void> {
  const excess = overLimits(newestFirst(await db.getAll('entries')));
  await removeResults(
    db,
    excess.map(({ id }) => id),
  );
}

/** Deletes the oldest results until about this many bytes are free. */
async function freeBytes(bytes: number): Promise<void> {
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

/** Does nothing if the entry was deleted. */
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
 * Stores edits of a text. With an open connection, the write starts synchronously, so that it also works while the page
 * unloads.
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

/** Subscribes to saves of results that are not shown. Returns an unsubscribe function. */
export const subscribeSavedInBackground = backgroundSaves.subscribe;

/** Stores a result that is not shown. */
export async function saveInBackground(
  reading: RecognitionResult,
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

/** Assigns a result without an owner to `owner`. A result with an owner keeps it. */
export async function assignOwner(id: string, owner: string): Promise<void> {
  await updateEntry(await connect(), id, (entry) => (entry.owner === '' ? { ...entry, owner } : entry));
}

/**
 * Lists the results of one owner, newest first. `ids` are those of all owners; `hasWaiting`: whether any batch has waiting
 * pictures. Deletes results that are too old.
 */
export async function list(
  owner: string,
): Promise<{ results: RecentResult[]; ids: string[]; hasWaiting: boolean }> {
  const db = await connect();
  const [entries, works, jobs] = await Promise.all([
    db.getAll('entries'),
    db.getAllKeys('works'),
    db.count('jobs'),
  ]);
  const oldest = Date.now() - RECENT_RESULTS_LIMITS.days * DAY_MS;
  const current = entries.filter(({ readAt }) => readAt > oldest);
  const isCurrent = (id: string) => current.some((entry) => entry.id === id);
  const expired = [...entries.map(({ id }) => id), ...works].filter((id) => !isCurrent(id));
  if (expired.length > 0) await removeResults(db, expired);
  return {
    results: newestFirst(current).filter((entry) => entry.owner === owner),
    ids: current.map(({ id }) => id),
    hasWaiting: jobs > 0,
  };
}

/** Loads picture, text and edits of a result; null if it was deleted. */
export async function open(id: string): Promise<RecognitionResult | null> {
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

/** Removes a result and returns an undo function; null if the result did not exist. */
export async function remove(id: string): Promise<(() => Promise<void>) | null> {
  const db = await connect();
  const [entry, content, work] = await Promise.all([
    db.get('entries', id),
    db.get('contents', id),
    db.get('works', id),
  ]);
  // The browser may discard the file's data once it is removed from the database.
  const file = content && (await inMemory(content.file));
  await removeResults(db, [id]);
  if (!entry || !content || !file) return null;
  return async () => {
    const reopened = await connect();
    const change = reopened.transaction(STORES, 'readwrite');
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

/** Removes results and waiting pictures of one owner. */
export async function removeAllOfOwner(owner: string): Promise<void> {
  const { results } = await list(owner);
  const db = await connect();
  await removeResults(
    db,
    results.map(({ id }) => id),
  );
  const change = db.transaction(['jobs', 'waiting'], 'readwrite');
  const [jobs, waiting] = [change.objectStore('jobs'), change.objectStore('waiting')];
  const ownJobs = new Set((await jobs.getAll()).flatMap((job) => (job.owner === owner ? [job.id] : [])));
  const pictures = (await waiting.getAll()).filter(({ job }) => ownJobs.has(job));
  await Promise.all([
    ...[...ownJobs].map((id) => jobs.delete(id)),
    ...pictures.map(({ id }) => waiting.delete(id)),
    change.done,
  ]);
}
