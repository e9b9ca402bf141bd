import { useEffect, useState } from 'react';
import type { Extraction } from '#contract/extraction';
import type { FoundTable, foundTables } from './found-tables.ts';
import { useSteady } from './use-steady.ts';
import type { TextDocument } from './use-text-document.ts';

/** How long somebody has stopped writing before the text is looked through once more. */
const PAUSE_MS = 400;

const NONE: readonly FoundTable[] = [];

/** Fetched with the first text; a table that is shown has it. */
let find: typeof foundTables | null = null;

/** The tables of the text as it was at the last pause; `tablesNow`: as they are now, for who takes or changes them. */
export function useTables(document: TextDocument, extraction: Extraction, name: string) {
  const { mapped, taken, filled, notTables } = document;
  const [tables, setTables] = useState(NONE);
  const tablesNow = useSteady(() => find?.({ extraction, name, ...taken() }) ?? NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is looked through is what stands there then
  useEffect(() => {
    let left = false;
    const look = async () => {
      find ??= (await import('./found-tables.ts')).foundTables;
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
  }, [mapped, filled, notTables, tablesNow]);
  return { tables, tablesNow };
}
