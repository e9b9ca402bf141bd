/** The name in storage is older than the term. */
const KEY = 'uncounted-readings';

/** Idempotency keys of on-device extractions that the server has not counted yet. */
export function pendingReports(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

export function storePendingReports(keys: readonly string[]): void {
  if (keys.length > 0) localStorage.setItem(KEY, keys.join(' '));
  else localStorage.removeItem(KEY);
}
