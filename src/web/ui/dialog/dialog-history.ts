/*
 * An open dialog is an entry in the browser's history, so that Back (a phone's gesture above all) closes it and does
 * not leave the page. The entry has the same address and is hidden from the router.
 */

const MARK = 'glyphliftDialog';

/** Closes the dialog of the entry; null without one. */
let close: (() => void) | null = null;
/** The entry exists: a dialog uses it, or has just closed and another may follow. */
let hasEntry = false;
/** `history.back()` was called, and has not arrived yet. */
let returning = false;
let address = '';
/** Callbacks for when no dialog has a history entry any more. */
let waiting: Array<() => void> = [];

const isOnEntry = () => Boolean(window.history.state?.[MARK]);

function pushEntry(): void {
  hasEntry = true;
  address = location.href;
  // After a reload with an open dialog its entry still exists and is reused.
  if (!isOnEntry()) window.history.pushState({ ...window.history.state, [MARK]: true }, '');
}

function onPop(event: PopStateEvent): void {
  if (returning) {
    returning = false;
    event.stopImmediatePropagation();
    if (close) pushEntry();
    else runWaiting();
    return;
  }
  if (!hasEntry || isOnEntry()) return;
  hasEntry = false;
  // A jump over several entries leads to another page, which the router shows.
  if (location.href === address) event.stopImmediatePropagation();
  close?.();
}

function runWaiting(): void {
  const acts = waiting;
  waiting = [];
  for (const act of acts) act();
}

/** Runs `act` once the closing dialog has removed its history entry: a navigation before that would be undone with it. */
export function afterDialogs(act: () => void): void {
  if (hasEntry || returning) waiting.push(act);
  else act();
}

let listening = false;

/** Adds the entry for an opening dialog; the returned function removes it. Dialogs that follow one another share one. */
export function enterDialogHistory(onBack: () => void): () => void {
  if (!listening) {
    listening = true;
    // In the capture phase, ahead of the router.
    window.addEventListener('popstate', onPop, { capture: true });
  }
  close = onBack;
  if (!hasEntry && !returning) pushEntry();
  return () => {
    if (close !== onBack) return;
    close = null;
    // Another dialog may open right now and use the same entry.
    setTimeout(() => {
      if (close || !hasEntry) return;
      hasEntry = false;
      // After a navigation from the dialog, its history entry is no longer current.
      if (!isOnEntry()) return runWaiting();
      returning = true;
      window.history.back();
    });
  };
}
