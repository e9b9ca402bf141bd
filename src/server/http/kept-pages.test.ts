import { describe, expect, it } from 'vitest';
import { createKeptPages } from './kept-pages.ts';

const pageOf = (text: string, isCanonical = true) => ({ isCanonical, bytes: Buffer.from(text) });

/** Renders pages and counts them. */
function maker(isCanonical = true) {
  let made = 0;
  const make = async () => pageOf(`page ${++made}`, isCanonical);
  return { make, count: () => made };
}

describe('a cached page', () => {
  it('is rendered once for parallel and later requests', async () => {
    const pages = createKeptPages();
    const { make, count } = maker();
    const ask = () => pages.get('10:00', '/', make);
    const [first, ...others] = await Promise.all([ask(), ask(), ask()]);
    expect(others).toEqual([first, first]);
    expect(await ask()).toBe(first);
    expect(count()).toBe(1);
  });

  it('is not used for other data or in another minute', async () => {
    const pages = createKeptPages();
    const { make } = maker();
    const texts: string[] = [];
    for (const [minute, given] of [
      ['10:00', '/ none read'],
      ['10:00', '/ one read'],
      ['10:00', '/ none read'],
      ['10:01', '/ none read'],
      ['10:00', '/ none read'],
    ] as const) {
      texts.push((await pages.get(minute, given, make)).bytes.toString());
    }
    expect(texts).toEqual(['page 1', 'page 2', 'page 1', 'page 3', 'page 4']);
  });

  it('is never one of a non-canonical address', async () => {
    const pages = createKeptPages();
    const { make } = maker(false);
    const ask = async () => (await pages.get('10:00', '/nowhere', make)).bytes.toString();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['page 1', 'page 2', 'page 3']);
    expect(await ask()).toBe('page 4');
  });

  it('delays no request to an address without a cached page', async () => {
    const pages = createKeptPages();
    const { make, count } = maker(false);
    await pages.get('10:00', '/nowhere', make);
    let finish = () => {};
    const slow = pages.get('10:00', '/nowhere', async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return make();
    });
    await pages.get('10:00', '/nowhere', make);
    expect(count()).toBe(2);
    finish();
    await slow;
  });

  it('is not cached after a failure: the next request renders it again', async () => {
    const pages = createKeptPages();
    const { make } = maker();
    const failing = pages.get('10:00', '/', () => Promise.reject(new Error('no luck')));
    const waiting = pages.get('10:00', '/', make);
    await expect(failing).rejects.toThrow('no luck');
    expect((await waiting).bytes.toString()).toBe('page 1');
    expect((await pages.get('10:00', '/', make)).bytes.toString()).toBe('page 2');
    expect((await pages.get('10:00', '/', make)).bytes.toString()).toBe('page 2');
  });
});

describe('page cache', () => {
  it.each([
    ['of one another', { mostPages: 3 }],
    ['of bytes', { mostBytes: 3 * 'page 1'.length }],
  ])('make room, the oldest first, when there are too many %s', async (_what, bounds) => {
    const pages = createKeptPages(bounds);
    const { make, count } = maker();
    for (const path of ['/a', '/b', '/c', '/d']) await pages.get('10:00', path, make);
    for (const path of ['/b', '/c', '/d']) await pages.get('10:00', path, make);
    expect(count()).toBe(4);
    await pages.get('10:00', '/a', make);
    expect(count()).toBe(5);
  });
});
