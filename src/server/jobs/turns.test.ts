import { describe, expect, it } from 'vitest';
import { createTurns, type Turns } from './turns.ts';

/** Pages that are in work until the test lets them go, in the order in which their turn came. */
function createPages(turns: Turns) {
  const started: string[] = [];
  const free = new Map<string, () => void>();
  return {
    started,
    wait(owner: string, count: number, signal = new AbortController().signal) {
      return Array.from({ length: count }, (_, at) => {
        const name = `${owner} ${at + 1}`;
        const taken = turns.take(
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

/** The owner of the current turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const never = new AbortController().signal;

describe('turns of pages', () => {
  it("of a job of a hundred pages leave the very next one to another user's single page", async () => {
    const pages = createPages(createTurns({ atOnce: 1 }));
    pages.wait('anna', 100);
    pages.wait('ben', 1);
    await pages.end('anna 1');
    await pages.end('ben 1');
    await pages.end('anna 2');
    expect(pages.started).toEqual(['anna 1', 'ben 1', 'anna 2', 'anna 3']);
  });

  it('go round among all who have pages', async () => {
    const pages = createPages(createTurns({ atOnce: 1 }));
    pages.wait('anna', 3);
    pages.wait('ben', 3);
    pages.wait('carl', 3);
    for (const name of ['anna 1', 'ben 1', 'carl 1', 'anna 2', 'ben 2']) await pages.end(name);
    expect(pages.started).toEqual(['anna 1', 'ben 1', 'carl 1', 'anna 2', 'ben 2', 'carl 2']);
  });

  it('all go to one user without competition, and first to the user with fewer in work', async () => {
    const pages = createPages(createTurns({ atOnce: 3 }));
    pages.wait('anna', 6);
    pages.wait('ben', 2);
    await settled();
    expect(pages.started).toEqual(['anna 1', 'anna 2', 'anna 3']);
    await pages.end('anna 1');
    await pages.end('anna 2');
    await pages.end('anna 3');
    expect(pages.started.slice(3)).toEqual(['ben 1', 'anna 4', 'ben 2']);
  });

  it('are not waited for any more when they are given up, and go on after a failure', async () => {
    const turns = createTurns({ atOnce: 1 });
    const pages = createPages(turns);
    const given = new AbortController();
    pages.wait('anna', 1);
    const [waiting] = pages.wait('ben', 1, given.signal);
    given.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    const failing = turns.take('carl', never, () => Promise.reject(new Error('damaged')));
    failing.catch(() => {});
    pages.wait('dora', 1);
    await pages.end('anna 1');
    await expect(failing).rejects.toThrow('damaged');
    await settled();
    expect(pages.started).toEqual(['anna 1', 'dora 1']);
  });
});

describe('turns of which one owner has a limited share', () => {
  const full = () => new Error('full');

  it('one owner has one piece in work and one waiting; a third is refused, and others go on', async () => {
    const pages = createPages(createTurns({ atOnce: 2, ofOne: { atOnce: 1, waiting: 1, full } }));
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

  it('an owner without a piece in work has as many waiting as others have in all', async () => {
    const pages = createPages(createTurns({ atOnce: 1, ofOne: { atOnce: 1, waiting: 1, full } }));
    pages.wait('anna', 2);
    const [first, , third] = pages.wait('ben', 3);
    await expect(third).rejects.toThrow('full');
    await pages.end('anna 1');
    await pages.end('ben 1');
    await expect(first).resolves.toBeUndefined();
  });
});
