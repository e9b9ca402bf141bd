import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFolder, makeFolderBelow, printable, readBelow } from './folders.ts';

let folder: string;
const at = (...path: string[]) => join(folder, ...path);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'glyphlift-folders-')));
  mkdirSync(at('in', 'deep'), { recursive: true });
  mkdirSync(at('private'));
  writeFileSync(at('in', 'deep', 'scan.png'), 'a scan');
  writeFileSync(at('private', 'scan.png'), 'secret');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('readBelow', () => {
  const read = async () => Buffer.from(await readBelow(at('in'), join('deep', 'scan.png'))).toString();

  it('readBelow: returns the bytes of a file, also if the folder itself is a link', async () => {
    symlinkSync('in', at('named'));
    expect(await read()).toBe('a scan');
    expect(Buffer.from(await readBelow(at('named'), join('deep', 'scan.png'))).toString()).toBe('a scan');
  });

  it('readBelow: rejects a link that replaced a file', async () => {
    rmSync(at('in', 'deep', 'scan.png'));
    symlinkSync(at('private', 'scan.png'), at('in', 'deep', 'scan.png'));
    await expect(read()).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('readBelow: rejects a file in a folder that was replaced by a link', async () => {
    renameSync(at('in', 'deep'), at('before'));
    symlinkSync(at('private'), at('in', 'deep'));
    await expect(read()).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('readBelow: rejects a pipe that replaced a file, without waiting for a writer', async () => {
    rmSync(at('in', 'deep', 'scan.png'));
    execFileSync('mkfifo', [at('in', 'deep', 'scan.png')]);
    await expect(read()).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

describe('makeFolder', () => {
  it('makeFolder: creates a folder with its parents, and accepts an existing one', async () => {
    await makeFolder(at('one', 'two', 'three'));
    await makeFolder(at('one', 'two', 'three'));
    expect(existsSync(at('one', 'two', 'three'))).toBe(true);
  });

  it('makeFolder: fails if the path or a parent is a file', async () => {
    await expect(makeFolder(at('in', 'deep', 'scan.png'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(at('in', 'deep', 'scan.png', 'more'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(existsSync('/proc/self'))(
    'makeFolder: given a path below /proc, fails and does not hang',
    async () => {
      await expect(makeFolder('/proc/nope/below')).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  it('makeFolderBelow: follows a link in the path only if it belongs to the same user', async () => {
    symlinkSync(at('private'), at('in', 'link'));
    await makeFolderBelow(at('in'), at('in', 'link', 'new'));
    expect(existsSync(at('private', 'new'))).toBe(true);
    const uid = process.getuid?.() ?? 0;
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    await expect(makeFolderBelow(at('in'), at('in', 'link', 'other'))).rejects.toMatchObject({
      code: 'ELOOP',
    });
    expect(existsSync(at('private', 'other'))).toBe(false);
  });
});

it('printable: escapes control and bidirectional characters, and nothing else', () => {
  expect(printable('a\r\nb\u001b[2J\u009b\u202e.png – é 日本')).toBe(
    'a\\u000d\\u000ab\\u001b[2J\\u009b\\u202e.png – é 日本',
  );
});
