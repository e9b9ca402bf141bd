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

/** The ids of pictures alone, for as long as this document has them. */
const ids = new WeakMap<File, string>();

function idOf(file: File): string {
  const id = ids.get(file) ?? crypto.randomUUID();
  ids.set(file, id);
  return id;
}

/** A list, or a picture alone that waits, as a list of one that has its own id; null where there is none. */
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
  // The text is the document's own: it cost nothing, and must not push out a result that did.
  return attempt.fromDocument
    ? { id, file, result: null, own: { attempt, extraction } }
    : { id, file, result: attempt.extractionId };
}

/**
 * Stores what waits whenever it changes, and not with every step of a reading, until `signal` aborts.
 * @param ownerNow a username; empty while signed out, undefined before that is known
 */
export function keepItems(items: Items, ownerNow: () => string | undefined, signal: AbortSignal): void {
  if (signal.aborted) return;
  let wanted = 'null';
  /** The list on the disk, with the lock that shows other tabs that it is open. */
  let kept: { id: string; release: () => void } | null = null;
  let owned = { id: '', owner: '' };
  let deletions = deletionCount();
  /** Everything was deleted while this was open, as on signing out: it is not stored again. */
  let forgotten: string | null = null;
  /** One at a time: writing an older list would delete pictures that it does not contain. */
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
  const follow = () => {
    const person = ownerNow();
    const found = person === undefined ? null : toKeep(items.state());
    if (deletions !== deletionCount()) {
      deletions = deletionCount();
      forgotten = found?.id ?? null;
      kept?.release();
      kept = null;
    }
    // It stays with its first owner, so that no visitor is offered it once the session has ended.
    if (found && (found.id !== owned.id || !owned.owner)) owned = { id: found.id, owner: person ?? '' };
    const next = found && found.id !== forgotten ? { ...found, owner: owned.owner } : null;
    const signature = JSON.stringify(
      next && [next.id, next.owner, next.items.map(({ id, result, own }) => [id, result, own !== undefined])],
    );
    if (signature === wanted) return;
    wanted = signature;
    const isWanted = () =>
      signature === wanted && deletions === deletionCount() && !signal.aborted && storageState() !== 'off';
    // If nothing can be stored, the page continues without.
    writing = writing.then(() => (isWanted() ? write(next) : undefined)).catch(() => {});
  };
  const unsubscribe = items.subscribe(follow);
  // The browser remembers a page that is left only without a lock.
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
  follow();
}
