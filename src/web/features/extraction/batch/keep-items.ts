import {
  type BatchToStore,
  deleteBatch,
  lockBatch,
  type StoredItem,
  saveBatch,
} from '../../../history/batch-store.ts';
import { deletionCount, storageState } from '../../../session/browser-data.ts';
import { readingOf } from '../tool/extraction-state.ts';
import type { Items } from '../tool/items.ts';
import type { ItemsState, ListItem } from '../tool/items-state.ts';
import { readingIn } from './batch.ts';

/** The ids of single pictures. */
const ids = new WeakMap<File, string>();

function idOf(file: File): string {
  const id = ids.get(file) ?? crypto.randomUUID();
  ids.set(file, id);
  return id;
}

/** The list to store, or a list with the single picture if that waits; null without either. */
function toKeep({ shown, list }: ItemsState): Omit<BatchToStore, 'owner'> | null {
  if (list)
    return { id: list.id, items: list.items.filter(({ state }) => state.status !== 'idle').map(stored) };
  if (shown.status === 'idle' || readingOf(shown)) return null;
  const { file } = shown.picture;
  const id = idOf(file);
  return { id, items: [{ id, file, result: null }] };
}

function stored(item: ListItem): StoredItem {
  const { id, file } = item;
  const reading = readingIn(item);
  if (!reading) return { id, file, result: null };
  const { attempt, extraction } = reading;
  // The text layer of a document cost no extraction, and must not replace a stored result that did.
  return attempt.fromDocument
    ? { id, file, result: null, own: { attempt, extraction } }
    : { id, file, result: attempt.extractionId };
}

/**
 * Stores the waiting files at each change of the list, until `signal` aborts. Progress events store nothing.
 * @param ownerNow a username; empty while signed out, undefined before that is known
 */
export function keepItems(items: Items, ownerNow: () => string | undefined, signal: AbortSignal): void {
  if (signal.aborted) return;
  let wanted = 'null';
  /** The stored list, with the lock that tells other tabs that it is open. */
  let kept: { id: string; release: () => void } | null = null;
  let owned = { id: '', owner: '' };
  let deletions = deletionCount();
  /** Id of a list that was deleted while it was open, for example by signing out. It is not stored again. */
  let forgotten: string | null = null;
  /** Writes run one at a time: writing an older list would delete pictures that it does not contain. */
  let writing = Promise.resolve();

  const write = async (next: BatchToStore | null) => {
    if (kept && kept.id !== next?.id) {
      const { id, release } = kept;
      kept = null;
      release();
      await deleteBatch(id);
    }
    if (!next) return;
    kept ??= { id: next.id, release: lockBatch(next.id) };
    await saveBatch(next);
  };
  const onChange = () => {
    const person = ownerNow();
    const found = person === undefined ? null : toKeep(items.state());
    if (deletions !== deletionCount()) {
      deletions = deletionCount();
      forgotten = found?.id ?? null;
      kept?.release();
      kept = null;
    }
    // The list keeps its first owner, so that no visitor sees it after the session has ended.
    if (found && (found.id !== owned.id || !owned.owner)) owned = { id: found.id, owner: person ?? '' };
    const next = found && found.id !== forgotten ? { ...found, owner: owned.owner } : null;
    const signature = JSON.stringify(
      next && [next.id, next.owner, next.items.map(({ id, result, own }) => [id, result, own !== undefined])],
    );
    if (signature === wanted) return;
    wanted = signature;
    const isWanted = () =>
      signature === wanted && deletions === deletionCount() && !signal.aborted && storageState() !== 'off';
    // If the browser cannot store the list, the page continues.
    writing = writing.then(() => (isWanted() ? write(next) : undefined)).catch(() => {});
  };
  const unsubscribe = items.subscribe(onChange);
  // Browsers put a page into the back/forward cache only if it holds no lock.
  window.addEventListener('pagehide', () => kept?.release(), { signal });
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted && kept) kept = { id: kept.id, release: lockBatch(kept.id) };
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    unsubscribe();
    kept?.release();
  });
  onChange();
}
