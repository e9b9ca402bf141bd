import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { residentBytes, watchMemory } from './memory-watch.ts';

/** As on a busy machine: several reads of the memory run at once. */
describe.runIf(process.platform === 'linux')('watchMemory', () => {
  let seen: number[];
  let end: () => void;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    seen = [];
    end = watchMemory(process.pid, 1, (bytes) => seen.push(bytes));
    vi.advanceTimersByTime(1_000);
  });
  afterEach(() => {
    end();
    vi.useRealTimers();
  });
  const readAgain = async () => {
    for (let time = 0; time < 10; time++) await residentBytes(process.pid);
  };

  it('reports a process above its limit once', async () => {
    await expect.poll(() => seen).not.toEqual([]);
    await readAgain();
    expect(seen).toHaveLength(1);
  });

  it('reports nothing once it has ended', async () => {
    end();
    await readAgain();
    expect(seen).toEqual([]);
  });
});
