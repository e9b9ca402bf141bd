import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** Tasks that run until the test ends them, in the order in which they started. */
function createPages(queue: FairQueue) {
  const started: string[] = [];
  const free = new Map<string, () => void>();
  return {
    started,
    wait(owner: string, count: number, signal = new AbortController().signal) {
      return Array.from({ length: count }, (_, at) => {
        const name = `${owner} ${at + 1}`;
        const taken = queue.run(
          owner,
          signal,
          () =>
            new Promise<void>((resolve) => {
              started.push(name);
              free.set(name, resolve);
            }),
        );
        taken.catch(() => {});
        return taken;
      });
    },
    async end(name: string) {
      await settled();
      free.get(name)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const never = new AbortController().signal;

describe('fair queue', () => {
  it("runs another user's single page right after the current page of a job of a hundred", async () => {
    const pages = createPages(createFairQueue({ concurrency: 1 }));
    pages.wait('anna', 100);
    pages.wait('ben', 1);
    await pages.end('anna 1');
    await pages.end('ben 1');
    await pages.end('anna 2');
    expect(pages.started).toEqual(['anna 1', 'ben 1', 'anna 2', 'anna 3']);
  });

  it('alternates between all users with pages', async () => {
    const pages = createPages(createFairQueue({ concurrency: 1 }));
    pages.wait('anna', 3);
    pages.wait('ben', 3);
    pages.wait('carl', 3);
    for (const name of ['anna 1', 'ben 1', 'carl 1', 'anna 2', 'ben 2']) await pages.end(name);
    expect(pages.started).toEqual(['anna 1', 'ben 1', 'carl 1', 'anna 2', 'ben 2', 'carl 2']);
  });

  it('gives all slots to a single user, and the next free slot to the user with fewer running pages', async () => {
    const pages = createPages(createFairQueue({ concurrency: 3 }));
    pages.wait('anna', 6);
    pages.wait('ben', 2);
    await settled();
    expect(pages.started).toEqual(['anna 1', 'anna 2', 'anna 3']);
    await pages.end('anna 1');
    await pages.end('anna 2');
    await pages.end('anna 3');
    expect(pages.started.slice(3)).toEqual(['ben 1', 'anna 4', 'ben 2']);
  });

  it('skips cancelled tasks, and continues after a failure', async () => {
    const queue = createFairQueue({ concurrency: 1 });
    const pages = createPages(queue);
    const given = new AbortController();
    pages.wait('anna', 1);
    const [waiting] = pages.wait('ben', 1, given.signal);
    given.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    const failing = queue.run('carl', never, () => Promise.reject(new Error('damaged')));
    failing.catch(() => {});
    pages.wait('dora', 1);
    await pages.end('anna 1');
    await expect(failing).rejects.toThrow('damaged');
    await settled();
    expect(pages.started).toEqual(['anna 1', 'dora 1']);
  });
});

describe('fair queue with a limit per owner', () => {
  const full = () => new Error('full');

  it('rejects the third task of an owner with one running and one waiting, and runs those of others', async () => {
    const pages = createPages(
      createFairQueue({ concurrency: 2, perOwner: { concurrency: 1, waiting: 1, full } }),
    );
    const [, , third] = pages.wait('anna', 3);
    await expect(third).rejects.toThrow('full');
    pages.wait('ben', 1);
    pages.wait('carl', 1);
    await settled();
    expect(pages.started).toEqual(['anna 1', 'ben 1']);
    await pages.end('anna 1');
    await pages.end('carl 1');
    expect(pages.started).toEqual(['anna 1', 'ben 1', 'carl 1', 'anna 2']);
  });

  it('lets an owner without a running task queue as many tasks as other owners may run and queue in all', async () => {
    const pages = createPages(
      createFairQueue({ concurrency: 1, perOwner: { concurrency: 1, waiting: 1, full } }),
    );
    pages.wait('anna', 2);
    const [first, , third] = pages.wait('ben', 3);
    await expect(third).rejects.toThrow('full');
    await pages.end('anna 1');
    await pages.end('ben 1');
    await expect(first).resolves.toBeUndefined();
  });
});
