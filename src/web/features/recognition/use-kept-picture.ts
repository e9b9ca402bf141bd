import { useEffect, useRef } from 'react';
import { keepingOfResults } from '../../keeping-results.ts';

const loadStore = () => import('./job/job-store.ts');

/** The list of one that a picture is kept as, and what tells other tabs that it is open. */
interface KeptAs {
  id: string;
  letGo: () => void;
}

/** For as long as this document has the picture. */
const lists = new WeakMap<File, KeptAs>();

async function hold(file: File): Promise<string> {
  const { holdJob } = await loadStore();
  const id = lists.get(file)?.id ?? crypto.randomUUID();
  lists.get(file)?.letGo();
  lists.set(file, { id, letGo: holdJob(id) });
  return id;
}

async function keep(file: File, owner: string): Promise<void> {
  const { keepJob, keepWaiting } = await loadStore();
  const id = await hold(file);
  // The picture is called like its list, which tells it from a list that has come down to one.
  await keepWaiting(id, [{ id, file }]);
  await keepJob({ id, owner, entries: [{ id, name: file.name, result: null }] });
}

async function forget(file: File): Promise<void> {
  const { forgetJob } = await loadStore();
  const kept = lists.get(file);
  if (kept) await forgetJob(kept.id);
}

/**
 * Has the picture that waits, or is being read, outlive the page as a list of several does; null where there is none. A visit
 * to another page of this document ends nothing.
 */
export function useKeptPicture(file: File | null, owner: string): void {
  const kept = useRef<File | null>(null);
  /** One after the other: what is given up must not be written later. */
  const writing = useRef(Promise.resolve());
  useEffect(() => {
    const before = kept.current;
    kept.current = file;
    writing.current = writing.current
      .then(async () => {
        if (before && before !== file) await forget(before);
        if (file && kept.current === file && keepingOfResults() !== 'off') await keep(file, owner);
      })
      // Where nothing can be kept, the page goes on as it would without.
      .catch(() => {});
  }, [file, owner]);
  useEffect(() => {
    if (!file) return;
    // The browser remembers a page that is left only without a lock.
    const onLeave = () => lists.get(file)?.letGo();
    const onReturn = ({ persisted }: PageTransitionEvent) => {
      if (persisted && lists.has(file)) void hold(file).catch(() => {});
    };
    window.addEventListener('pagehide', onLeave);
    window.addEventListener('pageshow', onReturn);
    return () => {
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [file]);
}
