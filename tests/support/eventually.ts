import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds, such as an event in another process. */
export async function eventually(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await delay(20);
}
