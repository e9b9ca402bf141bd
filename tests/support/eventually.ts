import { setTimeout as delay } from 'node:timers/promises';

/** Waits for what happens elsewhere: in another process, or in one’s own time. */
export async function eventually(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await delay(20);
}
