import { storageState } from '../session/browser-data.ts';
import { deleteBatch, lockBatch, saveBatch, saveWaiting } from './batch-store.ts';

/* A single picture is kept as a list of one. */

/** The list, and the lock that shows other tabs that it is open. */
interface KeptAs {
  id: string;
  letGo: () => void;
}

/** For as long as this document has the picture. */
const lists = new WeakMap<File, KeptAs>();
let followed: File | null = null;
/** In sequence: a deletion must not be followed by an older write. */
let writing = Promise.resolve();

/** Keeps this picture and forgets the one before; null where there is none. */
export function followPicture(file: File | null, owner: string): void {
  const before = followed;
  followed = file;
  writing = writing
    .then(async () => {
      if (before && before !== file) await forget(before);
      if (file && followed === file && storageState() !== 'off') await keep(file, owner);
    })
    // If nothing can be stored, the page goes on without.
    .catch(() => {});
}

// The browser remembers a page that is left only without a lock.
window.addEventListener('pagehide', () => {
  if (followed) lists.get(followed)?.letGo();
});
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && followed && lists.has(followed)) hold(followed);
});

function hold(file: File): string {
  const id = lists.get(file)?.id ?? crypto.randomUUID();
  lists.get(file)?.letGo();
  lists.set(file, { id, letGo: lockBatch(id) });
  return id;
}

async function keep(file: File, owner: string): Promise<void> {
  const id = hold(file);
  // The picture has the id of its list, unlike a list that has one picture left.
  await saveWaiting(id, [{ id, file }]);
  await saveBatch({ id, owner, entries: [{ id, name: file.name, result: null }] });
}

async function forget(file: File): Promise<void> {
  const kept = lists.get(file);
  if (kept) await deleteBatch(kept.id);
}
