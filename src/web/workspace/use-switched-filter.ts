import { useEffect, useRef } from 'react';
import type { TextDocument } from './text/use-text-document.ts';

/**
 * Follows the switch above a result: off brings back all that the filter left out, on hides it again. What stands in the
 * text when the result appears stays as it was left, whichever way the switch is.
 */
export function useSwitchedFilter(document: TextDocument, useFiltering: boolean): void {
  const last = useRef(useFiltering);
  useEffect(() => {
    if (last.current === useFiltering) return;
    last.current = useFiltering;
    const { hidden, stillHidden } = document;
    const isOut = new Set(stillHidden);
    if (useFiltering) document.hideAgain(...hidden.filter((piece) => !isOut.has(piece)));
    else document.bringBack(...stillHidden);
  });
}
