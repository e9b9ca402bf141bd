import {
  type ExtractionEvent,
  type ExtractionState,
  extractionReducer,
  initialState,
} from '../tool/extraction-state.ts';
import type { Rejection } from '../tool/image-file.ts';

/** One file of a batch. Its `state` is that of the tool for a single picture; `idle` if it was refused. */
export interface BatchEntry {
  id: string;
  file: File;
  state: ExtractionState;
  /** `asked`: it is read when it is its turn. `stopped`: it was taken out of the turns. */
  turn: 'none' | 'asked' | 'stopped';
  /** Of a page: the entry of its document. */
  document?: string;
}

export type BatchEvent =
  /** `at`: where in the list; at its end if left out. Pages are to be read if their document is. */
  | { type: 'added'; entries: readonly BatchEntry[]; at?: number }
  | { type: 'told'; id: string; event: ExtractionEvent }
  /** Replaces a file that could not be read as it was. */
  | { type: 'replaced'; id: string; file: File }
  /** All that wait, or the one that is named, are to be read. */
  | { type: 'asked'; id?: string }
  /** Nothing more is to be read, or not the one that is named. */
  | { type: 'stopped'; id?: string }
  | { type: 'moved'; id: string; to: number }
  | { type: 'removed'; id: string }
  | { type: 'cleared' };

export const isWaiting = ({ state }: BatchEntry) => state.status === 'selected';
/** What can be read is still being made of it, such as the pages of a document. */
export const isBeingOpened = ({ state }: BatchEntry) => Boolean(state.problem?.remedy?.underWay);
export const isBeingRead = ({ state }: BatchEntry) => state.status === 'processing';
export const isRead = ({ state }: BatchEntry) => state.status === 'result';

export function entryOf(file: File, problem: Rejection | null): BatchEntry {
  const state = problem
    ? extractionReducer(initialState, { type: 'rejected', problem })
    : extractionReducer(initialState, { type: 'chosen', file });
  return { id: crypto.randomUUID(), file, state, turn: 'none' };
}

/** Events about entries that are gone change nothing. */
export function batchReducer(entries: readonly BatchEntry[], event: BatchEvent): readonly BatchEntry[] {
  const changed = (id: string, change: (entry: BatchEntry) => BatchEntry) =>
    entries.map((entry) => (entry.id === id ? change(entry) : entry));
  switch (event.type) {
    case 'added': {
      const added = event.entries.map((entry) =>
        isWaiting(entry) && entries.some(({ id, turn }) => id === entry.document && turn === 'asked')
          ? { ...entry, turn: 'asked' as const }
          : entry,
      );
      return entries.toSpliced(event.at ?? entries.length, 0, ...added);
    }
    case 'told':
      return changed(event.id, (entry) => tell(entry, event.event));
    case 'replaced':
      return changed(event.id, (entry) => ({
        ...tell(entry, { type: 'chosen', file: event.file }),
        file: event.file,
      }));
    case 'asked':
      return event.id === undefined
        ? entries.map((entry) =>
            isWaiting(entry) || isBeingOpened(entry) ? { ...entry, turn: 'asked' } : entry,
          )
        : changed(event.id, (entry) => ({ ...entry, turn: 'asked' }));
    case 'stopped':
      return event.id === undefined
        ? entries.map((entry) => (entry.turn === 'asked' ? stopped(entry, 'none') : entry))
        : changed(event.id, (entry) => stopped(entry, 'stopped'));
    case 'moved': {
      const from = entries.findIndex(({ id }) => id === event.id);
      const entry = entries[from];
      return entry ? entries.toSpliced(from, 1).toSpliced(event.to, 0, entry) : entries;
    }
    case 'removed':
      return entries.filter(({ id }) => id !== event.id);
    case 'cleared':
      return [];
  }
}

/** A read entry has had its turn. */
function tell(entry: BatchEntry, event: ExtractionEvent): BatchEntry {
  const state = extractionReducer(entry.state, event);
  const isDone = state.status === 'result' || state.status === 'failed';
  return { ...entry, state, turn: isDone ? 'none' : entry.turn };
}

const stopped = (entry: BatchEntry, turn: 'none' | 'stopped'): BatchEntry => ({
  ...tell(entry, { type: 'cancelled' }),
  turn: entry.state.status === 'result' ? 'none' : turn,
});

/** The progress of a batch, in percent of what was asked for and what is read. */
export function percentOf(entries: readonly BatchEntry[]): number {
  const concerned = entries.filter((entry) => entry.turn === 'asked' || isRead(entry));
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
