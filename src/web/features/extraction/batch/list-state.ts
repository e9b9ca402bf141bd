import { extractionReducer, initialState } from '../tool/extraction-state.ts';
import type { Rejection } from '../tool/image-file.ts';
import { type List, type ListItem, tellItem } from '../tool/items-state.ts';

/** What happens to the list; what happens to one of its pictures is in `itemsReducer`. */
export type ListEvent =
  /** `at`: where in the list; at its end if left out. Pages are to be read if their document is. */
  | { type: 'added'; items: readonly ListItem[]; at?: number | undefined }
  /** Replaces a file that could not be read as it was. */
  | { type: 'replaced'; id: string; file: File }
  /** All that wait, or the one that is named, are to be read. */
  | { type: 'asked'; id?: string | undefined }
  /** Nothing more is to be read, or not the one that is named. */
  | { type: 'stopped'; id?: string | undefined }
  | { type: 'moved'; id: string; to: number }
  | { type: 'removed'; id: string }
  | ({ type: 'changed' } & Partial<Pick<List, 'isRunning' | 'halt' | 'said'>>);

export const isWaiting = ({ state }: ListItem) => state.status === 'selected';
/** What can be read is still being made of it, such as the pages of a document. */
export const isBeingOpened = ({ state }: ListItem) => Boolean(state.problem?.remedy?.underWay);
export const isBeingRead = ({ state }: ListItem) => state.status === 'processing';
export const isRead = ({ state }: ListItem) => state.status === 'result';

export function listItemOf(file: File, problem: Rejection | null): ListItem {
  const state = problem
    ? extractionReducer(initialState, { type: 'rejected', problem })
    : extractionReducer(initialState, { type: 'chosen', file });
  return { id: crypto.randomUUID(), file, state, turn: 'none' };
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
    ? { ...list, items, said: `${moved.file.name} is now ${event.to + 1} of ${items.length}` }
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
        isWaiting(item) && items.some(({ id, turn }) => id === item.document && turn === 'asked')
          ? { ...item, turn: 'asked' as const }
          : item,
      );
      return items.toSpliced(event.at ?? items.length, 0, ...added);
    }
    case 'replaced':
      return changed(event.id, (item) => {
        const { id, file } = event;
        return { ...tellItem(item, { id, event: { type: 'chosen', file } }), file };
      });
    case 'asked':
      return event.id === undefined
        ? items.map((item) => (isWaiting(item) || isBeingOpened(item) ? { ...item, turn: 'asked' } : item))
        : changed(event.id, (item) => ({ ...item, turn: 'asked' }));
    case 'stopped':
      return event.id === undefined
        ? items.map((item) => (item.turn === 'asked' ? stopped(item, 'none') : item))
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

const stopped = (item: ListItem, turn: 'none' | 'stopped'): ListItem => ({
  ...tellItem(item, { id: item.id, event: { type: 'cancelled' } }),
  turn: item.state.status === 'result' ? 'none' : turn,
});

/** The progress of a list, in percent of what was asked for and what is read. */
export function percentOf(items: readonly ListItem[]): number {
  const concerned = items.filter((item) => item.turn === 'asked' || isRead(item));
  const sum = concerned.reduce((done, { state }) => {
    if (state.status === 'result') return done + 100;
    return done + (state.status === 'processing' ? state.percent : 0);
  }, 0);
  return concerned.length === 0 ? 0 : Math.floor(sum / concerned.length);
}

/**
 * How many of the waiting pictures the rest of the quota covers after those `onTheirWay`; null where it covers all or
 * is unknown.
 */
export function withinReach(
  waiting: number,
  onTheirWay: number,
  usage: { imageCount: number; dailyLimit: number } | undefined,
): number | null {
  if (!usage) return null;
  const left = Math.max(0, usage.dailyLimit - usage.imageCount - onTheirWay);
  return left < waiting ? left : null;
}
