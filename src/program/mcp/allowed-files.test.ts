import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readAllowed } from './allowed-files.ts';

let folder: string;
const at = (...path: string[]) => join(folder, ...path);
const address = (...path: string[]) => pathToFileURL(at(...path)).href;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'glyphlift-mcp-')));
  for (const name of ['root', 'root-2', 'other']) {
    mkdirSync(at(name));
    writeFileSync(at(name, 'a.png'), name);
  }
  mkdirSync(at('root', 'deep'));
  writeFileSync(at('root', 'deep', 'ä b.png'), 'deep');
  symlinkSync(at('other', 'a.png'), at('root', 'away.png'));
  symlinkSync(at('other'), at('root', 'folder-away'));
  symlinkSync(at('root', 'deep', 'ä b.png'), at('root', 'near.png'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each<[string, string[] | undefined, string[], () => string, string]>([
  ['a file in a root', ['root'], [], () => at('root', 'a.png'), 'root'],
  ['a file below a root, by its address', ['root'], [], () => address('root', 'deep', 'ä b.png'), 'deep'],
  ['a path relative to the root', ['root'], [], () => join('deep', 'ä b.png'), 'deep'],
  ['a link within a root', ['root'], [], () => at('root', 'near.png'), 'deep'],
  ['a file in a root and in a folder', ['root'], ['root/deep'], () => at('root', 'deep', 'ä b.png'), 'deep'],
  ['a file in a folder, and no roots', undefined, ['other'], () => at('other', 'a.png'), 'other'],
])('readAllowed: given %s, reads it', async (_, roots, folders, path, content) => {
  const allowed = { roots: roots?.map((root) => address(root)), folders: folders.map((each) => at(each)) };
  expect(Buffer.from(await readAllowed(path(), allowed)).toString()).toBe(content);
});

it.each<[string, string[] | undefined, string[], () => string]>([
  ['a file outside the roots', ['root'], [], () => at('other', 'a.png')],
  ['a folder whose name begins like a root', ['root'], [], () => at('root-2', 'a.png')],
  ['a path with .. that leaves the root', ['root'], [], () => at('root', '..', 'other', 'a.png')],
  ['a link to a file outside', ['root'], [], () => at('root', 'away.png')],
  ['a link to a folder outside', ['root'], [], () => at('root', 'folder-away', 'a.png')],
  ['an empty list of roots', [], [], () => at('root', 'a.png')],
  ['a root outside the folders', ['root'], ['other'], () => at('root', 'a.png')],
  ['a folder outside the roots', ['root'], ['other'], () => at('other', 'a.png')],
  ['a root that does not exist', ['gone'], [], () => at('root', 'a.png')],
  ['a file that does not exist', ['root'], [], () => at('root', 'b.png')],
])(
  'readAllowed: given %s, rejects it without revealing whether it exists',
  async (_, roots, folders, path) => {
    const allowed = { roots: roots?.map((root) => address(root)), folders: folders.map((each) => at(each)) };
    await expect(readAllowed(path(), allowed)).rejects.toMatchObject({
      message: `${path()}: no such file in the folders that may be read`,
    });
  },
);

it('readAllowed: without roots and folders, reads in the current folder, unless it is the root of the file system', async () => {
  const current = vi.spyOn(process, 'cwd').mockReturnValue(at('root'));
  const allowed = { roots: undefined, folders: [] };
  expect(Buffer.from(await readAllowed('a.png', allowed)).toString()).toBe('root');
  await expect(readAllowed(at('other', 'a.png'), allowed)).rejects.toMatchObject({ code: 'not_allowed' });
  current.mockReturnValue('/');
  await expect(readAllowed(at('root', 'a.png'), allowed)).rejects.toThrow('glyphlift mcp FOLDER…');
  current.mockRestore();
});

it('readAllowed: rejects a folder with its path', async () => {
  await expect(readAllowed(at('root', 'deep'), { roots: [address('root')], folders: [] })).rejects.toThrow(
    /deep: /,
  );
});
