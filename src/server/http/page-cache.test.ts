import { describe, expect, it } from 'vitest';
import { createPageCache } from './page-cache.ts';

const pageOf = (text: string, isCanonical = true) => ({ isCanonical, bytes: Buffer.from(text) });

/** Renders pages and counts them. */
function createRenderer(isCanonical = true) {
  let rendered = 0;
  const render = async () => pageOf(`page ${++rendered}`, isCanonical);
  return { render, count: () => rendered };
}

describe('a cached page', () => {
  it('is rendered once for parallel and later requests', async () => {
    const pages = createPageCache();
    const { render, count } = createRenderer();
    const ask = () => pages.get('10:00', '/', render);
    const [first, ...others] = await Promise.all([ask(), ask(), ask()]);
    expect(others).toEqual([first, first]);
    expect(await ask()).toBe(first);
    expect(count()).toBe(1);
  });

  it('is not used for other data or in another minute', async () => {
    const pages = createPageCache();
    const { render } = createRenderer();
    const texts: string[] = [];
    for (const [minute, key] of [
      ['10:00', '/ none read'],
      ['10:00', '/ one read'],
      ['10:00', '/ none read'],
      ['10:01', '/ none read'],
      ['10:00', '/ none read'],
    ] as const) {
      texts.push((await pages.get(minute, key, render)).bytes.toString());
    }
    expect(texts).toEqual(['page 1', 'page 2', 'page 1', 'page 3', 'page 4']);
  });

  it('is never returned for a non-canonical address', async () => {
    const pages = createPageCache();
    const { render } = createRenderer(false);
    const ask = async () => (await pages.get('10:00', '/nowhere', render)).bytes.toString();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['page 1', 'page 2', 'page 3']);
    expect(await ask()).toBe('page 4');
  });

  it('does not make requests to a non-canonical address wait for each other', async () => {
    const pages = createPageCache();
    const { render, count } = createRenderer(false);
    await pages.get('10:00', '/nowhere', render);
    let finish = () => {};
    const slow = pages.get('10:00', '/nowhere', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return render();
    });
    await pages.get('10:00', '/nowhere', render);
    expect(count()).toBe(2);
    finish();
    await slow;
  });

  it('is not cached after a failure: the next request renders it again', async () => {
    const pages = createPageCache();
    const { render } = createRenderer();
    const failing = pages.get('10:00', '/', () => Promise.reject(new Error('no luck')));
    const waiting = pages.get('10:00', '/', render);
    await expect(failing).rejects.toThrow('no luck');
    expect((await waiting).bytes.toString()).toBe('page 1');
    expect((await pages.get('10:00', '/', render)).bytes.toString()).toBe('page 2');
    expect((await pages.get('10:00', '/', render)).bytes.toString()).toBe('page 2');
  });
});

describe('page cache', () => {
  it.each([
    ['pages', { maxPages: 3 }],
    ['of bytes', { maxBytes: 3 * 'page 1'.length }],
  ])('evicts the oldest pages when there are too many %s', async (_what, bounds) => {
    const pages = createPageCache(bounds);
    const { render, count } = createRenderer();
    for (const path of ['/a', '/b', '/c', '/d']) await pages.get('10:00', path, render);
    for (const path of ['/b', '/c', '/d']) await pages.get('10:00', path, render);
    expect(count()).toBe(4);
    await pages.get('10:00', '/a', render);
    expect(count()).toBe(5);
  });
});
