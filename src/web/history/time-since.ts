const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long something is past, for a list: "just now", "25 min ago", "3 h ago", "12 days ago". Milliseconds since 1970. */
export function timeSince(moment: number, now: number): string {
  const past = now - moment;
  if (past < MINUTE_MS) return 'just now';
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  const hours = Math.floor(past / HOUR_MS);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
