import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sourcesOf, stemsOf } from './sources.ts';

describe('stemsOf', () => {
  it.each([
    ['files with the same name from several folders', ['x.png', 'x.png', 'x.png'], ['x', 'x-2', 'x-3']],
    ['files that differ only in their extensions', ['x.png', 'x.jpg'], ['x.png', 'x.jpg']],
    [
      'the same name with several extensions, and a duplicate',
      ['x.png', 'x.jpg', 'x.png'],
      ['x.png', 'x.jpg', 'x.png-2'],
    ],
    [
      'a file name that is the stem of another file',
      ['x.png', 'x.pdf', 'x.pdf.png'],
      ['x.png', 'x.pdf', 'x.pdf-2'],
    ],
    ['a numbered name that exists already', ['x.png', 'x-2.png', 'x.png'], ['x', 'x-2', 'x-3']],
    ['names that differ only in case', ['X.png', 'x.png'], ['X', 'x-2']],
    [
      'names that differ only in Unicode normalization',
      ['\u00e9.png', 'e\u0301.png'],
      ['\u00e9', 'e\u0301-2'],
    ],
    ['different names', ['a.png', 'deep/a.png'], ['a', 'deep/a']],
  ])('stemsOf: given %s, no two results have the same path', (_, names, stems) => {
    expect(stemsOf(names)).toEqual(stems);
  });
});

describe('sourcesOf', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glyphlift-sources-'));
    mkdirSync(join(folder, 'links', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'page.png'), 'a page');
    symlinkSync(join('..', 'page.png'), join(folder, 'links', 'page.png'));
    symlinkSync('nowhere.png', join(folder, 'links', 'deep', 'broken.png'));
    symlinkSync('..', join(folder, 'links', 'deep', 'above'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  it('sourcesOf: reads the targets of links that belong to the same user', async () => {
    const { sources, emptyFolders, foreignLinks } = await sourcesOf([join(folder, 'links')]);
    expect(sources.map(({ stem }) => stem)).toEqual([join('deep', 'broken'), 'page']);
    await expect(sources[0]?.bytes()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(Buffer.from(await sources[1]!.bytes()).toString()).toBe('a page');
    expect([emptyFolders, foreignLinks]).toEqual([[], []]);
  });

  it('sourcesOf: reports links of another user and does not read them', async () => {
    const uid = process.getuid?.() ?? 0;
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    const { sources, foreignLinks } = await sourcesOf([join(folder, 'links')]);
    expect(sources).toEqual([]);
    expect(foreignLinks).toEqual(['deep/broken.png', 'page.png'].map((name) => join(folder, 'links', name)));
  });

  it('sourcesOf: reports a folder without pictures', async () => {
    mkdirSync(join(folder, 'empty'));
    expect(await sourcesOf([join(folder, 'empty')])).toMatchObject({
      sources: [],
      emptyFolders: [join(folder, 'empty')],
    });
  });
});
