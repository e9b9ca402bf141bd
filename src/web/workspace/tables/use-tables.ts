import { useEffect, useState } from 'react';
import { itemAt } from '#formats/checked';
import type { TableEdit } from '#formats/table-edits';
import { lazyModule, useLazy } from '../../hydration/lazy.tsx';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { TextDocument } from '../text/use-text-document.ts';
import type { FoundTable } from './found-tables.ts';

/** The pause in typing before the text is searched again. */
const PAUSE_MS = 400;

const NONE: readonly FoundTable[] = [];

/** Fetched with the first text; a table that is shown has it. */
const finder = lazyModule(async () => (await import('./found-tables.ts')).foundTables);

const panel = lazyModule(async () => (await import('./table-panel.tsx')).TablePanel);

/**
 * The tables of the text as it was at the last pause, the panel that shows them, and what can be done to one; `tablesNow`: as
 * they are now. Only words with places make tables.
 */
export function useTables(document: TextDocument, name: string, hasPlaces = true) {
  const { mapped, taken, filled, notTables } = document;
  const { tables: changed } = document.state;
  const [tables, setTables] = useState(NONE);
  const tablesNow = useEventCallback(() => finder.get()?.({ name, ...taken() }) ?? NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked through is what stands there then
  useEffect(() => {
    if (!hasPlaces) return;
    let left = false;
    const look = async () => {
      await finder.load();
      if (left) return;
      const found = tablesNow();
      setTables(found.length > 0 ? found : NONE);
    };
    // What cannot be fetched is not offered; the text is all there without it.
    const timer = setTimeout(() => look().catch(() => {}), PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [hasPlaces, mapped, filled, notTables, changed, tablesNow]);
  const TablePanel = useLazy(panel, { enabled: tables.length > 0, attempt: tables });
  const correctCell = useEventCallback((index: number, row: number, column: number, says: string) =>
    document.correctCell(tablesNow()[index]?.table, { row, column }, says),
  );
  const editTable = useEventCallback(
    (index: number, edit: TableEdit, place: { row: number; column: number }) =>
      document.editTable(tablesNow()[index]?.table, edit, place),
  );
  const rejectTable = useEventCallback((index: number) => document.rejectTable(itemAt(tables, index).pieces));
  return { tables, tablesNow, TablePanel, correctCell, editTable, rejectTable };
}
