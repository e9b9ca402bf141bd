import {
  type ExtractionEvent,
  type ExtractionState,
  extractionReducer,
  initialState,
} from './extraction-state.ts';

/** One file of a list. Its `state` is like that of a single picture; `idle` if the file was refused. */
export interface ListItem {
  id: string;
  file: File;
  state: ExtractionState;
  /** Place in the queue. `queued`: waits to be read. `stopped`: the user has removed it from the queue. */
  queueState: 'none' | 'queued' | 'stopped';
  /** For a page: the id of its document's item. */
  document?: string;
}

/** The reason why the reading of a list stopped before its end. */
export type Halt = 'limit' | 'person' | 'no-answer' | 'busy';

/** Several files that are read one after another, in this order. */
export interface List {
  id: string;
  items: readonly ListItem[];
  isRunning: boolean;
  /** The reason of the last stop, until the reading continues. */
  halt: Halt | null;
  /** The outcome of the last action, for screen readers. */
  announcement: string;
}

export interface ItemsState {
  /** The single picture, or the picture whose result is open below the list. */
  shown: ExtractionState;
  list: List | null;
  useFiltering: boolean;
}

/** The id of the shown picture. Items of a list have random ids. */
export const SHOWN = 'shown';

export type ItemsEvent =
  /** An event of one image; ignored if the image was deleted. */
  | { type: 'event'; id: string; event: ExtractionEvent }
  /** Replaces the list. The list's reducer is loaded with the first list. */
  | { type: 'listed'; list: List | null }
  | { type: 'filtered'; useFiltering: boolean }
  | { type: 'person-changed' };

export const initialItems: ItemsState = { shown: initialState, list: null, useFiltering: true };

export function itemsReducer(state: ItemsState, event: ItemsEvent): ItemsState {
  const { shown, list } = state;
  switch (event.type) {
    case 'event':
      if (event.id === SHOWN) return { ...state, shown: extractionReducer(shown, event.event) };
      return {
        ...state,
        list: list && { ...list, items: list.items.map((item) => updateItem(item, event)) },
      };
    case 'listed':
      return { ...state, list: event.list };
    case 'filtered':
      return { ...state, useFiltering: event.useFiltering };
    case 'person-changed':
      // The reason of the stop concerned the previous user. The new user can start the list again.
      return { ...state, shown: extractionReducer(shown, event), list: list && { ...list, halt: null } };
  }
}

/** Applies an event to an item with this id. A finished item leaves the queue. */
export function updateItem(item: ListItem, { id, event }: { id: string; event: ExtractionEvent }): ListItem {
  if (item.id !== id) return item;
  const state = extractionReducer(item.state, event);
  const isDone = state.status === 'result' || state.status === 'failed';
  return { ...item, state, queueState: isDone ? 'none' : item.queueState };
}
