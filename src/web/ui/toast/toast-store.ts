import { createStore } from '../../state/create-store.ts';

/** How long a toast is shown, and how long a dismissed one stays in the store. */
export const TOAST_DURATION_MS = 5000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** Undoes what the message announces. */
  onUndo?: () => void;
}

export interface ToastEntry extends ToastMessage {
  id: number;
  /** False after dismissal. The toast stays in the store, so that it can animate out. */
  open: boolean;
}

export interface ToastHandle {
  id: number;
  dismiss: () => void;
}

/** A store of the newest toast. The page has one store; tests create their own. */
export function createToastStore() {
  const store = createStore<readonly ToastEntry[]>([]);
  let lastId = 0;
  let removal: ReturnType<typeof setTimeout>;

  /** Closes this toast; without an ID, the open one. */
  function dismiss(id?: number) {
    const [entry] = store.get();
    if (!entry?.open || (id !== undefined && entry.id !== id)) return;
    removal = setTimeout(() => store.set([]), TOAST_REMOVE_DELAY_MS);
    store.set([{ ...entry, open: false }]);
  }

  function toast(message: ToastMessage): ToastHandle {
    clearTimeout(removal);
    lastId += 1;
    const id = lastId;
    store.set([{ ...message, id, open: true }]);
    return { id, dismiss: () => dismiss(id) };
  }

  return { toast, dismiss, subscribe: store.subscribe, list: store.get };
}

export const toastStore = createToastStore();

/** Shows a message to the visitor. Errors are `destructive` and should also be shown in the page. */
export const { toast, dismiss } = toastStore;

/** Shows a destructive toast with the title "Error". */
export function toastError(description: string): void {
  toast({ title: 'Error', description, variant: 'destructive' });
}
