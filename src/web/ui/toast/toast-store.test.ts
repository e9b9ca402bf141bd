import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createToastStore, TOAST_REMOVE_DELAY_MS } from './toast-store.ts';

describe('the toast store', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a new toast is open and has the given title and description', () => {
    const store = createToastStore();
    store.toast({ title: 'Copied!', description: 'Text copied to clipboard' });
    expect(store.list()).toMatchObject([
      { title: 'Copied!', description: 'Text copied to clipboard', open: true },
    ]);
  });

  test('a new toast replaces the previous one', () => {
    const store = createToastStore();
    store.toast({ title: 'First' });
    store.toast({ title: 'Second' });
    expect(store.list().map((entry) => entry.title)).toEqual(['Second']);
  });

  test('a dismissed toast is closed immediately and removed 1,000,000 ms later', () => {
    const store = createToastStore();
    const { dismiss } = store.toast({ title: 'Downloaded!' });
    dismiss();
    expect(store.list()[0]?.open).toBe(false);
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS - 1);
    expect(store.list()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(store.list()).toEqual([]);
    expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  });

  test('toast store: dismissing without an id closes the visible toast', () => {
    const store = createToastStore();
    store.toast({ title: 'Success!' });
    store.dismiss();
    expect(store.list()[0]?.open).toBe(false);
  });

  test('dismissing twice does not delay the removal', () => {
    const store = createToastStore();
    const { id } = store.toast({ title: 'Success!' });
    store.dismiss(id);
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS / 2);
    store.dismiss(id);
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS / 2);
    expect(store.list()).toEqual([]);
  });

  test('a replaced toast leaves no timer that could remove its successor', () => {
    const store = createToastStore();
    store.toast({ title: 'Old' }).dismiss();
    store.toast({ title: 'New' });
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY_MS);
    expect(store.list()).toMatchObject([{ title: 'New', open: true }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('dismissing the handle of a replaced toast leaves the newer one open', () => {
    const store = createToastStore();
    const first = store.toast({ title: 'Old' });
    store.toast({ title: 'New' });
    first.dismiss();
    expect(store.list()).toMatchObject([{ title: 'New', open: true }]);
  });

  test('subscribers are notified of every change until they unsubscribe', () => {
    const store = createToastStore();
    const watcher = vi.fn();
    const unsubscribe = store.subscribe(watcher);
    const { dismiss } = store.toast({ title: 'One' });
    dismiss();
    unsubscribe();
    store.toast({ title: 'Two' });
    expect(watcher).toHaveBeenCalledTimes(2);
  });
});
