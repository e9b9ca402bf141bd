/*
 * An open dialog has an entry in the browser's history, so that Back closes the dialog and does not leave the page. On
 * phones, Back is a common way to close a dialog. The entry has the same URL and is hidden from the router.
 */

const STATE_KEY = 'glyphliftDialog';

/** Closes the open dialog; null without one. */
let close: (() => void) | null = null;
/** Whether the entry exists: a dialog uses it, or has just closed and another may reuse it. */
let hasEntry = false;
/** Whether `history.back()` was called and its `popstate` event is still pending. */
let isReturning = false;
let address = '';
/** Callbacks that run once no dialog has a history entry. */
let queue: Array<() => void> = [];

const isOnEntry = () => Boolean(window.history.state?.[STATE_KEY]);

function pushEntry(): void {
  hasEntry = true;
  address = location.href;
  // After a reload with an open dialog, its entry still exists and is reused.
  if (!isOnEntry()) window.history.pushState({ ...window.history.state, [STATE_KEY]: true }, '');
}

function onPop(event: PopStateEvent): void {
  if (isReturning) {
    isReturning = false;
    event.stopImmediatePropagation();
    if (close) pushEntry();
    else runQueue();
    return;
  }
  if (!hasEntry || isOnEntry()) return;
  hasEntry = false;
  // A jump over several entries changes the URL, and the router shows that page.
  if (location.href === address) event.stopImmediatePropagation();
  close?.();
}

function runQueue(): void {
  const callbacks = queue;
  queue = [];
  for (const act of callbacks) act();
}

/**
 * Runs `act` once the closing dialog has removed its history entry, because going back would undo an earlier
 * navigation.
 */
export function afterDialogs(act: () => void): void {
  if (hasEntry || isReturning) queue.push(act);
  else act();
}

let isListening = false;

/** Adds the entry for an opening dialog. Returns a function that removes it. Consecutive dialogs share one entry. */
export function enterDialogHistory(onBack: () => void): () => void {
  if (!isListening) {
    isListening = true;
    // The capture phase runs before the router's listener.
    window.addEventListener('popstate', onPop, { capture: true });
  }
  close = onBack;
  if (!hasEntry && !isReturning) pushEntry();
  return () => {
    if (close !== onBack) return;
    close = null;
    // Another dialog may open right now and use the same entry.
    setTimeout(() => {
      if (close || !hasEntry) return;
      hasEntry = false;
      // After a navigation from the dialog, its history entry is no longer current.
      if (!isOnEntry()) return runQueue();
      isReturning = true;
      window.history.back();
    });
  };
}
