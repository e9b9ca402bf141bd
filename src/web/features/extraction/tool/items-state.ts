import {
  type ExtractionEvent,
  type ExtractionState,
  extractionReducer,
  initialState,
} from './extraction-state.ts';

/** One file of a list. Its `state` is that of a picture alone; `idle` if it was refused. */
export interface ListItem {
  id: string;
  file: File;
  state: ExtractionState;
  /** `asked`: it is read when it is its turn. `stopped`: it was taken out of the turns. */
  turn: 'none' | 'asked' | 'stopped';
  /** Of a page: the item of its document. */
  document?: string;
}

/** Why a list is not read to its end. */
export type Halt = 'limit' | 'person' | 'no-answer' | 'busy';

/** Several files that are read one after another, in this order. */
export interface List {
  id: string;
  items: readonly ListItem[];
  isRunning: boolean;
  /** Why it stopped, until it continues. */
  halt: Halt | null;
  /** The outcome of the last action on it, for a screen reader. */
  said: string;
}

export interface ItemsState {
  /** The picture alone, or the one whose text is open below the list. */
  shown: ExtractionState;
  list: List | null;
  useFiltering: boolean;
}

/** The id of the picture that is shown; items of a list have random ones. */
export const SHOWN = 'shown';

export type ItemsEvent =
  /** An event of one image; ignored if the image was deleted. */
  | { type: 'event'; id: string; event: ExtractionEvent }
  /** The list as it is now; its own events are reduced by the code that is loaded with it. */
  | { type: 'listed'; list: List | null }
  | { type: 'filtered'; useFiltering: boolean }
  | { type: 'person-changed' };

export const initialItems: ItemsState = { shown: initialState, list: null, useFiltering: true };

export function itemsReducer(state: ItemsState, event: ItemsEvent): ItemsState {
  const { shown, list } = state;
  switch (event.type) {
    case 'event':
      if (event.id === SHOWN) return { ...state, shown: extractionReducer(shown, event.event) };
      return { ...state, list: list && { ...list, items: list.items.map((item) => tellItem(item, event)) } };
    case 'listed':
      return { ...state, list: event.list };
    case 'filtered':
      return { ...state, useFiltering: event.useFiltering };
    case 'person-changed':
      // What stopped the list because of the former user no longer applies; the new one starts it again by a press.
      return { ...state, shown: extractionReducer(shown, event), list: list && { ...list, halt: null } };
  }
}

/** An item that was read has had its turn. */
export function tellItem(item: ListItem, { id, event }: { id: string; event: ExtractionEvent }): ListItem {
  if (item.id !== id) return item;
  const state = extractionReducer(item.state, event);
  const isDone = state.status === 'result' || state.status === 'failed';
  return { ...item, state, turn: isDone ? 'none' : item.turn };
}
