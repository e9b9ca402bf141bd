import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { engineVersion } from './engine-version.ts';

let checkout: string;
const path = (file: string) => join(checkout, file);
const write = (file: string, text: string) => writeFileSync(path(file), text);

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'engine-version-'));
  mkdirSync(path('src/ocr/page'), { recursive: true });
  write('src/ocr/page/a.ts', 'one');
});
afterEach(() => rmSync(checkout, { recursive: true }));

test('engineVersion: changes with changed, new, renamed and removed files of the engine', () => {
  const seen = new Set([engineVersion(checkout)]);
  const changes: (() => void)[] = [
    () => write('src/ocr/page/a.ts', 'two'),
    () => write('src/ocr/b.ts', 'new'),
    () => renameSync(path('src/ocr/b.ts'), path('src/ocr/c.ts')),
    () => rmSync(path('src/ocr/page/a.ts')),
  ];
  for (const change of changes) {
    change();
    seen.add(engineVersion(checkout));
  }
  expect(seen.size).toBe(1 + changes.length);
});

test('engineVersion: ignores tests and files outside the engine', () => {
  const before = engineVersion(checkout);
  write('src/ocr/page/a.test.ts', 'a test');
  write('src/b.ts', 'server');
  expect(engineVersion(checkout)).toBe(before);
});

test('engineVersion: is unknown for a folder without an engine', () => {
  expect(engineVersion(path('src/ocr'))).toBe('unknown');
});
