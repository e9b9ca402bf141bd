import { expect, it } from 'vitest';
import { createGate } from './gate.ts';

/** Work that ends on demand. */
function createWork() {
  let ended = 0;
  const running: Array<() => void> = [];
  return {
    work: () => new Promise<number>((resolve) => running.push(() => resolve(++ended))),
    running,
    endOne: () => running.shift()?.(),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('runs no more at once than its limit, and the others in their order', async () => {
  const gate = createGate({ atOnce: 2, waiting: 10, full: () => new Error('full') });
  const { work, running, endOne } = createWork();
  const results = [1, 2, 3, 4, 5].map(() => gate(work));
  for (const expected of [2, 2, 2, 2, 1]) {
    expect(running).toHaveLength(expected);
    endOne();
    await settled();
  }
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
});

it('refuses what finds no place to wait, and takes more once there is one', async () => {
  const gate = createGate({ atOnce: 1, waiting: 1, full: () => new Error('full') });
  const { work, endOne } = createWork();
  const first = gate(work);
  const second = gate(work);
  await expect(gate(work)).rejects.toThrow('full');
  endOne();
  await first;
  const third = gate(work);
  endOne();
  await second;
  endOne();
  await expect(third).resolves.toBe(3);
});

it('goes on after work that failed', async () => {
  const gate = createGate({ atOnce: 1, waiting: 1, full: () => new Error('full') });
  const failing = gate(() => Promise.reject(new Error('broken')));
  const next = gate(async () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('fine');
});
