import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bootstrap.mjs';
import { outlineOf } from './document-links.ts';

const FOLDER = join(root, 'docs/decisions');
const records = readdirSync(FOLDER).filter((file) => /^\d{4}-/.test(file));

test('decision records: the index links to each of them once', () => {
  const { links } = outlineOf(readFileSync(join(FOLDER, 'README.md'), 'utf8'));
  expect(links.filter((link) => /^\d{4}-/.test(link)).sort()).toEqual(records.sort());
});

test('decision records: no number is used twice', () => {
  const numbers = records.map((file) => file.slice(0, 4));
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
