const KEY = 'uncounted-readings';

/** Idempotency keys of readings on this device that wait to be counted. */
export function uncounted(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

export function keepUncounted(keys: readonly string[]): void {
  if (keys.length > 0) localStorage.setItem(KEY, keys.join(' '));
  else localStorage.removeItem(KEY);
}
