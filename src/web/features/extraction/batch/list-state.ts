import { extractionReducer, initialState } from '../tool/extraction-state.ts';
import type { Rejection } from '../tool/image-file.ts';
import { type List, type ListItem, updateItem } from '../tool/items-state.ts';

/** Events of the list. `itemsReducer` handles the events of one picture. */
export type ListEvent =
  /** `at`: index in the list; the end by default. Pages are queued if their document is queued. */
  | { type: 'added'; items: readonly ListItem[]; at?: number | undefined }
  /** Replaces a file by a repaired one. */
  | { type: 'replaced'; id: string; file: File }
  /** Queues one item, or all waiting items. */
  | { type: 'queued'; id?: string | undefined }
  /** Stops one item, or all items. */
  | { type: 'stopped'; id?: string | undefined }
  | { type: 'moved'; id: string; to: number }
  | { type: 'removed'; id: string }
  | ({ type: 'changed' } & Partial<Pick<List, 'isRunning' | 'halt' | 'announcement'>>);

export const isWaiting = ({ state }: ListItem) => state.status === 'selected';
/** Whether the pages of a document are being opened, or a file is being repaired. */
export const isBeingOpened = ({ state }: ListItem) => Boolean(state.problem?.remedy?.busyLabel);
export const isBeingRead = ({ state }: ListItem) => state.status === 'processing';
export const isRead = ({ state }: ListItem) => state.status === 'result';

export function listItemOf(file: File, problem: Rejection | null): ListItem {
  const state = problem
    ? extractionReducer(initialState, { type: 'rejected', problem })
    : extractionReducer(initialState, { type: 'chosen', file });
  return { id: crypto.randomUUID(), file, state, queueState: 'none' };
}

/** Events of deleted items are ignored. */
export function listReducer(list: List, event: ListEvent): List {
  if (event.type === 'changed') {
    const { type: _, ...change } = event;
    return { ...list, ...change };
  }
  const items = reduceItems(list.items, event);
  const moved = event.type === 'moved' && items.find(({ id }) => id === event.id);
  return moved
    ? { ...list, items, announcement: `${moved.file.name} is now ${event.to + 1} of ${items.length}` }
    : { ...list, items };
}

function reduceItems(
  items: readonly ListItem[],
  event: Exclude<ListEvent, { type: 'changed' }>,
): readonly ListItem[] {
  const changed = (id: string, change: (item: ListItem) => ListItem) =>
    items.map((item) => (item.id === id ? change(item) : item));
  switch (event.type) {
    case 'added': {
      const added = event.items.map((item) =>
        isWaiting(item) && items.some(({ id, queueState }) => id === item.document && queueState === 'queued')
          ? { ...item, queueState: 'queued' as const }
          : item,
      );
      return items.toSpliced(event.at ?? items.length, 0, ...added);
    }
    case 'replaced':
      return changed(event.id, (item) => {
        const { id, file } = event;
        return { ...updateItem(item, { id, event: { type: 'chosen', file } }), file };
      });
    case 'queued':
      return event.id === undefined
        ? items.map((item) =>
            isWaiting(item) || isBeingOpened(item) ? { ...item, queueState: 'queued' } : item,
          )
        : changed(event.id, (item) => ({ ...item, queueState: 'queued' }));
    case 'stopped':
      return event.id === undefined
        ? items.map((item) => (item.queueState === 'queued' ? stopped(item, 'none') : item))
        : changed(event.id, (item) => stopped(item, 'stopped'));
    case 'moved': {
      const from = items.findIndex(({ id }) => id === event.id);
      const item = items[from];
      return item ? items.toSpliced(from, 1).toSpliced(event.to, 0, item) : items;
    }
    case 'removed':
      return items.filter(({ id }) => id !== event.id);
  }
}

const stopped = (item: ListItem, queueState: 'none' | 'stopped'): ListItem => ({
  ...updateItem(item, { id: item.id, event: { type: 'cancelled' } }),
  queueState: item.state.status === 'result' ? 'none' : queueState,
});

/** The progress of a list in percent, over its queued and finished items. */
export function percentOf(items: readonly ListItem[]): number {
  const counted = items.filter((item) => item.queueState === 'queued' || isRead(item));
  const sum = counted.reduce((done, { state }) => {
    if (state.status === 'result') return done + 100;
    return done + (state.status === 'processing' ? state.percent : 0);
  }, 0);
  return counted.length === 0 ? 0 : Math.floor(sum / counted.length);
}

/**
 * The number of extractions that are left for the waiting pictures after the running ones (`inFlight`); null if the quota
 * covers all of them or is unknown.
 */
export function extractionsLeft(
  waiting: number,
  inFlight: number,
  usage: { imageCount: number; dailyLimit: number } | undefined,
): number | null {
  if (!usage) return null;
  const left = Math.max(0, usage.dailyLimit - usage.imageCount - inFlight);
  return left < waiting ? left : null;
}
