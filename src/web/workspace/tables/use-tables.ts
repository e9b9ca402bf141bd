import { useEffect, useState } from 'react';
import { itemAt } from '#formats/checked';
import type { TableEdit } from '#formats/table-edits';
import { lazyModule, useLazy } from '../../hydration/lazy.tsx';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { TextDocument } from '../text/use-text-document.ts';
import type { FoundTable } from './found-tables.ts';

/** Delay after typing before the text is searched again. */
const PAUSE_MS = 400;

const NO_TABLES: readonly FoundTable[] = [];

/** Loaded with the first text, so it is loaded whenever a table is shown. */
const finder = lazyModule(async () => (await import('./found-tables.ts')).foundTables);

const panel = lazyModule(async () => (await import('./table-panel.tsx')).TablePanel);

/**
 * The tables of the text at the last pause in typing, the panel that shows them, and their actions. `tablesNow` returns the
 * tables of the current text. Without word boxes there are no tables.
 */
export function useTables(document: TextDocument, name: string, hasWordBoxes = true) {
  const { mapped, exportSource, filled, notTables } = document;
  const { tables: changed } = document.state;
  const [tables, setTables] = useState(NO_TABLES);
  const tablesNow = useEventCallback(() => finder.get()?.({ name, ...exportSource() }) ?? NO_TABLES);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tablesNow` reads the text when the timer fires
  useEffect(() => {
    if (!hasWordBoxes) return;
    let isCancelled = false;
    const look = async () => {
      await finder.load();
      if (isCancelled) return;
      const found = tablesNow();
      setTables(found.length > 0 ? found : NO_TABLES);
    };
    // If the code cannot be loaded, no tables are shown.
    const timer = setTimeout(() => look().catch(() => {}), PAUSE_MS);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [hasWordBoxes, mapped, filled, notTables, changed, tablesNow]);
  const TablePanel = useLazy(panel, { enabled: tables.length > 0, attempt: tables });
  const correctCell = useEventCallback((index: number, row: number, column: number, text: string) =>
    document.correctCell(tablesNow()[index]?.table, { row, column }, text),
  );
  const editTable = useEventCallback(
    (index: number, edit: TableEdit, place: { row: number; column: number }) =>
      document.editTable(tablesNow()[index]?.table, edit, place),
  );
  const rejectTable = useEventCallback((index: number) => document.rejectTable(itemAt(tables, index).pieces));
  return { tables, tablesNow, TablePanel, correctCell, editTable, rejectTable };
}
