import { createStore } from '../../state/create-store.ts';

export const TOAST_LIMIT = 1;
/** How long a toast is shown, and how long a dismissed one is still kept, in milliseconds. */
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
  /** False from dismissal on, so that the toast can leave with its motion before it is removed. */
  open: boolean;
}

export interface ToastHandle {
  id: number;
  dismiss: () => void;
}

/** One list of toasts and those who watch it; a page has one, a test makes its own. */
export function createToastStore() {
  const store = createStore<readonly ToastEntry[]>([]);
  let lastId = 0;
  const removals = new Map<number, ReturnType<typeof setTimeout>>();

  function set(next: readonly ToastEntry[]) {
    for (const [id, timer] of removals) {
      if (!next.some((entry) => entry.id === id)) {
        clearTimeout(timer);
        removals.delete(id);
      }
    }
    store.set(next);
  }

  function remove(id: number) {
    set(store.get().filter((entry) => entry.id !== id));
  }

  function dismiss(id?: number) {
    const concerned = (entry: ToastEntry) => entry.open && (id === undefined || entry.id === id);
    for (const entry of store.get().filter(concerned)) {
      removals.set(
        entry.id,
        setTimeout(() => remove(entry.id), TOAST_REMOVE_DELAY_MS),
      );
    }
    set(store.get().map((entry) => (concerned(entry) ? { ...entry, open: false } : entry)));
  }

  function toast(message: ToastMessage): ToastHandle {
    lastId += 1;
    const id = lastId;
    set([{ ...message, id, open: true }, ...store.get()].slice(0, TOAST_LIMIT));
    return { id, dismiss: () => dismiss(id) };
  }

  return { toast, dismiss, subscribe: store.subscribe, list: store.get };
}

export const toastStore = createToastStore();

/** Shows a message to the visitor; errors are `destructive` and should also stay visible in place. */
export const { toast, dismiss } = toastStore;

/** The error catalogue's default: a destructive toast titled Error. */
export function toastError(description: string): void {
  toast({ title: 'Error', description, variant: 'destructive' });
}
